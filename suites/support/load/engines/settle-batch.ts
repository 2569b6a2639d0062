import { type LoadResponse, isShed } from "./response.ts";
import type { InvariantChecker } from "./invariants.ts";
import type { Batch } from "../load-step.ts";
import type { ResponseClass } from "./stream-recorder.ts";

export function classify(batch: Batch, response: LoadResponse): ResponseClass {
  if (isShed(response)) return "shed";
  return batch.isExpectedStatus(response.status) ? "planned" : "unplanned";
}

/** Checks the responses of a batch and passes them back to the supply. Shed responses say nothing about the request itself. */
export function settleBatch(
  batch: Batch,
  responses: readonly (LoadResponse | undefined)[],
  checker: InvariantChecker,
): void {
  const notShed = responses.map((response) =>
    response !== undefined && isShed(response) ? undefined : response,
  );
  for (const [at, response] of responses.entries()) {
    const outgoing = batch.requests[at];
    if (response !== undefined && outgoing !== undefined && isShed(response))
      checker.checkShed(outgoing, response);
  }
  checker.check(batch, notShed);
  batch.onSettled?.(responses);
}
