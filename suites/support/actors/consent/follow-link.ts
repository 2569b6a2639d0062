import { filled } from "./form-values.ts";
import type { Link } from "./page.ts";
import type { Step } from "./step.ts";

type Purposes = Pick<Extract<Step, { kind: "follow" }>, "purpose" | "narrows" | "choosesProvider">;

/** A click on a link: its address is opened, or the form is sent that a script makes of it. */
export function followed({ href, form }: Link, purposes: Purposes): Step {
  if (form === undefined) return { kind: "follow", href, ...purposes };
  return { kind: "submit", form, button: undefined, fields: filled(form), ...purposes };
}
