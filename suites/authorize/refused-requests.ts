import type { Attempt } from "../support/actors/authorization.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { errorOf, expectNoCode } from "../support/judging/refusals.ts";

/** No code, and an end that is a decision about the request. Which error it names is not looked at. */
export function expectRefusedWithoutCode(seen: Attempt): void {
  expectNoCode(seen);
  const { end } = seen;
  if (end.kind === "redirect") {
    const error = errorOf(seen, end.location);
    expectThat(error !== undefined, "an error in the redirect", "neither code nor error", end.exchange);
  } else {
    const { exchange, reason } = end;
    expectThat(isRefusal(exchange), "a refusal with 4xx (not 404, 405 or 429)", reason, exchange);
  }
}
