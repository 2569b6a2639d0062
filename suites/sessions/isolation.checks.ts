import { setTimeout as delay } from "node:timers/promises";
import { capabilityRequest, requireBearer } from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, showsText } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { forEachConcurrently } from "../support/judging/for-each-concurrently.ts";
import { agentAddress } from "../support/material/agent-address.ts";
import { freshCapability, sharedSession, type WhichAgent } from "../support/material/agents.ts";
import { readings, type Tried, triedElsewhere } from "../support/material/reading-methods.ts";
import { type Writable, writtenElsewhere } from "../support/material/writing-methods.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import {
  inboxQuery,
  jmapAs,
  jmapBody,
  type MethodCall,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import {
  askMailbox,
  createdId,
  draft,
  draftMailboxId,
  mailboxOf,
  type Marker,
  postMailbox,
} from "./mailbox.ts";
import {
  expectUnseen,
  humansInbox,
  newestCalls,
  otherAgentsInbox,
  readingCalls,
  requireSeen,
} from "./other-inboxes.ts";

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

const forPeople = check({
  id: "HDR-17/agents-inbox",
  claim:
    "Under the header of an owned inbox, neither the `accountId` of an agent's inbox nor the id of a message in it shows it.",
  needs: ["human"],
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    const token = await sharedAccessToken(target);
    const own = await inboxOf(target);
    requireServed(await jmapAs(target.control, token, own, inboxQuery), "a query of the own inbox");
    const ask = (calls: readonly MethodCall[]): Promise<Exchange> =>
      jmapAs(target, token, own, jmapBody(calls));
    return {
      marker,
      exchanges: [
        await ask(readingCalls(accountId, marker.emailId)),
        await ask([["Email/get", { ids: [marker.emailId], properties: ["id", "subject"] }, "one"]]),
      ],
    };
  },
  assert({ exchanges, marker }) {
    // Where any account is served, that check says so.
    for (const exchange of exchanges) explained("HDR-16/get", () => expectUnseen(exchange, marker));
  },
});

const agents = ["first", "second"] as const;

const callsAtOnce = 4;

const everyMethod = check({
  id: "POW-64/every-method",
  claim:
    "With a capability, no method that reads shows anything of another agent's inbox whose `accountId` it names.",
  async act(target) {
    const [own, others] = await Promise.all(agents.map((which) => mailboxOf(target.setup, which)));
    if (own === undefined || others === undefined) return [];
    const other = { accountId: others.accountId };
    const shown = await target.control.once("sessions:readings:second", async (recording) => {
      const mailboxId = await draftMailboxId(recording, "second");
      return readings((body) => postMailbox(recording, others, body), mailboxId, other);
    });
    const tried: Tried[] = [];
    await forEachConcurrently(shown, callsAtOnce, async (reading) => {
      const ask = (body: string) => postMailbox(target, own, body);
      tried.push(await triedElsewhere(ask, reading, { other, own: { accountId: own.accountId } }));
    });
    return tried;
  },
  assert(tried) {
    for (const { method, exchange, leaked } of tried)
      // Where any accountId is served, that check says so.
      explained("POW-64/read", () =>
        expectThat(
          leaked === undefined,
          `nothing of the other inbox from ${method}`,
          `its ${leaked}`,
          exchange,
        ),
      );
  },
});

const everyWrite = check({
  id: "POW-64/every-write",
  claim:
    "With a capability, no method that writes changes or sends anything of another agent's inbox whose `accountId` it names.",
  async act(target) {
    const [own, other] = await Promise.all(agents.map((which) => writableOf(target, which)));
    return own === undefined || other === undefined ? [] : writtenElsewhere(own, other);
  },
  assert(written) {
    for (const { method, exchange, trace } of written)
      // Where any accountId is served, those checks say so.
      explained(writesJudgedBy[method] ?? "POW-64/create", () =>
        expectThat(trace === undefined, `nothing of ${method} in the other inbox`, trace ?? "", exchange),
      );
  },
});

const writesJudgedBy: Readonly<Record<string, string>> = {
  "Email/set": "POW-64/update",
  "EmailSubmission/set": "HDR-15/submission",
};

