import {
  bearer,
  createdId,
  inboxQuery,
  jmapAs,
  jmapBody,
  type MethodCall,
  requireServed,
  responseTo,
} from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { agentAddress } from "../support/material/agent-sender.ts";
import { sharedAgent, type WhichAgent } from "../support/material/agents.ts";
import { blobAddresses, downloadMessage } from "../support/material/blob-addresses.ts";
import { blobUses } from "../support/material/foreign-blobs.ts";
import { shownById } from "../support/material/foreign-objects.ts";
import { queriedElsewhere } from "../support/material/foreign-queries.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { readings } from "../support/material/reading-methods.ts";
import { writtenByIds } from "../support/material/writing-by-ids.ts";
import type { Writable } from "../support/material/writing-methods.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, showsText } from "../support/wire/exchange.ts";
import {
  askMailbox,
  draft,
  draftMailboxId,
  draftPlace,
  mailboxOf,
  type Marker,
  postMailbox,
} from "./mailbox.ts";
import { expectUnseen, humansInbox, otherAgentsInbox, readingCalls } from "./other-inboxes.ts";

/** What names objects of an inbox, without its account. */
interface ForeignIds {
  readonly marker: Marker;
  /** Of the mailbox that the marker is in. */
  readonly mailboxId: string;
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
    other: (target: Target): Promise<ForeignIds> => humansInbox(target),
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
      const calls: readonly MethodCall[] = [
        ["Email/get", { ids: [marker.emailId], properties }, "one"],
        ["Email/query", { filter: { inMailbox: mailboxId }, limit: 50 }, "found"],
        ["Email/get", { "#ids": found, properties }, "those"],
      ];
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
    // Where ids are counted for each account, another check could put a message of the same id into an inbox that it shares.
    const [owner, own] = [await mailboxOf(target.setup, "second"), await mailboxOf(target, "silent")];
    const subject = unguessable();
    const place = await draftPlace(target.setup, "second");
    const made = await askMailbox(target.setup, owner, [["Email/set", draft(place, subject), "0"]]);
    const emailId = createdId(made, "0", "draft");
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
    const { inbox } = await sharedAgent(target.setup, "silent");
    const address = await agentAddress(target.setup, { capability: own.capability, inbox });
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

/** The inboxes of both agents; only what the first one asks is judged. */
export async function both(target: Target): Promise<readonly [Writable, Writable]> {
  return Promise.all([inboxAsking(target, "first"), inboxAsking(target.setup, "second")]);
}

/** The account of an agent's inbox, and how drafts are put into it. */
export async function writablePlace(target: Target, which: WhichAgent): Promise<Omit<Writable, "ask">> {
  const { accountId: account, mailboxId, addresses } = await draftPlace(target, which);
  return { account, mailboxId, addresses };
}

async function inboxAsking(target: Target, which: "first" | "second"): Promise<Writable> {
  const mailbox = await mailboxOf(target.setup, which);
  return {
    ask: (body: string) => postMailbox(target, mailbox, body),
    ...(await writablePlace(target.setup, which)),
  };
}

const everyId = check({
  id: "POW-64/every-id",
  claim:
    "With a capability, no method shows a mailbox, thread, submission or message of another agent's inbox by its id.",
  async act(target) {
    const [own, other] = await both(target);
    return shownById(own.ask, await readings(other.ask, other, { accountId: other.account }));
  },
  assert(found) {
    for (const { method, exchange, isForeign } of found)
      explained(method === "Email/get" ? "POW-64/other-ids" : "POW-64/read", () =>
        expectThat(!isForeign, `nothing of the other inbox from ${method}`, "an object of it", exchange),
      );
  },
});

const everyQuery = check({
  id: "POW-64/every-query",
  claim:
    "With a capability, `Email/query` finds a message of another agent's inbox by no filter that the message meets.",
  async act(target) {
    const [own, other] = await both(target);
    return queriedElsewhere(own, other);
  },
  assert(queried) {
    for (const { filter, exchange, isForeign } of queried)
      explained("POW-64/other-ids", () =>
        expectThat(!isForeign, "no message of the other inbox", `one by ${shown(filter)}`, exchange),
      );
  },
});

const blobs = check({
  id: "POW-64/blobs",
  claim:
    "With a capability, a message of another agent's inbox is neither parsed, imported, attached, copied nor read by the id of its blob.",
  async act(target) {
    const [own, other] = await both(target);
    return blobUses(own, other, async (blobId) => {
      const { capability, accountId } = await mailboxOf(target.setup);
      const { download } = await blobAddresses(target.setup, capability);
      if (download === undefined) return undefined;
      return downloadMessage(target, download, { accountId, blobId }, [bearer(capability)]);
    });
  },
  assert({ exchanges, marker: subject }) {
    for (const exchange of exchanges)
      explained("POW-64/read", () => expectUnseen(exchange, { subject, emailId: "" }));
  },
});

const everyWrite = check({
  id: "POW-64/every-write-by-id",
  claim:
    "With a capability, no method that writes changes, destroys or sends anything of another agent's inbox whose ids it is called with, in `createdIds` or elsewhere.",
  async act(target) {
    const [own, other] = await both(target);
    return writtenByIds(own, other);
  },
  assert(written) {
    for (const { method, exchange, trace } of written)
      explained("POW-64/other-ids-written", () =>
        expectThat(trace === undefined, `nothing of ${method} in the other inbox`, trace ?? "", exchange),
      );
  },
});

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

/** Ids of objects in other inboxes open nothing. Document, "Authentication", proof-of-work path 5. */
export const otherIdChecks = [...idReads, everyId, everyQuery, blobs, idWrites, everyWrite, forPeople];
