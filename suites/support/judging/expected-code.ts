import { type Attempt, codeIn, requireSignedIn } from "../actors/authorization.ts";
import { responseParameter } from "../actors/client-redirects.ts";
import { Violation } from "../verdict.ts";
import { shown } from "./expect.ts";

/** How an attempt ended, in one line. */
export function endInWords({ end }: Pick<Attempt, "end">): string {
  if (end.kind === "answer") return end.reason;
  if (codeIn(end) !== undefined) return "a redirect with a code";
  const error = responseParameter(end.location, "error");
  return error === undefined ? "a redirect without code and error" : `a redirect with error ${shown(error)}`;
}

/**
 * What to throw where a valid request that the person approves got no code, which AUTHZ-09/code judges by itself.
 *
 * @throws {InconclusiveError} consent-stuck, when the person was turned away at sign-in: that says nothing about the request
 */
export function withoutCode(seen: Pick<Attempt, "end">, expected = "a redirect with a code"): Violation {
  requireSignedIn(seen);
  return new Violation(expected, endInWords(seen), {
    exchange: seen.end.exchange,
    explainedBy: "AUTHZ-09/code",
  });
}
