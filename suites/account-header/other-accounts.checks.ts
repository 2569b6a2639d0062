import { type Check, check, type Need } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, showsText, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { isTooLarge } from "../support/judging/too-large.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  createdId,
  jmapAs,
  jmapBody,
  type MethodCall,
  methodResponses,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { hasSubject, listing, type MarkedInbox, markedInbox, newestOf, subjectOf } from "./marked-inboxes.ts";
import { newSubject, plainTextDraft } from "../support/material/plain-text-draft.ts";

/** The inbox that the body names while the header selects another. */
interface Victim {
  readonly requirement: string;
  readonly which: "second" | "foreign";
  readonly words: string;
  readonly needs: readonly Need[];
  /** The check that fails too where an accountId in the body selects the inbox, this one included. */
  readonly explainedBy?: string | undefined;
}

// Where the body selects another person's inbox, it selects any.
const worst = "HDR-16/get";

const secondOwned: Victim = {
  requirement: "HDR-15",
  which: "second",
  words: "another owned inbox",
  needs: ["human"],
  explainedBy: worst,
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
  /** The check that fails too where this attempt succeeds for the same reason. */
  readonly explainedBy?: string | undefined;
}

const direct: readonly Attempt[] = [
  {
    slug: "query",
    words: "`Email/query` and `Email/get` with its `accountId`",
    calls: (_own, { jmapAccountId, mailboxId }) => listing(mailboxId, { accountId: jmapAccountId }),
  },
  {
    slug: "get",
    words: "`Email/get` with its `accountId`",
    calls: (_own, { jmapAccountId, emailId }) => [subjectOf([emailId], { accountId: jmapAccountId })],
  },
];

const indirect: readonly Attempt[] = [
  {
    slug: "later-call",
    explainedBy: "HDR-15/get",
    words: "later calls with its `accountId`",
    calls: (_own, { jmapAccountId, mailboxId, emailId }) => [
      ["Mailbox/query", { filter: { role: "inbox" } }, "first"],
      ...listing(mailboxId, { accountId: jmapAccountId }),
      ["Email/get", { accountId: jmapAccountId, ids: [emailId], properties: ["subject"] }, "last"],
    ],
  },
  {
    slug: "result-reference",
    // The reference is resolved in a later call.
    explainedBy: "HDR-17/later-call",
    words: "a call with a result reference to its `accountId`",
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
    slug: "header-value",
    explainedBy: "HDR-15/get",
    // JMAP may know the account by another id.
    words: "a call whose `accountId` is its value of the account header",
    calls: (_own, { accountId, emailId }) => [subjectOf([emailId], { accountId })],
  },
  {
    slug: "array",
    explainedBy: "HDR-15/get",
    words: "a call with its `accountId` in an array",
    calls: (_own, { jmapAccountId, emailId }) => [subjectOf([emailId], { accountId: [jmapAccountId] })],
  },
  {
    slug: "spaces",
    explainedBy: "HDR-15/get",
    words: "a call with its `accountId` between spaces",
    calls: (_own, { jmapAccountId, emailId }) => [subjectOf([emailId], { accountId: ` ${jmapAccountId} ` })],
  },
  {
    slug: "member-case",
    // Where the member is not read, the call is one by the id alone.
    explainedBy: "HDR-17/email-id",
    words: "a call with its `accountId` in members of other letter case",
    calls: (_own, { jmapAccountId: id, emailId }) => [subjectOf([emailId], { AccountId: id, accountid: id })],
  },
  {
    slug: "tenth-call",
    explainedBy: "HDR-17/later-call",
    words: "the tenth call of a request with its `accountId`",
    calls: (_own, { jmapAccountId, emailId }) => [
      ...queries(9),
      subjectOf([emailId], { accountId: jmapAccountId }),
    ],
  },
  {
    slug: "sixteenth-call",
    explainedBy: "HDR-17/tenth-call",
    words: "the sixteenth call of a request with its `accountId`",
    calls: (_own, { jmapAccountId, emailId }) => [
      ...queries(15),
      subjectOf([emailId], { accountId: jmapAccountId }),
    ],
  },
  {
    slug: "email-id",
    words: "`Email/get` of one of its messages without `accountId`",
    calls: (_own, { emailId }) => [subjectOf([emailId])],
  },
  {
    slug: "copy",
    words: "`Email/copy` with its `accountId` as `fromAccountId`",
    calls: (own, { jmapAccountId, emailId }) => [
      [
        "Email/copy",
        {
          accountId: own.jmapAccountId,
          fromAccountId: jmapAccountId,
          create: { c1: { id: emailId, mailboxIds: { [own.mailboxId]: true } } },
        },
        // An id of its own: a reference is to the first response with its call id (RFC 8620 §3.7).
        "copy",
      ],
      ...listing(own.mailboxId),
    ],
  },
];

/** What the person may ask of their own inbox. */
function queries(count: number): MethodCall[] {
  return Array.from({ length: count }, (_, at) => ["Mailbox/query", { limit: 1 }, `before-${at}`]);
}

/**
 * @throws {NotApplicableError} when the target takes fewer calls at once: what it refused for that shows nothing
 * @throws {InconclusiveError} precondition-missing, when neither method responses nor a refusal came: that shows nothing
 */
function requireAnswered(exchange: Exchange): void {
  if (isTooLarge(exchange))
    throw new NotApplicableError("the target limits a request to fewer calls than this check needs");
  if (methodResponses(exchange) !== undefined || isRefusal(exchange)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `needs method responses or a refusal, got ${summary(exchange)}`,
    { exchange, explainedBy: "ERR-11" },
  );
}

async function asOwn(target: Target, own: MarkedInbox, calls: readonly MethodCall[]): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target), own.accountId, jmapBody(calls));
}

