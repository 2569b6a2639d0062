import { unguessable } from "../support/actors/oauth-client.ts";
import { type Check, check, type Need } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  jmapAs,
  jmapBody,
  type MethodCall,
  methodResponses,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import {
  listing,
  type MarkedInbox,
  markedInbox,
  newDraft,
  newestSubjects,
  subjectOf,
} from "./marked-inboxes.ts";

/** The inbox that the body names while the header selects another. */
interface Victim {
  readonly requirement: string;
  readonly which: "second" | "foreign";
  readonly words: string;
  readonly needs: readonly Need[];
}

const secondOwned: Victim = {
  requirement: "HDR-15",
  which: "second",
  words: "another owned inbox",
  needs: ["human"],
};

const foreign: Victim = {
  requirement: "HDR-16",
  which: "foreign",
  words: "another person's inbox",
  needs: ["human", "second-human"],
};

/** Ways to ask, under one inbox's header, for what is in another. */
interface Attempt {
  readonly slug: string;
  readonly words: string;
  readonly calls: (own: MarkedInbox, victim: MarkedInbox) => MethodCall[];
}

const direct: readonly Attempt[] = [
  {
    slug: "query",
    words: "Email/query and Email/get with the accountId of",
    calls: (_own, { jmapAccountId, mailboxId }) => listing(mailboxId, { accountId: jmapAccountId }),
  },
  {
    slug: "get",
    words: "Email/get with the accountId of",
    calls: (_own, { jmapAccountId, emailId }) => [subjectOf([emailId], { accountId: jmapAccountId })],
  },
];

const indirect: readonly Attempt[] = [
  {
    slug: "later-call",
    words: "a call without accountId and then calls with that of",
    calls: (_own, { jmapAccountId, mailboxId, emailId }) => [
      ["Mailbox/query", { filter: { role: "inbox" } }, "first"],
      ...listing(mailboxId, { accountId: jmapAccountId }),
      ["Email/get", { accountId: jmapAccountId, ids: [emailId], properties: ["subject"] }, "last"],
    ],
  },
  {
    slug: "result-reference",
    words: "a result reference that yields the accountId of",
    calls: (_own, { jmapAccountId, emailId }) => [
      ["Core/echo", { found: jmapAccountId }, "echo"],
      [
        "Email/get",
        {
          "#accountId": { resultOf: "echo", name: "Core/echo", path: "/found" },
          ids: [emailId],
          properties: ["subject"],
        },
        "1",
      ],
    ],
  },
  {
    slug: "email-id",
    words: "Email/get without accountId of a message of",
    calls: (_own, { emailId }) => [subjectOf([emailId])],
  },
  {
    slug: "copy",
    words: "Email/copy with the fromAccountId of",
    calls: (own, { jmapAccountId, emailId }) => [
      [
        "Email/copy",
        {
          accountId: own.jmapAccountId,
          fromAccountId: jmapAccountId,
          create: { c1: { id: emailId, mailboxIds: { [own.mailboxId]: true } } },
        },
        "0",
      ],
      ...listing(own.mailboxId),
    ],
  },
];

/** Answered by method responses or a refusal: a missing route or a fault of the server shows nothing. */
function expectAnswered(exchange: Exchange): void {
  const isAnswered = methodResponses(exchange) !== undefined || isRefusalStatus(exchange.response.status);
  if (!isAnswered) throw new Violation("method responses or a refusal", summary(exchange));
}

async function asOwn(target: Target, own: MarkedInbox, calls: readonly MethodCall[]): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target), own.accountId, jmapBody(calls));
}

function reading(id: string, victim: Victim, { words, calls }: Attempt): Check {
  return check({
    id,
    claim: `Under the header of one inbox, ${words} ${victim.words} yields nothing of it.`,
    needs: victim.needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, victim.which)];
      return { exchange: await asOwn(target, own, calls(own, other)), marker: other.marker };
    },
    assert({ exchange, marker }) {
      expectAnswered(exchange);
      expectThat(
        !exchange.response.body.includes(marker),
        "an error or the selected inbox",
        "the other inbox's message",
      );
    },
  });
}

function writing(victim: Victim): Check {
  return check({
    id: `${victim.requirement}/set`,
    claim: `Under the header of one inbox, Email/set with the accountId of ${victim.words} creates nothing there.`,
    needs: victim.needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, victim.which)];
      const subject = `mailproof ${unguessable()}`;
      const exchange = await asOwn(target, own, [
        [
          "Email/set",
          { accountId: other.jmapAccountId, create: { d1: newDraft(other.mailboxId, subject) } },
          "0",
        ],
      ]);
      return { exchange, subject, there: await newestSubjects(target, other) };
    },
    assert({ exchange, subject, there }) {
      expectAnswered(exchange);
      expectThat(
        !there.includes(subject),
        "no new message in the other inbox",
        "the message that was to be created",
      );
    },
  });
}

// Written by hand, so that a body that was parsed and written again has something to lose.
const oddArguments =
  '"text":"\\u00e9 \\u2603 \\ud83d\\ude00 \\u2028","number":9007199254740991,"negative":-0.5,"nothing":null,"nested":{"list":[null,{"inner":null},[]],"z":1,"a":{}},"":"empty key","a.b/c~d":true,"snake_case":"kept"';

const echoes = [
  { slug: "without-account-id", words: "without accountId, which does not gain one", account: () => "" },
  {
    slug: "with-account-id",
    words: "with an accountId",
    account: (jmapAccountId: string) => `"accountId":${JSON.stringify(jmapAccountId)},`,
  },
].map(({ slug, words, account }) =>
  check({
    id: `HDR-18/${slug}`,
    claim: `Arguments of odd JSON ${words}, come back from Core/echo equal.`,
    needs: ["human"],
    async act(target) {
      const own = await markedInbox(target, "own");
      const sent = `{${account(own.jmapAccountId)}${oddArguments}}`;
      const body = `{"using":["urn:ietf:params:jmap:core"],"methodCalls":[["Core/echo",${sent},"0"]]}`;
      const exchange = await jmapAs(target, await sharedAccessToken(target), own.accountId, body);
      requireServed(exchange, "Core/echo");
      const echoed = responseTo(exchange, "0");
      if (echoed?.name !== "Core/echo") {
        throw new InconclusiveError(
          "precondition-missing",
          `needs Core/echo, got ${shown(echoed?.args["type"])}`,
        );
      }
      const parsed: unknown = JSON.parse(sent);
      return { echoed: echoed.args, sent: parsed };
    },
    assert({ echoed, sent }) {
      expectThat(canonical(echoed) === canonical(sent), canonical(sent), canonical(echoed));
    },
  }),
);

/** JSON text with the members of every object in one order: JSON objects have none (RFC 8259 §4). */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export const otherAccountChecks: readonly Check[] = [
  ...[secondOwned, foreign].flatMap((victim) => [
    ...direct.map((attempt) => reading(`${victim.requirement}/${attempt.slug}`, victim, attempt)),
    writing(victim),
  ]),
  ...indirect.map((attempt) => reading(`HDR-17/${attempt.slug}`, secondOwned, attempt)),
  ...echoes,
];
