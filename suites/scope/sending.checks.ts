import { check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { sentUntilServed } from "../support/actors/held-back.ts";
import { freshGrant } from "../support/material/grants.ts";
import { type Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { inboxOf, inboxesOf, twoInboxes } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  type MethodCall,
  responseTo,
} from "../support/actors/jmap.ts";
import { exhaustion } from "../support/judging/too-large.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { arrivalMs, lookForDelivered } from "./mailboxes.ts";
import {
  attemptedMessages,
  expectInsufficientScope,
  readOnlyTrial,
  trySendingAlone,
} from "./send-attempts.ts";
import { newMessage, provenRoute, routeFrom, sendCall, sendNew, submissionIn } from "./submissions.ts";
import { sendingToken, sendOnlyToken } from "./scoped-tokens.ts";

const senders: readonly { slug: string; words: string; token: (target: Target) => Promise<string> }[] = [
  { slug: "both-scopes", words: "`mail.read` and `mail.send`", token: sendingToken },
  {
    slug: "send-only",
    words: "`mail.send` alone",
    token: async (target) => (await sendOnlyToken(target)).token,
  },
];

const sending = senders.map(({ slug, words, token }) =>
  check({
    id: `SCOPE-23/${slug}`,
    claim: `A token with ${words} sends through \`EmailSubmission/set\`, which is answered 200 with the submission in \`created\`.`,
    needs: ["human"],
    async act(target) {
      await twoInboxes(target);
      const exchange = await sendFromAny(target, await token(target));
      if (exhaustion(exchange) !== undefined) await requireSendingInbox(target, exchange);
      return exchange;
    },
    // No delivery is promised.
    assert(exchange) {
      if (submissionIn(exchange) === undefined) throw notCreated(exchange);
    },
  }),
);

/**
 * That a token with both scopes sends now: else a limit may have been reached.
 *
 * @throws {InconclusiveError} precondition-missing
 */
async function requireSendingInbox(target: Target, refused: Exchange): Promise<void> {
  const exchange = await sendFromAny(target.control, await sendingToken(target));
  if (submissionIn(exchange) !== undefined) return;
  const type = shown(exhaustion(refused));
  throw new InconclusiveError("precondition-missing", `needs an inbox that may send now, got ${type}`, {
    exchange,
  });
}

/** From the first inbox that sends: another may be active and read only (C-86). @returns the first try, where none does */
async function sendFromAny(target: Target, token: string): Promise<Exchange> {
  const [first, ...others] = await inboxesOf(target);
  const { exchange: firstTry } = await sendNew(target, token, await routeFrom(target, first.accountId));
  if (submissionIn(firstTry) !== undefined) return firstTry;
  for (const { accountId } of others) {
    const { exchange } = await sendNew(target, token, await routeFrom(target, accountId));
    if (submissionIn(exchange) !== undefined) return exchange;
  }
  return firstTry;
}

export function notCreated(exchange: Exchange): Violation {
  const { name = "", args = {} } = responseTo(exchange, "send") ?? {};
  const answer = `${summary(exchange)} ${name} ${shown(args["notCreated"])}`;
  return new Violation("200 with created.s1", answer, { exchange });
}

const sendOnlyReading = observe({
  id: "SCOPE-24",
  question: "What does a token with `mail.send` alone get for `Mailbox/query`?",
  needs: ["human"],
  async act(target) {
    const { token, scopes } = await sendOnlyToken(target);
    return { scopes, exchange: await jmapAs(target, token, await inboxOf(target), inboxQuery) };
  },
  answer({ scopes, exchange }) {
    if (scopes.includes("mail.read")) return "the target grants mail.read too";
    return isSuccess(exchange) ? `${summary(exchange)}: it may read without mail.read` : summary(exchange);
  },
});

/** @throws {InconclusiveError} control-refused, when the target neither serves nor refuses the request */
function requireDecision(exchange: Exchange): Exchange {
  if (isSuccess(exchange) || isRefusal(exchange)) return exchange;
  throw controlRefused("a request with a mail.send token", "200, or a refusal", exchange, "SCOPE-23");
}

const readingBesideSend = check({
  id: "SCOPE-24/beside-send",
  claim:
    "A token with `mail.send` alone that may not call `Mailbox/query` may not call it beside `EmailSubmission/set` either.",
  needs: ["human"],
  async act(target) {
    const { token, scopes } = await sendOnlyToken(target);
    const accountId = await inboxOf(target);
    const alone = requireDecision(await jmapAs(target.setup, token, accountId, inboxQuery));
    if (scopes.includes("mail.read") || isSuccess(alone))
      throw new NotApplicableError("a token with mail.send alone may read");
    const send: MethodCall = ["EmailSubmission/set", { create: {} }, "0"];
    const sent = requireDecision(await jmapAs(target.control, token, accountId, jmapBody([send])));
    if (!isSuccess(sent))
      throw new NotApplicableError("the target refuses an EmailSubmission/set that creates nothing");
    const read: MethodCall = ["Mailbox/query", { filter: { role: "inbox" } }, "1"];
    return requireDecision(await jmapAs(target, token, accountId, jmapBody([send, read])));
  },
  // Whether such a token may read is not shown (C-24); that a call beside it decides is an oversight.
  assert: (exchange) =>
    responseTo(exchange, "1")?.name === "Mailbox/query"
      ? warning("`Mailbox/query` beside a send is served, and refused alone")
      : undefined,
});

const rounds = 6;

interface Alternation {
  /** The answers to tries to send with the mail.read token. */
  readonly refused: readonly Exchange[];
  readonly hasArrived: boolean;
}

function expectSeparate({ refused, hasArrived }: Alternation): void {
  expectThat(
    !hasArrived,
    "nothing to be sent with the mail.read token",
    "its message at the recipient",
    refused[0],
  );
  for (const exchange of refused) expectInsufficientScope(exchange);
}

const sameConnection = check({
  id: "SCOPE-28/same-connection",
  claim: `On one connection, ${rounds} sends with a \`mail.read\` token, each after a request with \`mail.send\`, are refused with \`insufficient_scope\`.`,
  needs: ["human"],
  act: async (target) => alternating(target, (requests) => overOneConnection(target, requests)),
  assert: expectSeparate,
});

const parallel = check({
  id: "SCOPE-28/parallel",
  claim: `In parallel with ${rounds} requests with \`mail.send\`, ${rounds} sends with a \`mail.read\` token are refused with \`insufficient_scope\`.`,
  needs: ["human"],
  act: async (target) =>
    alternating(target, (requests) => Promise.all(requests.map((request) => target.send(request)))),
  assert: expectSeparate,
});

type SendAll = (requests: readonly Outgoing[]) => Promise<readonly Exchange[]>;

/** Requests with both tokens by turns, one send with mail.send the first of them; the others with it send nothing. All again while it is held back. */
async function alternating(target: Target, sendAll: SendAll): Promise<Alternation> {
  const { token: readOnly, message, route } = await readOnlyTrial(target);
  const both = await sendingToken(target);
  const own = await newMessage(target, route);
  const request = (token: string, body: string): Outgoing => ({
    method: "POST",
    url: `${target.apiUrl}/jmap`,
    headers: [bearer(token), accountHeader(target, route.from.accountId), jsonContentType],
    body,
  });
  const permitted = [jmapBody([sendCall(own)]), ...Array.from({ length: rounds - 1 }, () => inboxQuery)];
  const refused = jmapBody([sendCall(message)]);
  const requests = permitted.flatMap((body) => [request(both, body), request(readOnly, refused)]);
  const answers: Exchange[] = [];
  const first = await sentUntilServed(target, async () => {
    const [sent, ...others] = await sendAll(requests);
    if (sent === undefined) throw new TypeError("several requests have a first answer");
    answers.push(sent, ...others);
    return sent;
  });
  requireSent(first);
  (await attemptedMessages(target)).push(message);
  return {
    refused: answers.filter((_answer, at) => at % 2 === 1),
    hasArrived: (await arrivalMs(target, both, route.sink, message.subject, 0)) !== undefined,
  };
}

async function overOneConnection(target: Target, requests: readonly Outgoing[]): Promise<Exchange[]> {
  const connection = target.connect(originOf(target.apiUrl));
  const answers: Exchange[] = [];
  try {
    for (const request of requests) answers.push(await connection.send(request));
  } finally {
    await connection.close();
  }
  return answers;
}

/** @throws {InconclusiveError} control-refused, when the token with mail.send did not send: nothing could then be shared */
function requireSent(first: Exchange): void {
  if (submissionIn(first) !== undefined) return;
  throw controlRefused("a send with mail.send before the others", "200 with created", first, "SCOPE-23");
}

const readOnlyFirst = check({
  id: "SCOPE-28/read-only-first",
  claim:
    "Right after a request with a `mail.read` token, a token with `mail.send` sends from the same inbox.",
  needs: ["human"],
  async act(target) {
    const { token, message, route } = await readOnlyTrial(target);
    const { accountId } = route.from;
    const both = await sendingToken(target);
    await jmapAs(target, token, accountId, inboxQuery);
    return jmapAs(target, both, accountId, jmapBody([sendCall(message)]));
  },
  assert(exchange) {
    if (submissionIn(exchange) === undefined) throw notCreated(exchange);
  },
});

const neverSent = check({
  id: "SCOPE-07",
  claim:
    "No message that a `mail.read` token tried to send in this run has arrived when all checks are done.",
  needs: ["human"],
  last: true,
  async act(target) {
    if ((await attemptedMessages(target)).length === 0) await tryOnce(target);
    const messages = await attemptedMessages(target);
    // A grant of its own: checks that let months pass may have outlived the shared ones.
    const { tokens } = await freshGrant(target);
    await requireDelivery(target, tokens.access_token);
    const sinks = Map.groupBy(messages, ({ route }) => route.sink);
    const listings = await Promise.all(
      [...sinks].map(([sink, sent]) =>
        lookForDelivered(
          target,
          tokens.access_token,
          sink,
          sent.map(({ subject }) => subject),
        ),
      ),
    );
    return { attempted: messages.length, listings: listings.flat() };
  },
  assert({ attempted, listings }) {
    const arrived = listings.flatMap(({ found }) => found);
    expectThat(
      arrived.length === 0,
      `none of ${attempted} messages at their recipient`,
      `${arrived.length} of them`,
      listings.find(({ found }) => found.length > 0)?.exchange,
    );
  },
});

/** That nothing arrived says something only where another message to the same place did (C-93). */
async function requireDelivery(target: Target, token: string): Promise<void> {
  const { deliveryMs, sink, provenSubject } = await provenRoute(target);
  if (deliveryMs !== undefined) return;
  const listings = await lookForDelivered(target.setup, token, sink, [provenSubject]);
  if (listings.some(({ found }) => found.length > 0)) return;
  throw new InconclusiveError(
    "precondition-missing",
    "the message that a token with mail.send sent is not at its recipient when all checks are done",
    { exchange: listings[0]?.exchange },
  );
}

/** Where this check runs without the others, there is still something to look for. */
async function tryOnce(target: Target): Promise<void> {
  const trial = await readOnlyTrial(target);
  await trySendingAlone(target, trial, sendCall(trial.message));
}

/** A token that may send does, and no other one beside it. Document, "Authentication", OAuth 2.0 path 7. */
export const sendChecks = [
  ...sending,
  sendOnlyReading,
  readingBesideSend,
  sameConnection,
  parallel,
  readOnlyFirst,
  neverSent,
];