function reading(id: string, victim: Victim, { words, calls, explainedBy }: Attempt): Check {
  return check({
    id,
    claim: `Under the header of one inbox, nothing of ${victim.words} is shown to ${words}.`,
    needs: victim.needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, victim.which)];
      return { exchange: await asOwn(target, own, calls(own, other)), marker: other.marker };
    },
    assert({ exchange, marker }) {
      requireAnswered(exchange);
      const isShown = showsText(exchange, marker);
      explained(explainedBy, () =>
        expectThat(!isShown, "an error or the selected inbox", "a message of the other inbox", exchange),
      );
    },
  });
}

function writing(victim: Victim): Check {
  return check({
    id: `${victim.requirement}/set`,
    claim: `Under the header of one inbox, \`Email/set\` with the \`accountId\` of ${victim.words} creates nothing there.`,
    needs: victim.needs,
    async act(target) {
      const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, victim.which)];
      const subject = newSubject();
      const create = { d1: plainTextDraft({ ...other, subject }) };
      const exchange = await asOwn(target, own, [
        ["Email/set", { accountId: other.jmapAccountId, create }, "0"],
      ]);
      return { exchange, subject, there: await newestOf(target, other) };
    },
    assert({ exchange, subject, there }) {
      requireAnswered(exchange);
      const isCreated = hasSubject(there, subject);
      explained(`${victim.requirement}/get`, () =>
        expectThat(
          !isCreated,
          "no new message in the other inbox",
          "the message of Email/set",
          there.exchange,
        ),
      );
    },
  });
}

// Written by hand, so that a body that was parsed and written again has something to lose.
const oddArguments =
  '"text":"\\u00e9 \\u2603 \\ud83d\\ude00 \\u2028","number":9007199254740991,"negative":-0.5,"nothing":null,"nested":{"list":[null,{"inner":null},[]],"z":1,"a":{}},"":"empty key","a.b/c~d":true,"snake_case":"kept"' +
  // In the characters themselves, which a normalisation composes.
  ',"raw":"e\u0301 \u1112\u1161\u11ab \u212b"';

// A subject that a body which is parsed or searched loses something of.
const oddSubject = String.raw`\u00e9 \u2603 \ud83d\ude00 {\"accountId\":null,\"#ids\":[9007199254740993]} \\\/`;

/** What became of arguments on their way to the mail store. */
interface Passed {
  readonly exchange: Exchange;
  readonly sent: unknown;
  readonly received: unknown;
}

/**
 * Not every mail store has `Core/echo`, which is not a method of the document.
 *
 * @throws {InconclusiveError} control-refused, when a draft cannot be created
 */
async function draftKept(target: Target, own: MarkedInbox, account: string): Promise<Passed> {
  const plain = JSON.stringify(plainTextDraft({ ...own, subject: "mailproof" }));
  const draft = plain.replace('"subject":"mailproof"', () => `"subject":"${oddSubject}"`);
  const using = '["urn:ietf:params:jmap:core","urn:ietf:params:jmap:mail"]';
  const call = `["Email/set",{${account}"create":{"d1":${draft}}},"0"]`;
  const body = `{"using":${using},"methodCalls":[${call}]}`;
  const exchange = await jmapAs(target, await sharedAccessToken(target), own.accountId, body);
  const id = createdId(exchange, "0", "d1");
  if (id === undefined) throw controlRefused("creating a draft", "200 with created", exchange, "JMAP-07");
  const read = await asOwn(target, own, [subjectOf([id])]);
  const list = responseTo(read, "1")?.args["list"];
  const kept: unknown = Array.isArray(list) ? list[0] : undefined;
  const sent: unknown = JSON.parse(`"${oddSubject}"`);
  return { exchange, sent, received: isJsonObject(kept) ? kept["subject"] : undefined };
}

const unchanged = [
  { slug: "without-account-id", words: "without an `accountId`", account: () => "" },
  {
    slug: "with-account-id",
    words: "with an `accountId`",
    account: (jmapAccountId: string) => `"accountId":${JSON.stringify(jmapAccountId)},`,
  },
].map(({ slug, words, account }) =>
  check({
    id: `HDR-18/${slug}`,
    claim: `Unusual arguments ${words} come back from \`Core/echo\` as they were sent, or from a draft where that is unknown.`,
    needs: ["human"],
    async act(target): Promise<Passed> {
      const own = await markedInbox(target, "own");
      const sent = `{${account(own.jmapAccountId)}${oddArguments}}`;
      const body = `{"using":["urn:ietf:params:jmap:core"],"methodCalls":[["Core/echo",${sent},"0"]]}`;
      const exchange = await jmapAs(target, await sharedAccessToken(target), own.accountId, body);
      requireServed(exchange, "Core/echo");
      const echoed = responseTo(exchange, "0");
      if (echoed?.name !== "Core/echo") return draftKept(target, own, account(own.jmapAccountId));
      return { exchange, sent: JSON.parse(sent) as unknown, received: echoed.args };
    },
    assert({ exchange, sent, received }) {
      expectThat(canonical(received) === canonical(sent), canonical(sent), canonical(received), exchange);
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

function directly(victim: Victim): Check[] {
  const base = `${victim.requirement}/get`;
  return [
    ...direct.map((attempt) => {
      const id = `${victim.requirement}/${attempt.slug}`;
      return reading(id, victim, { ...attempt, explainedBy: id === base ? victim.explainedBy : base });
    }),
    writing(victim),
  ];
}

export const otherAccountChecks: readonly Check[] = [
  ...directly(secondOwned),
  ...directly(foreign),
  ...indirect.map((attempt) => reading(`HDR-17/${attempt.slug}`, secondOwned, attempt)),
  ...unchanged,
];