async function writableOf(target: Target, which: WhichAgent): Promise<Writable> {
  const mailbox = await mailboxOf(target.setup, which);
  const asking = which === "first" ? target : target.setup;
  return {
    ask: (body) => postMailbox(asking, mailbox, body),
    account: mailbox.accountId,
    mailboxId: await draftMailboxId(target.setup, which),
  };
}

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
  const mailboxId = await draftMailboxId(target, "second");
  const created = await askMailbox(target.setup, owner, [
    ["Email/set", draft(accountId, mailboxId, subject), "0"],
  ]);
  const latest = { subject, emailId: createdId(created, "0") ?? "" };
  for (let polls = 1; ; polls += 1) {
    const exchange = await askMailbox(target, owner, newestCalls(accountId));
    if (showsText(exchange, subject) || polls === mostPolls) {
      requireSeen(exchange, latest);
      return exchange;
    }
    await delay(pollMs);
  }
}

/** What names objects of an inbox, without its account. */
interface ForeignIds {
  readonly marker: Marker;
  /** Of the mailbox that the marker is in; undefined where it is not known. */
  readonly mailboxId: string | undefined;
}

const idReads = [
  {
    id: "POW-64/other-ids",
    whose: "another agent's inbox",
    needs: [] as const,
    async other(target: Target): Promise<ForeignIds> {
      const { marker } = await otherAgentsInbox(target);
      return { marker, mailboxId: await draftMailboxId(target, "second") };
    },
  },
  {
    id: "POW-65/other-ids",
    whose: "a human's inbox",
    needs: ["human"] as const,
    other: async (target: Target): Promise<ForeignIds> => ({
      marker: (await humansInbox(target)).marker,
      mailboxId: undefined,
    }),
  },
].map(({ id, whose, needs, other }) =>
  check({
    id,
    claim: `With a capability, the ids of a message and of a mailbox of ${whose} show nothing of it, without an \`accountId\` in the calls.`,
    needs,
    async act(target) {
      const { marker, mailboxId } = await other(target);
      const found = { resultOf: "found", name: "Email/query", path: "/ids" };
      const properties = ["id", "subject"];
      const calls: MethodCall[] = [["Email/get", { ids: [marker.emailId], properties }, "one"]];
      if (mailboxId !== undefined)
        calls.push(
          ["Email/query", { filter: { inMailbox: mailboxId }, limit: 50 }, "found"],
          ["Email/get", { "#ids": found, properties }, "those"],
        );
      return { marker, exchange: await askMailbox(target, await mailboxOf(target), calls) };
    },
    assert({ exchange, marker }) {
      explained("POW-64/read", () => expectUnseen(exchange, marker));
      // Where the agent has a message of that id itself, the query may have found that one.
      const found = responseTo(exchange, "found")?.args["ids"];
      const isFound = Array.isArray(found) && found.includes(marker.emailId);
      const isForeign = isFound && !listedIn(exchange, "one");
      expectThat(!isForeign, "no message of the other inbox", "the id of one", exchange);
    },
  }),
);

const idWrites = check({
  id: "POW-64/other-ids-written",
  claim:
    "With a capability, the id of another agent's message neither changes, destroys nor sends it, without an `accountId` in the calls.",
  async act(target) {
    const [owner, own] = [await mailboxOf(target.setup, "second"), await mailboxOf(target)];
    const subject = unguessable();
    const mailboxId = await draftMailboxId(target.setup, "second");
    const made = await askMailbox(target.setup, owner, [
      ["Email/set", draft(owner.accountId, mailboxId, subject), "0"],
    ]);
    const emailId = createdId(made, "0");
    if (emailId === undefined)
      throw controlRefused("creating a draft", "its id in created", made, "POW-61/email-set");
    const keyword = `mailproof-${unguessable().toLowerCase()}`;
    const properties = ["id", "subject", "keywords"];
    const seen = await askMailbox(target.setup, own, [["Email/get", { ids: [emailId], properties }, "0"]]);
    // Accounts may count their messages alike: what is the agent's own may be changed.
    const isOwn = listedIn(seen, "0") && !showsText(seen, subject);
    if (isOwn)
      throw new InconclusiveError(
        "precondition-missing",
        "needs a message whose id no message of the agent's own inbox has",
        { exchange: seen },
      );
    const address = await agentAddress(target.setup, own.capability);
    const self = { email: address ?? "nobody@mail.test" };
    const submission = { emailId, envelope: { mailFrom: self, rcptTo: [self] } };
    const attempts = [
      await askMailbox(target, own, [
        ["Email/set", { update: { [emailId]: { [`keywords/${keyword}`]: true } } }, "0"],
      ]),
      await askMailbox(target, own, [["EmailSubmission/set", { create: { s1: submission } }, "0"]]),
      await askMailbox(target, own, [["Email/set", { destroy: [emailId] }, "0"]]),
    ];
    const read: MethodCall = ["Email/get", { accountId: owner.accountId, ids: [emailId], properties }, "0"];
    return { attempts, afterwards: await askMailbox(target, owner, [read]), subject, keyword };
  },
  assert({ attempts: [, submitted], afterwards, subject, keyword }) {
    explained("POW-64/update", () => {
      expectThat(showsText(afterwards, subject), "the message", "none", afterwards);
      expectThat(!showsText(afterwards, keyword), "the message unchanged", "a new keyword", afterwards);
    });
    if (submitted === undefined) return;
    const created = responseTo(submitted, "0")?.args["created"];
    const isSent = isJsonObject(created) && "s1" in created;
    expectThat(!isSent, "no submission", "one of the other agent's message", submitted);
  },
});

