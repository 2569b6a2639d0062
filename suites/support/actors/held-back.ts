import type { Topic } from "../target/notes.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, isJsonObject, jsonMembers } from "../wire/exchange.ts";

const firstWaitMs = 500;
const longestWaitMs = 5000;

/** Left where patience ended: what comes later is not waited for as long. */
const endedPatience: Topic<string> = { name: "JMAP requests that were held back for too long" };

/**
 * Sends a JMAP request again for as long as a limit inside JMAP holds back what it asks for: a `rateLimit` (RFC 8620 §5.3)
 * or `serverUnavailable` (§3.6.2) says nothing about the request. Those that wait do so one after the other.
 *
 * @throws {InconclusiveError} rate-limited, when the profile's patience ends first, or has ended before
 */
export async function sentUntilServed(target: Target, send: () => Promise<Exchange>): Promise<Exchange> {
  const first = await send();
  if (!isHeldBack(first)) return first;
  return target.exclusively("jmap:held-back", async () => {
    const isHopeless = target.noted(endedPatience).length > 0;
    const endMs = performance.now() + (isHopeless ? firstWaitMs : target.profile.patience_seconds * 1000);
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      if (performance.now() + waitMs > endMs) {
        const reason = "a JMAP request was held back with rateLimit or serverUnavailable";
        target.note(endedPatience, reason);
        throw new InconclusiveError(
          "rate-limited",
          `${reason} for ${target.profile.patience_seconds} s; raise the target's limit for this run or the profile's patience_seconds`,
          { exchange: first },
        );
      }
      await target.pause(waitMs);
      const next = await send();
      if (!isHeldBack(next)) return next;
    }
  });
}

/** Whether something was held back, and nothing was sent that would be sent twice. */
function isHeldBack(exchange: Exchange): boolean {
  const { methodResponses } = jsonMembers(exchange);
  if (!Array.isArray(methodResponses)) return false;
  const responses = methodResponses.filter((response: unknown) => Array.isArray(response));
  const hasSent = responses.some(
    ([name, args]) => name === "EmailSubmission/set" && hasMembers(args, "created"),
  );
  return !hasSent && responses.some(([name, args]) => isUnavailable(name, args) || hasRateLimit(args));
}

function isUnavailable(name: unknown, args: unknown): boolean {
  return name === "error" && isJsonObject(args) && args["type"] === "serverUnavailable";
}

function hasRateLimit(args: unknown): boolean {
  const refused = isJsonObject(args) ? args["notCreated"] : undefined;
  return (
    isJsonObject(refused) &&
    Object.values(refused).some((error) => isJsonObject(error) && error["type"] === "rateLimit")
  );
}

function hasMembers(args: unknown, name: string): boolean {
  const member = isJsonObject(args) ? args[name] : undefined;
  return isJsonObject(member) && Object.keys(member).length > 0;
}
