import { jmapBody, type MethodCall, methodResponses, responseTo, urn } from "../support/actors/jmap.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, isJsonObject, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { requiredDocument } from "./capabilities.checks.ts";
import { askMailbox, mailboxOf, postMailbox } from "./mailbox.ts";

const echo: MethodCall = ["Core/echo", { text: "" }, "0"];

/** A limit of the session document, and requests within and beyond it. */
interface Limit {
  readonly name: string;
  /** Reads after "A JMAP request". */
  readonly words: string;
  /** A larger limit is not tried, so as not to burden the target. */
  readonly largest: number;
  readonly largestWords: string;
  /** A JMAP request object as text. */
  readonly within: (limit: number) => string;
  readonly beyond: (limit: number) => string;
}

const limits: readonly Limit[] = [
  {
    name: "maxCallsInRequest",
    words: "of one call more than `maxCallsInRequest`",
    largest: 1000,
    largestWords: "1000",
    within: (limit) => jmapBody(Array.from({ length: limit }, () => echo)),
    beyond: (limit) => jmapBody(Array.from({ length: limit + 1 }, () => echo)),
  },
  {
    name: "maxSizeRequest",
    words: "longer than `maxSizeRequest`",
    largest: 16 * 1024 * 1024,
    largestWords: "16 MiB",
    // A gateway may take less than the service itself; what is beyond the limit of the service is beyond both.
    within: () => jmapBody([echo]),
    // White space: an echoed argument of this length would be an answer too long to read, of a target without the limit.
    beyond: (limit) => jmapBody([echo]) + " ".repeat(limit),
  },
];

function limitIn(document: Exchange, name: string): unknown {
  const { capabilities } = jsonMembers(document);
  const core = isJsonObject(capabilities) ? capabilities[urn.core] : undefined;
  return isJsonObject(core) ? core[name] : undefined;
}

const limitType = "urn:ietf:params:jmap:error:limit";

/** @throws {Violation} when a request beyond a limit is not refused, or for another reason */
function expectBeyond(exchange: Exchange, name: string): void {
  expectThat(isRefusal(exchange), "4xx", summary(exchange), exchange);
  if (mediaType(exchange) !== "application/problem+json") return;
  const { type, limit } = jsonMembers(exchange);
  const expected = shown({ type: limitType, limit: name });
  const observed = shown({ type, limit });
  expectThat(observed === expected, expected, observed, exchange);
}

function tooSoonWords(refused: Exchange | undefined): string {
  return refused === undefined ? "" : `${summary(refused)} for a request within it`;
}

const exceeded = limits.map(({ name, words, largest, largestWords, within, beyond }) =>
  recommend({
    id: `B-JMAP-07/${name}`,
    claim: `A JMAP request ${words} is refused with 4xx, unless that is above ${largestWords}, and names the limit; none below is refused for it.`,
    async act(target) {
      const document = await requiredDocument(target.setup);
      const limit = limitIn(document, name);
      if (typeof limit !== "number" || limit > largest) return { document, limit };
      const mailbox = await mailboxOf(target);
      const control = await postMailbox(target.control, mailbox, within(limit));
      if (methodResponses(control) === undefined) {
        if (jsonMembers(control)["type"] === limitType) return { document, limit, tooSoon: control };
        throw controlRefused(`a request within ${name}`, "200 with methodResponses", control);
      }
      return { document, limit, exchange: await postMailbox(target, mailbox, beyond(limit)) };
    },
    assert({ document, limit, tooSoon, exchange }) {
      expectThat(typeof limit === "number", `a number ${name}`, shown(limit), document);
      expectThat(tooSoon === undefined, `no limit below ${shown(limit)}`, tooSoonWords(tooSoon), tooSoon);
      if (exchange !== undefined) expectBeyond(exchange, name);
    },
  }),
);

const sameState = recommend({
  id: "B-JMAP-17/session-document",
  claim: "The `sessionState` of a JMAP response is the `state` of the session document.",
  async act(target) {
    const before = await requiredDocument(target);
    const exchange = await askMailbox(target, await mailboxOf(target), [echo]);
    if (methodResponses(exchange) === undefined)
      throw controlRefused("a JMAP request with a capability", "method responses", exchange, "POW-66");
    return { documents: [before, await requiredDocument(target)], exchange };
  },
  assert({ documents, exchange }) {
    const states = new Set(documents.map((document) => jsonMembers(document)["state"]));
    // That there is one, and that it is text, is judged by B-JMAP-27; one that changes all the time says nothing.
    if (states.size > 1 || ![...states].every((state) => typeof state === "string"))
      throw new NotApplicableError("the session document has no state that stays");
    const { sessionState } = jsonMembers(exchange);
    explained("B-JMAP-17", () =>
      expectThat(states.has(sessionState), shown([...states][0]), shown(sessionState), exchange),
    );
  },
});

const withoutAccountId = observe({
  id: "B-JMAP-12",
  question: "How is `Mailbox/query` without `accountId` answered for a capability?",
  act: async (target) =>
    askMailbox(target, await mailboxOf(target), [["Mailbox/query", { filter: { role: "inbox" } }, "0"]]),
  answer(exchange) {
    const response = responseTo(exchange, "0");
    if (response === undefined) return summary(exchange);
    return response.name === "error" ? `error ${shown(response.args["type"])}` : response.name;
  },
});

/** What RFC 8620 asks of requests on the proof-of-work path, where the session document tells the limits. */
export const requestChecks = [...exceeded, sameState, withoutAccountId];
