import { interrupted } from "../verdict.ts";
import type { Solver } from "./solver.ts";

/** A solver whose searches end as `interrupted` when the signal of the run is aborted. */
export function interruptibleSolver(solver: Solver, signal: AbortSignal): Solver {
  return {
    ...solver,
    async search(request) {
      const signals = request.signal === undefined ? [signal] : [signal, request.signal];
      try {
        // A signal of its own for each search: Node.js warns of many listeners on one.
        return await solver.search({ ...request, signal: AbortSignal.any(signals) });
      } catch (cause) {
        if (!signal.aborted) throw cause;
        throw interrupted(cause);
      }
    },
  };
}
