import { capabilityRequest, requireBearer } from "../support/actors/agent.ts";
import { createdId, jmapAs, type MethodCall } from "../support/actors/jmap.ts";
import { newestMails } from "../support/actors/newest-mails.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { isTooLarge } from "../support/judging/too-large.ts";
import { forEachConcurrently } from "../support/judging/for-each-concurrently.ts";
import { sharedSession, type WhichAgent } from "../support/material/agents.ts";
import { draftAddresses } from "../support/material/draft-addresses.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { readings, type Tried, triedElsewhere } from "../support/material/reading-methods.ts";
import { type Writable, writtenElsewhere } from "../support/material/writing-methods.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, showsText } from "../support/wire/exchange.ts";
import { askMailbox, draft, draftPlace, mailboxOf, postMailbox } from "./mailbox.ts";
import { writablePlace } from "./other-ids.checks.ts";
import { expectUnseen, humansInbox, otherAgentsInbox, readingCalls, requireSeen } from "./other-inboxes.ts";
import { agents, ownAccounts } from "./own-accounts.ts";

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

// RFC 8620 §2: a server takes sixteen calls at once, if it can.
const callsBefore = 15;

const sixteenthCall = check({
  id: "POW-64/sixteenth-call",
  claim:
    "A capability shows nothing of another agent's inbox to the sixteenth call of a request that names that account.",
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    const mailbox = await mailboxOf(target);
    const before = Array.from({ length: callsBefore }, (_, at): MethodCall => [
      "Mailbox/query",
      {},
      `before-${at}`,
    ]);
    const reading: MethodCall = ["Email/get", { accountId, ids: [marker.emailId] }, "one"];
    const exchange = await askMailbox(target, mailbox, [...before, reading]);
    if (isTooLarge(exchange))
      throw new NotApplicableError("the target limits a request to fewer calls than this check needs");
    return { exchange, marker };
  },
  assert: ({ exchange, marker }) => explained("POW-64/read", () => expectUnseen(exchange, marker)),
});

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
      const place = await draftPlace(recording, "second");
      return readings((body) => postMailbox(recording, others, body), place, other);
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

const personsWrites = check({
  id: "POW-65/every-write",
  claim:
    "With a capability, no method that writes changes or sends anything of a human's inbox whose `accountId` it names.",
  needs: ["human"],
  act: async (target) => writtenElsewhere(await writableOf(target, "first"), await writableOfHuman(target)),
  assert(written) {
    for (const { method, exchange, trace } of written)
      explained(method === "Email/set" ? "POW-64/update" : "POW-64/every-write", () =>
        expectThat(trace === undefined, `nothing of ${method} in the human's inbox`, trace ?? "", exchange),
      );
  },
});

async function writableOfHuman(target: Target): Promise<Writable> {
  const { accountId: account, mailboxId } = await humansInbox(target);
  const [token, inbox] = [await sharedAccessToken(target), await inboxOf(target)];
  const addresses = await draftAddresses(target.setup, { accountId: inbox, human: "first", mailboxId });
  return { ask: (body) => jmapAs(target.setup, token, inbox, body), account, mailboxId, addresses };
}

const writesJudgedBy: Readonly<Record<string, string>> = {
  "Email/set": "POW-64/update",
  "EmailSubmission/set": "HDR-15/submission",
};

async function writableOf(target: Target, which: WhichAgent): Promise<Writable> {
  const mailbox = await mailboxOf(target.setup, which);
  const asking = which === "first" ? target : target.setup;
  return {
    ask: (body) => postMailbox(asking, mailbox, body),
    ...(await writablePlace(target.setup, which)),
  };
}

const pollMs = 250;
const mostPolls = 20;

/**
 * The newest mails of the second agent's inbox, once they show one that its owner has just created: a query may lag behind.
 *
 * @throws {InconclusiveError} control-refused, when they never show it
 */
async function newestPages(target: Target, accountId: string): Promise<readonly Exchange[]> {
  const owner = await mailboxOf(target, "second");
  const subject = unguessable();
  const place = await draftPlace(target, "second");
  const created = await askMailbox(target, owner, [["Email/set", draft(place, subject), "0"]]);
  const latest = { subject, emailId: createdId(created, "0", "draft") ?? "" };
  for (let polls = 1; ; polls += 1) {
    const { exchange, pages } = await newestMails((calls) => askMailbox(target, owner, calls), { accountId });
    const showing = pages.find((page) => showsText(page, subject));
    if (showing !== undefined || polls === mostPolls) {
      requireSeen(showing ?? exchange, latest);
      return pages;
    }
    await target.pause(pollMs);
  }
}

const foreignCreate = check({
  id: "POW-64/create",
  claim: "An `Email/set` that names another agent's account creates nothing in that agent's inbox.",
  async act(target) {
    const { accountId } = await otherAgentsInbox(target);
    const place = await draftPlace(target, "second");
    const subject = unguessable();
    const attempt = await askMailbox(target, await mailboxOf(target), [
      ["Email/set", draft({ ...place, accountId }, subject), "0"],
    ]);
    return { attempt, afterwards: await newestPages(target, accountId), subject };
  },
  assert({ afterwards, subject }) {
    for (const page of afterwards) expectUnseen(page, { subject, emailId: "" });
  },
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
  sixteenthCall,
  everyMethod,
  everyWrite,
  personsWrites,
  foreignCreate,
  foreignUpdate,
  simultaneousMints,
];
