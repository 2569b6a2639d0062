import { InconclusiveError } from "../verdict.ts";
import { untilUndisturbed } from "../wire/disturbance.ts";
import { createEvidence, type Evidence } from "./evidence.ts";

/** What checks of a run share, such as clients and grants: each is made once. */
export interface SharedMaterial {
  /**
   * What is kept under a key, made when it is not there yet. What a disturbance spoilt while it was made is made again; after
   * a refusal the next caller tries again, until the same has been refused for the same reason {@link maxRefusals} times.
   *
   * @param make - gets the evidence of the one try that counts
   */
  get(key: string, make: (evidence: Evidence) => Promise<unknown>): Shared;
  /** Forgets everything, as after a restart of the target: from now on everything is made again. */
  forget(): void;
}

export interface Shared {
  readonly evidence: () => Evidence;
  readonly result: Promise<unknown>;
}

const maxRefusals = 2;
const maxDifferentRefusals = 3;

export function createSharedMaterial(): SharedMaterial {
  const kept = new Map<string, Shared>();
  const refusals = new Map<string, string[]>();

  function make(key: string, work: (evidence: Evidence) => Promise<unknown>): Shared {
    let evidence = createEvidence();
    const result = untilUndisturbed(() => {
      evidence = createEvidence();
      return work(evidence);
    });
    const shared = { evidence: () => evidence, result };
    kept.set(key, shared);
    result.catch((error: unknown) => {
      // The target is spared from refusing the same to each of the checks that need it, and so is the budget.
      if (!isFinal(key, error) && kept.get(key) === shared) kept.delete(key);
    });
    return shared;
  }

  function isFinal(key: string, error: unknown): boolean {
    if (!(error instanceof InconclusiveError) || error.code !== "control-refused") return false;
    const reasons = [...(refusals.get(key) ?? []), error.message];
    refusals.set(key, reasons);
    const sameReason = reasons.filter((reason) => reason === error.message).length;
    return sameReason >= maxRefusals || reasons.length >= maxDifferentRefusals;
  }

  return {
    get: (key, work) => kept.get(key) ?? make(key, work),
    forget() {
      kept.clear();
      refusals.clear();
    },
  };
}
