import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectOAuthError, expectThat, shown } from "../support/judging/expect.ts";
import { freshGrant } from "../support/material/grants.ts";
import { type Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { inboxOf, twoInboxes } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  type MethodCall,
  methodResponses,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";
import { arrives, subjectsFound } from "./mailboxes.ts";
import { readOnlyTrial, refusedMessages, trySending } from "./send-attempts.ts";
import { newMessage, routeFrom, sendCall, sendNew, submissionIn } from "./submissions.ts";
import { sendingToken, sendOnlyToken } from "./tokens.ts";

// Delivery is not the document's subject: a message that is not seen in this time is worth a line, no more.
const deliveryMs = 5000;

interface Sent {
  readonly exchange: Exchange;
  readonly hasArrived: boolean;
}

const senders: readonly { slug: string; words: string; token: (target: Target) => Promise<string> }[] = [
  { slug: "both-scopes", words: "mail.read and mail.send", token: sendingToken },
  { slug: "send-only", words: "mail.send", token: async (target) => (await sendOnlyToken(target)).token },
];

const sending = senders.map(({ slug, words, token }) =>
  check({
    id: `SCOPE-23/${slug}`,
    claim: `A token with ${words} sends: EmailSubmission/set is answered 200 with the submission in created.`,
    needs: ["human"],
    async act(target): Promise<Sent> {
      await twoInboxes(target);
      const { message, exchange } = await sendNew(target, await token(target), await routeFrom(target));
      if (submissionIn(exchange) === undefined) return { exchange, hasArrived: false };
      const owners = await sendingToken(target);
      const { sink } = message.route;
      return { exchange, hasArrived: await arrives(target, owners, sink, message.subject, deliveryMs) };
    },
    assert({ exchange, hasArrived }): Finding | undefined {
      if (submissionIn(exchange) === undefined) throw notCreated(exchange);
      return hasArrived ? undefined : warning("sent, and not seen at the recipient within 5 s");
    },
  }),
);

function notCreated(exchange: Exchange): Violation {
  const { name = "", args = {} } = responseTo(exchange, "send") ?? {};
  return new Violation("200 with created.s1", `${summary(exchange)} ${name} ${shown(args["notCreated"])}`);
}

const sendOnlyReading = check({
  id: "SCOPE-24",
  claim: "What a token with mail.send alone gets for Mailbox/query is recorded.",
  needs: ["human"],
  async act(target) {
    const { token, scopes } = await sendOnlyToken(target);
    return { scopes, exchange: await jmapAs(target, token, await inboxOf(target), inboxQuery) };
  },
  assert({ scopes, exchange }): Finding {
    if (scopes.includes("mail.read")) return observation("the target grants mail.read besides");
    return isSuccess(exchange)
      ? warning("it may read, which is mail.read's")
      : observation(summary(exchange));
  },
});

const rounds = 6;

interface Alternation {
  /** The answers to tries to send with the mail.read token. */
  readonly refused: readonly Exchange[];
  readonly hasArrived: boolean;
}

function expectSeparate({ refused, hasArrived }: Alternation): void {
  expectThat(!hasArrived, "nothing to be sent with the mail.read token", "its message at the recipient");
  for (const exchange of refused) {
    if (methodResponses(exchange) !== undefined)
      throw new Violation("403 insufficient_scope every time", summary(exchange));
    expectOAuthError(exchange, ["insufficient_scope"]);
  }
}

const sameConnection = check({
  id: "SCOPE-28/same-connection",
  claim: `On one connection, right after a send with mail.send, a send with a mail.read token for the same inbox is refused with 403, ${rounds} times.`,
  needs: ["human"],
  act: async (target) => alternating(target, (requests) => overOneConnection(target, requests)),
  assert: expectSeparate,
});

const parallel = check({
  id: "SCOPE-28/parallel",
  claim: `Of parallel requests for one inbox, ${rounds} with mail.send and ${rounds} sends with a mail.read token, the latter are refused with 403.`,
  needs: ["human"],
  act: async (target) =>
    alternating(target, (requests) => Promise.all(requests.map((request) => target.send(request)))),
  assert: expectSeparate,
});

type SendAll = (requests: readonly Outgoing[]) => Promise<readonly Exchange[]>;

/** Requests with both tokens by turns, one send with mail.send the first of them; the others with it send nothing. */
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
  const answers = await sendAll(
    permitted.flatMap((body) => [request(both, body), request(readOnly, refused)]),
  );
  requireFirstSent(answers);
  (await refusedMessages(target)).push(message);
  return {
    refused: answers.filter((_answer, at) => at % 2 === 1),
    hasArrived: await arrives(target, both, route.sink, message.subject, 0),
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
function requireFirstSent([first]: readonly Exchange[]): void {
  if (first !== undefined && submissionIn(first) !== undefined) return;
  throw new InconclusiveError(
    "control-refused",
    `a send with mail.send before the others: expected created, got ${first === undefined ? "nothing" : summary(first)}`,
  );
}

const readOnlyFirst = check({
  id: "SCOPE-28/read-only-first",
  claim: "Right after a request with a mail.read token, a token with mail.send sends from the same inbox.",
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
  claim: "When all checks are done, no message that a mail.read token tried to send in this run has arrived.",
  needs: ["human"],
  last: true,
  async act(target) {
    const messages = await refusedMessages(target);
    if (messages.length === 0) await tryOnce(target);
    // A grant of its own: checks that let months pass may have outlived the shared ones.
    const { tokens } = await freshGrant(target);
    const sinks = Map.groupBy(messages, ({ route }) => route.sink);
    const arrived = await Promise.all(
      [...sinks].map(([sink, sent]) =>
        subjectsFound(
          target,
          tokens.access_token,
          sink,
          sent.map(({ subject }) => subject),
        ),
      ),
    );
    return { tried: messages.length, arrived: arrived.flat() };
  },
  assert({ tried, arrived }) {
    expectThat(
      arrived.length === 0,
      `none of ${tried} messages at their recipient`,
      `${arrived.length} of them`,
    );
  },
});

/** Where this check runs without the others, there is something to look for all the same. */
async function tryOnce(target: Target): Promise<void> {
  const trial = await readOnlyTrial(target);
  const { token, message, route } = trial;
  const request = (call: MethodCall) => jmapAs(target, token, route.from.accountId, jmapBody([call]));
  await trySending(target, { ...trial, request, send: sendCall(message) });
}

export const sendChecks = [...sending, sendOnlyReading, sameConnection, parallel, readOnlyFirst, neverSent];
