import type { Target } from "../target/target.ts";

/** A target whose person stops before they send the first form. */
export interface SlowPerson {
  readonly target: Target;
  /** Whether they have sent one, after what was done meanwhile. */
  readonly hasSentForm: () => boolean;
}

/** @param meanwhile - what happens while the page of the first form is open */
export function withSlowPerson(target: Target, meanwhile: () => Promise<void>): SlowPerson {
  let hasSentForm = false;
  const { setup } = target;
  const send: Target["send"] = async (outgoing) => {
    if (outgoing.method === "POST" && !hasSentForm) {
      hasSentForm = true;
      await meanwhile();
    }
    return setup.send(outgoing);
  };
  return { target: { ...target, setup: { ...setup, send } }, hasSentForm: () => hasSentForm };
}
