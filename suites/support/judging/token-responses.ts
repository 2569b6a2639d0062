import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, jsonMembers } from "../wire/exchange.ts";

/**
 * Every token response of this run: for all clients, resources, scopes and people that the suites have used.
 *
 * @throws {InconclusiveError} precondition-missing, when there is none
 */
export async function tokenResponses(target: Target): Promise<readonly Exchange[]> {
  const found = target.runExchanges().filter(
    (exchange) =>
      exchange.response.status === 200 &&
      // The end of a long answer is not kept, and a token without its end is none.
      exchange.response.cut === undefined &&
      exchange.request.method === "POST" &&
      exchange.request.url === `${target.authUrl}/oauth/token` &&
      typeof jsonMembers(exchange)["access_token"] === "string",
  );
  if (found.length > 0) return found;
  throw new InconclusiveError(
    "precondition-missing",
    "no token request of this run was answered with tokens",
  );
}

/** Of a token response. */
export function accessTokenIn(response: Exchange): string {
  return String(jsonMembers(response)["access_token"]);
}

/** Whether the `scope` of a token response has `mail.send`. */
export function grantsSending(response: Exchange): boolean {
  const { scope } = jsonMembers(response);
  return typeof scope === "string" && scope.split(" ").includes("mail.send");
}
