import { setTimeout as delay } from "node:timers/promises";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  inboxQuery,
  jmapAs,
  jmapBody,
  type MethodCall,
  methodResponses,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";
import {
  askMailbox,
  createdId,
  draft,
  firstId,
  inboxMailboxId,
  type Mailbox,
  mailboxOf,
  type Marker,
  markerOf,
} from "./mailbox.ts";

const properties = ["id", "subject"];

/** Method calls that show the newest mails of an account; they name none when it is undefined. */
function newestCalls(accountId: string | undefined): readonly MethodCall[] {
  const account = accountId === undefined ? {} : { accountId };
  return [
    [
      "Email/query",
      { ...account, sort: [{ property: "receivedAt", isAscending: false }], limit: 100 },
      "newest",
    ],
    [
      "Email/get",
      {
        ...account,
        "#ids": { resultOf: "newest", name: "Email/query", path: "/ids" },
        properties,
      },
      "newest-mails",
    ],
  ];
}

/** Those and one mail by its id. */
function readingCalls(accountId: string | undefined, emailId: string): readonly MethodCall[] {
  const account = accountId === undefined ? {} : { accountId };
  return [...newestCalls(accountId), ["Email/get", { ...account, ids: [emailId], properties }, "one"]];
}

function expectUnseen(exchange: Exchange, marker: Marker): void {
  expectThat(
    !exchange.response.body.includes(marker.subject),
    "nothing of the other inbox",
    `a mail of the other inbox, ${summary(exchange)}`,
    exchange,
  );
}

/** @throws {InconclusiveError} control-refused, when not even its owner is shown the marker */
function requireSeen(exchange: Exchange, marker: Marker): void {
  requireServed(exchange, "reading one's own inbox");
  if (exchange.response.body.includes(marker.subject)) return;
  throw controlRefused(
    "the owner of an inbox reading a mail in it",
    "its subject",
    exchange,
    "POW-61/email-get",
  );
}

interface OtherInbox {
  readonly accountId: string;
  readonly marker: Marker;
}

/** The second agent's inbox, whose marker its owner sees. */
async function otherAgentsInbox(target: Target): Promise<OtherInbox> {
  const marker = await markerOf(target, "second");
  const owner = await mailboxOf(target, "second");
  const { accountId } = owner;
  requireSeen(await askMailbox(target.control, owner, readingCalls(accountId, marker.emailId)), marker);
  return { accountId, marker };
}

/** The first human's inbox, with a marker that its owner sees. */
function humansInbox(target: Target): Promise<OtherInbox> {
  return target.once("sessions:human-marker", async (recording) => {
    const token = await sharedAccessToken(recording);
    const inbox = await inboxOf(recording);
    const mailboxes = await jmapAs(recording.setup, token, inbox, inboxQuery);
    requireServed(mailboxes, "Mailbox/query of a human's inbox");
    const accountId = responseTo(mailboxes, "0")?.args["accountId"];
    const mailboxId = firstId(mailboxes, "0");
    if (typeof accountId !== "string" || mailboxId === undefined)
      throw controlRefused(
        "finding the mail account of a human's inbox",
        "accountId and a mailbox",
        mailboxes,
        "JMAP-01",
      );
    const subject = unguessable();
    const call: MethodCall = ["Email/set", draft(accountId, mailboxId, subject), "0"];
    const written = await jmapAs(recording.setup, token, inbox, jmapBody([call]));
    const emailId = createdId(written, "0");
    if (emailId === undefined)
      throw controlRefused("creating a draft in a human's inbox", "its id in created", written, "JMAP-01");
    const marker = { subject, emailId };
    const seen = await jmapAs(recording.control, token, inbox, jmapBody(readingCalls(accountId, emailId)));
    requireSeen(seen, marker);
    return { accountId, marker };
  });
}

const foreignReads = [
  {
    id: "POW-64/read",
    whose: "another agent's inbox",
    needs: [] as const,
    other: otherAgentsInbox,
  },
  {
    id: "POW-65/read",
    whose: "a human's inbox",
    needs: ["human"] as const,
    other: humansInbox,
  },
].map(({ id, whose, needs, other }) =>
  check({
    id,
    claim: `A capability shows nothing of ${whose} when its requests name that account.`,
    needs,
    async act(target) {
      const { accountId, marker } = await other(target);
      const mailbox = await mailboxOf(target);
      const exchange = await askMailbox(target, mailbox, readingCalls(accountId, marker.emailId));
      return { exchange, marker };
    },
    assert: ({ exchange, marker }) => expectUnseen(exchange, marker),
  }),
);

const pollMs = 250;
const mostPolls = 20;

/**
 * The newest mails of the second agent's inbox, once they show one that its owner has just created: a query may lag behind.
 *
 * @throws {InconclusiveError} control-refused, when they never show it
 */
