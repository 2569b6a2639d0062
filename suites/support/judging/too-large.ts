import { methodResponses } from "../actors/jmap.ts";
import { type Exchange, jsonMembers } from "../wire/exchange.ts";
import { isRefusalStatus } from "./expect.ts";

const requestLimit = "urn:ietf:params:jmap:error:limit";

/** Whether a limit of the target refuses the request, or one of its calls (RFC 8620 §3.6). */
export function isTooLarge(exchange: Exchange): boolean {
  // RFC 8620 §3.6.1 gives the type, and no status; for the size of a body 413 is usual.
  if (isRefusalStatus(exchange.response.status)) return jsonMembers(exchange)["type"] === requestLimit;
  const responses = methodResponses(exchange) ?? [];
  return responses.some(([name, args]) => name === "error" && args["type"] === "requestTooLarge");
}
