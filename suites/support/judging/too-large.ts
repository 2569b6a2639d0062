import { methodResponses } from "../actors/jmap.ts";
import { type Exchange, isJsonObject, jsonMembers } from "../wire/exchange.ts";
import { isRefusalStatus } from "./expect.ts";

const requestLimit = "urn:ietf:params:jmap:error:limit";
// The document has errors of OAuth at JMAP, which have no code for a limit: only their text tells.
const limitWords =
  /\btoo (?:many|much|large|big|long)\b|\bexceed|\bat most\b|\bmax(?:imum)?(?:Calls|Objects|Size|Concurrent|\s)/iu;

/** Whether a limit of the target refuses the request, or one of its calls (RFC 8620 §3.6). */
export function isTooLarge(exchange: Exchange): boolean {
  const { status, body } = exchange.response;
  // RFC 8620 §3.6.1 gives the type, and no status; for the size of a body 413 is usual.
  if (isRefusalStatus(status)) {
    const { type, error } = jsonMembers(exchange);
    return (
      type === requestLimit ||
      (status === 400 && type === undefined && error !== undefined && limitWords.test(body))
    );
  }
  const responses = methodResponses(exchange) ?? [];
  return responses.some(([name, args]) => name === "error" && args["type"] === "requestTooLarge");
}

// By which a quota, a limit or a young inbox's reputation holds back an object: RFC 8620 §5.3, RFC 8621 §7.5.
const exhausted: readonly unknown[] = ["overQuota", "rateLimit", "forbiddenToSend"];

/** The type of the error with which a target creates no more for now; undefined where none says so. */
export function exhaustion(exchange: Exchange): string | undefined {
  const errors = (methodResponses(exchange) ?? []).flatMap(([name, args]) =>
    name === "error" ? [args] : isJsonObject(args["notCreated"]) ? Object.values(args["notCreated"]) : [],
  );
  const types = errors.map((error) => (isJsonObject(error) ? error["type"] : undefined));
  const type = types.find((it) => exhausted.includes(it));
  return typeof type === "string" ? type : undefined;
}
