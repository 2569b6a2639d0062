import type { ObservedWait } from "../../suites/support/pow/observed-tries.ts";
import type { Solver } from "../../suites/support/pow/solver.ts";

/** The same solver, which notes how many tries each ordinary proof took. */
export function noteWaits(solver: Solver, waits: ObservedWait[]): Solver {
  return {
    ...solver,
    async search(request) {
      const hit = await solver.search(request);
      const { accept, from, recipe, around } = request;
      const isOrdinary = from === undefined && around === undefined && (recipe ?? "document") === "document";
      if (isOrdinary && "kind" in accept && accept.kind === "at-least")
        waits.push({ difficultyBits: accept.bits, tries: Number(hit.nonce) + 1 });
      return hit;
    },
  };
}