function listedIn(exchange: Exchange, callId: string): boolean {
  const list = responseTo(exchange, callId)?.args["list"];
  return Array.isArray(list) && list.length > 0;
}

const foreignCreate = check({
  id: "POW-64/create",
  claim: "An `Email/set` that names another agent's account creates nothing in that agent's inbox.",
  async act(target) {
    const { accountId } = await otherAgentsInbox(target);
    const mailboxId = await draftMailboxId(target, "second");
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
      !showsText(afterwards, keyword),
      "the mail unchanged",
      "a keyword set by another agent",
      afterwards,
    );
  },
});

const mintsOfEach = 2;

/**
 * The accountId of each agent's own inbox, of capabilities minted well apart from each other.
 *
 * @throws {InconclusiveError} precondition-missing, when they are the same: nothing then tells whose inbox is open
 */
async function ownAccounts(target: Target): Promise<readonly string[]> {
  const shared = await Promise.all(
    agents.map(async (which) => (await mailboxOf(target.control, which)).accountId),
  );
  if (new Set(shared).size === agents.length) return shared;
  const apart: string[] = [];
  for (const which of agents) {
    await target.pause(apartMs);
    const { accountId } = await mailSession(target.control, await freshCapability(target.control, which));
    apart.push(accountId);
  }
  if (new Set(apart).size === agents.length) return apart;
  throw new InconclusiveError(
    "precondition-missing",
    "the inboxes of two agents have the same accountId, so that nothing tells which one a capability opens",
  );
}

// Longer than a second, by which a target may keep what it has minted.
const apartMs = 1100;

const simultaneousMints = check({
  id: "POW-64/simultaneous-mints",
  claim: "Capabilities that two agents mint at the same moment each open the inbox of their own agent.",
  async act(target) {
    const expected = await ownAccounts(target);
    const sessions = await Promise.all(agents.map((which) => sharedSession(target, which)));
    const owners = Array.from({ length: 2 * mintsOfEach }, (_, at) => at % 2);
    const requests = owners.map((owner) => capabilityRequest(target, sessions[owner] ?? ""));
    // What the first requests have left behind is found by the second ones.
    const minted = [await sendInParallel(target, requests), await sendInParallel(target, requests)].flat();
    const opened: { exchange: Exchange; expected: string | undefined; found: string }[] = [];
    for (const [at, exchange] of minted.entries()) {
      const capability = requireBearer(exchange, "minting a capability", "POW-48");
      const { accountId: found } = await mailSession(target.setup, capability);
      opened.push({ exchange, expected: expected[owners[at % owners.length] ?? 0], found });
    }
    return opened;
  },
  assert(opened) {
    for (const { exchange, expected, found } of opened)
      expectThat(
        found === expected,
        "a capability for the agent's own inbox",
        "one for another inbox",
        exchange,
      );
  },
});

export const isolationChecks = [
  ...foreignReads,
  ...idReads,
  idWrites,
  forPeople,
  everyMethod,
  everyWrite,
  foreignCreate,
  foreignUpdate,
  simultaneousMints,
];