async function newestMails(target: Target, accountId: string): Promise<Exchange> {
  const owner = await mailboxOf(target, "second");
  const subject = unguessable();
  const mailboxId = await inboxMailboxId(target, "second");
  const created = await askMailbox(target.setup, owner, [
    ["Email/set", draft(accountId, mailboxId, subject), "0"],
  ]);
  const latest = { subject, emailId: createdId(created, "0") ?? "" };
  for (let polls = 1; ; polls += 1) {
    const exchange = await askMailbox(target, owner, newestCalls(accountId));
    if (exchange.response.body.includes(subject) || polls === mostPolls) {
      requireSeen(exchange, latest);
      return exchange;
    }
    await delay(pollMs);
  }
}

const foreignCreate = check({
  id: "POW-64/create",
  claim: "An `Email/set` that names another agent's account creates nothing in that agent's inbox.",
  async act(target) {
    const { accountId } = await otherAgentsInbox(target);
    const mailboxId = await inboxMailboxId(target, "second");
    const subject = unguessable();
    const attempt = await askMailbox(target, await mailboxOf(target), [
      ["Email/set", draft(accountId, mailboxId, subject), "0"],
    ]);
    return { attempt, afterwards: await newestMails(target, accountId), subject };
  },
  assert: ({ afterwards, subject }) => expectUnseen(afterwards, { subject, emailId: "" }),
});

const foreignUpdate = check({
  id: "POW-64/update",
  claim: "An `Email/set` that names another agent's account changes no mail in that agent's inbox.",
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    // A keyword of our own, so that nothing else is lost should the target apply it to the agent's own inbox.
    const keyword = `mailproof-${unguessable().toLowerCase()}`;
    const attempt = await askMailbox(target, await mailboxOf(target), [
      ["Email/set", { accountId, update: { [marker.emailId]: { [`keywords/${keyword}`]: true } } }, "0"],
    ]);
    const owner = await mailboxOf(target, "second");
    const afterwards = await askMailbox(target, owner, [
      ["Email/get", { accountId, ids: [marker.emailId], properties: ["id", "subject", "keywords"] }, "0"],
    ]);
    requireSeen(afterwards, marker);
    return { attempt, afterwards, keyword };
  },
  assert({ afterwards, keyword }) {
    expectThat(
      !afterwards.response.body.includes(keyword),
      "the mail unchanged",
      "a keyword set by another agent",
      afterwards,
    );
  },
});

interface HeaderEvidence {
  readonly mailbox: Mailbox;
  /** With the agent's own accountId in the calls, and without any. */
  readonly exchanges: readonly Exchange[];
  /** Of the inbox that the header names, when it names one. */
  readonly marker: Marker | undefined;
}

async function askWithHeader(
  target: Target,
  value: string,
  marker: Marker | undefined,
): Promise<HeaderEvidence> {
  const own = await markerOf(target, "first");
  const mailbox = await mailboxOf(target);
  const { accountId } = mailbox;
  requireSeen(await askMailbox(target.control, mailbox, readingCalls(accountId, own.emailId)), own);
  const headers = [accountHeader(target, value)];
  const emailId = marker?.emailId ?? own.emailId;
  return {
    mailbox,
    marker,
    exchanges: [
      await askMailbox(target, mailbox, readingCalls(accountId, emailId), headers),
      await askMailbox(target, mailbox, readingCalls(undefined, emailId), headers),
    ],
  };
}

const headers = [
  {
    slug: "human-inbox",
    words: "the UUID of a human's inbox",
    needs: ["human"] as const,
    async ask(target: Target) {
      const { marker } = await humansInbox(target);
      return askWithHeader(target, await inboxOf(target), marker);
    },
  },
  {
    slug: "other-agent",
    words: "the account id of another agent",
    needs: [] as const,
    async ask(target: Target) {
      const { accountId, marker } = await otherAgentsInbox(target);
      return askWithHeader(target, accountId, marker);
    },
  },
  {
    slug: "garbage",
    words: "a text that is no UUID",
    needs: [] as const,
    ask: (target: Target) => askWithHeader(target, "not-a-uuid", undefined),
  },
].map(({ slug, words, needs, ask }) =>
  check({
    id: `POW-67/${slug}`,
    claim: `The account header with ${words} does not change the inbox that a capability reaches.`,
    needs,
    act: ask,
    assert({ mailbox, exchanges, marker }) {
      for (const exchange of exchanges) {
        if (marker !== undefined) expectUnseen(exchange, marker);
        expectOwnAccount(exchange, mailbox.accountId);
      }
      const [own] = exchanges;
      return own !== undefined && methodResponses(own) === undefined
        ? warning(`the header is refused on this path: ${summary(own)}`)
        : undefined;
    },
  }),
);

/** Method responses name no account but the agent's own; a 4xx names none. */
function expectOwnAccount(exchange: Exchange, accountId: string): void {
  const responses = methodResponses(exchange);
  if (responses === undefined) {
    if (!isRefusalStatus(exchange.response.status))
      throw new Violation("method responses or a 4xx", summary(exchange), { exchange });
    return;
  }
  const named = responses.map(([, args]) => (isJsonObject(args) ? args["accountId"] : undefined));
  const other = named.find((id) => id !== undefined && id !== accountId);
  expectThat(
    other === undefined,
    `responses of the account ${accountId}`,
    `one of ${String(other)}`,
    exchange,
  );
}

export const isolationChecks = [...foreignReads, foreignCreate, foreignUpdate, ...headers];
