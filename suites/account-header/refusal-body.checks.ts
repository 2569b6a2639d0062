import { observe } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { selecting, selectingValue, servedSelection } from "./selection.ts";

function shapeOf(exchange: Exchange): string {
  const { error } = jsonMembers(exchange);
  if (isJsonObject(error)) return `the agent error shape: error with ${Object.keys(error).join(", ")}`;
  if (typeof error === "string") return `the OAuth error shape: ${error}`;
  return mediaType(exchange).endsWith("json")
    ? `JSON of neither error shape: ${summary(exchange)}`
    : `no JSON: ${summary(exchange)}`;
}

const missingHeader = observe({
  id: "HDR-27",
  question: "What is the body of the answer to a request without the account header?",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return selecting(target, token, []);
  },
  answer: shapeOf,
});

const malformedHeader = observe({
  id: "HDR-27/malformed",
  question: "What is the body of the answer to a request whose account header is not a UUID?",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return selectingValue(target, token, "x");
  },
  answer: shapeOf,
});

/** Document, "Errors", JMAP API: it names a shape and shows no body (C-13), and a validator may stand before the service. */
export const refusalBodyChecks = [missingHeader, malformedHeader];
