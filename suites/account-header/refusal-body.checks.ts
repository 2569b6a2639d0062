import { check, observe } from "../support/judging/check.ts";
import { isRefusal } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isJsonObject, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { selecting, selectingValue, servedSelection } from "./selection.ts";

/** The answer to a request that a token is good for, without the account header. */
async function withoutHeader(target: Target): Promise<Exchange> {
  const { token } = await servedSelection(target);
  return selecting(target, token, []);
}

const refusalBody = observe({
  id: "HDR-27",
  question: "What is the body of the answer to a request without the account header?",
  needs: ["human"],
  act: withoutHeader,
  answer(exchange) {
    const { error } = jsonMembers(exchange);
    if (isJsonObject(error)) return `the agent error shape: error with ${Object.keys(error).join(", ")}`;
    if (typeof error === "string") return `the OAuth error shape: ${error}`;
    return mediaType(exchange).endsWith("json")
      ? `JSON of neither error shape: ${summary(exchange)}`
      : `no JSON: ${summary(exchange)}`;
  },
});

/** As the document tells its two error shapes apart. */
function shapeOf(exchange: Exchange): string {
  const { error } = jsonMembers(exchange);
  if (isJsonObject(error)) return "the agent error shape";
  return typeof error === "string" ? "the OAuth error shape" : "neither error shape";
}

const sameShape = check({
  id: "HDR-27/malformed",
  claim:
    "The body of the 400 has the same shape where the account header is missing and where it is no UUID.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return {
      missing: await withoutHeader(target.setup),
      malformed: await selectingValue(target, token, "x"),
    };
  },
  assert({ missing, malformed }): Warning | undefined {
    for (const [exchange, explainedBy] of [
      [missing, "HDR-02"],
      [malformed, "HDR-04/letter"],
    ] as const)
      if (!isRefusal(exchange))
        throw new InconclusiveError("precondition-missing", `needs a refusal, got ${summary(exchange)}`, {
          exchange,
          explainedBy,
        });
    const [one, other] = [shapeOf(missing), shapeOf(malformed)];
    // The document names one shape for both, but shows no body, and what validates a header may stand before the service.
    return one === other ? undefined : warning(`${one} where it is missing, ${other} where it is no UUID`);
  },
});

/** What the refusals have in common. Document, "Errors", JMAP API. */
export const refusalBodyChecks = [refusalBody, sameShape];
