import { arrivalMs } from "../support/actors/arrivals.ts";
import { agentReader, deliveryMailboxes } from "../support/actors/delivered-mails.ts";
import { createdId, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { provingDelivery } from "../support/material/delivery.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { askMailbox, draft, draftPlace, type Mailbox, mailboxOf, type Marker } from "./mailbox.ts";
import { requireAllowed, senderOf, sendFromAgent } from "./sending.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** An agent's mailbox with the drafts of a run, oldest first. */
interface Drafts {
  readonly mailbox: Mailbox;
  readonly mailboxId: string;
  readonly drafts: readonly [Marker, Marker];
}

const pollMs = 250;
const pollsAtMost = 20;
// A UTCDate may be a whole second (RFC 8620 §1.4).
const betweenMomentsMs = 1100;

/** Made once a run. @throws {InconclusiveError} control-refused, when one is not created */
function twoDrafts(target: Target): Promise<Drafts> {
  return target.setup.once("sessions:two-drafts", async (recording) => {
    const mailbox = await mailboxOf(recording);
    const older = await newDraft(recording, mailbox);
    await recording.pause(betweenMomentsMs);
    const newer = await newDraft(recording, mailbox);
    const { mailboxId } = await draftPlace(recording, "first");
    // An index may lag behind what is created.
    for (let poll = 0; poll < pollsAtMost; poll += 1) {
      const found = idsIn(await query(recording, mailbox, { filter: { inMailbox: mailboxId }, limit: 50 }));
      if ([older, newer].every(({ emailId }) => found.includes(emailId))) break;
      await recording.pause(pollMs);
    }
    return { mailbox, mailboxId, drafts: [older, newer] };
  });
}

async function newDraft(target: Target, mailbox: Mailbox): Promise<Marker> {
  const subject = newSubject();
  const call: MethodCall = ["Email/set", draft(await draftPlace(target, "first"), subject), "0"];
  const exchange = await askMailbox(target, mailbox, [call]);
  const emailId = createdId(exchange, "0", "draft");
  if (emailId !== undefined) return { subject, emailId };
  throw controlRefused("creating a draft", "its id in created", exchange, "POW-61/email-set");
}

/** The mailbox with a fresh capability: that of the drafts may have expired. */
async function query(target: Target, { accountId }: Mailbox, args: JsonObject): Promise<Exchange> {
  return askMailbox(target, await mailboxOf(target), [["Email/query", { accountId, ...args }, "0"]]);
}

function idsIn(exchange: Exchange, callId = "0"): readonly unknown[] {
  const { ids } = responseTo(exchange, callId)?.args ?? {};
  return Array.isArray(ids) ? ids : [];
}

function receivedAtIn(exchange: Exchange): ReadonlySet<unknown> {
  const { list } = responseTo(exchange, "0")?.args ?? {};
  const messages: unknown[] = Array.isArray(list) ? list : [];
  return new Set(messages.filter(isJsonObject).map(({ receivedAt }) => receivedAt));
}

/** @throws {InconclusiveError} control-refused, when the query is refused: POW-61/email-query judges that */
function requireIds(exchange: Exchange): readonly unknown[] {
  if (responseTo(exchange, "0")?.name === "Email/query") return idsIn(exchange);
  throw controlRefused("querying messages", "200 with Email/query", exchange, "POW-61/email-query");
}

const role = check({
  id: "POW-61/mailbox-role",
  claim: "`Mailbox/query` with the role inbox finds one mailbox for a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const { accountId } = mailbox;
    return askMailbox(target, mailbox, [["Mailbox/query", { accountId, filter: { role: "inbox" } }, "0"]]);
  },
  assert(exchange) {
    if (responseTo(exchange, "0")?.name !== "Mailbox/query")
      throw controlRefused("querying mailboxes", "200 with Mailbox/query", exchange, "POW-66");
    const found = idsIn(exchange).length;
    // RFC 8621 §2: no two mailboxes of an account have the same role.
    explained("JMAP-04", () => expectThat(found === 1, "one id", `${found} ids`, exchange));
  },
});

const limit = check({
  id: "POW-61/limit",
  claim: "`Email/query` with `limit` 1 finds one of two messages for a capability.",
  async act(target) {
    const { mailbox, mailboxId } = await twoDrafts(target);
    return query(target, mailbox, { filter: { inMailbox: mailboxId }, limit: 1 });
  },
  assert(exchange) {
    const found = requireIds(exchange).length;
    explained("JMAP-05/limit", () => expectThat(found === 1, "one id", `${found} ids`, exchange));
  },
});

const order = check({
  id: "POW-61/sort",
  claim:
    "`Email/query` sorted by `receivedAt` finds the older of two messages first, or last, for a capability.",
  async act(target) {
    const { mailbox, mailboxId, drafts } = await twoDrafts(target);
    const { accountId } = mailbox;
    const filter = { inMailbox: mailboxId };
    const sorted = async (isAscending: boolean): Promise<Exchange> =>
      query(target, mailbox, { filter, sort: [{ property: "receivedAt", isAscending }], limit: 50 });
    const ids = drafts.map(({ emailId }) => emailId);
    const read: MethodCall = ["Email/get", { accountId, ids, properties: ["receivedAt"] }, "0"];
    const times = receivedAtIn(await askMailbox(target.setup, mailbox, [read]));
    if (times.size < 2) throw new NotApplicableError("both drafts were received at the same moment");
    return { drafts, rising: await sorted(true), falling: await sorted(false) };
  },
  assert({ drafts, rising, falling }) {
    const [older, newer] = drafts.map(({ emailId }) => emailId);
    const orderIn = (exchange: Exchange): readonly unknown[] =>
      requireIds(exchange).filter((id) => id === older || id === newer);
    for (const [exchange, expected] of [
      [rising, [older, newer]],
      [falling, [newer, older]],
    ] as const) {
      const found = orderIn(exchange);
      // What others have put there may fill the page.
      if (found.length === 2)
        explained("JMAP-05/sort", () =>
          expectThat(shown(found) === shown(expected), shown(expected), shown(found), exchange),
        );
    }
  },
});

const message = check({
  id: "POW-61/messages",
  claim: "`Email/get` of two messages shows each with its own `id` and `subject` for a capability.",
  async act(target) {
    const { mailbox, drafts } = await twoDrafts(target);
    const { accountId } = mailbox;
    const ids = drafts.map(({ emailId }) => emailId);
    const call: MethodCall = ["Email/get", { accountId, ids, properties: ["id", "subject"] }, "0"];
    return { drafts, exchange: await askMailbox(target, await mailboxOf(target), [call]) };
  },
  assert({ drafts, exchange }) {
    const { name, args } = responseTo(exchange, "0") ?? {};
    if (name !== "Email/get")
      throw controlRefused("reading messages", "200 with Email/get", exchange, "POW-61/email-get");
    const list: unknown[] = Array.isArray(args?.["list"]) ? args["list"] : [];
    for (const { emailId, subject } of drafts) {
      const found = list.filter(isJsonObject).filter(({ id }) => id === emailId);
      const observed = shown(found.map((email) => email["subject"]));
      explained("JMAP-06", () =>
        expectThat(observed === shown([subject]), shown([subject]), observed, exchange),
      );
    }
  },
});

const inMailbox = check({
  id: "POW-61/in-mailbox",
  claim:
    "`Email/query` in the mailbox where mail arrives finds no message that is in another for a capability.",
  async act(target) {
    const { mailbox, mailboxId, drafts } = await twoDrafts(target);
    const reader = agentReader(mailbox.capability, mailbox);
    const [arriving = mailboxId] = await deliveryMailboxes(target, reader);
    if (arriving === mailboxId) throw new NotApplicableError("drafts are where mail arrives");
    const subject = newSubject();
    const { email: to } = await senderOf(target.setup);
    const sent = await sendFromAgent(target.setup, { to, subject });
    requireAllowed(sent);
    // It shows that the mailbox is not simply empty.
    const tookMs = await provingDelivery(target, (withinMs) => arrivalMs(target, reader, subject, withinMs));
    if (tookMs === undefined)
      throw new InconclusiveError("precondition-missing", "needs a message that arrives", {
        exchange: sent.exchange,
        explainedBy: "POW-63/to-self",
      });
    return { drafts, exchange: await query(target, mailbox, { filter: { inMailbox: arriving }, limit: 50 }) };
  },
  assert({ drafts, exchange }) {
    const found = requireIds(exchange);
    const foreign = drafts.find(({ emailId }) => found.includes(emailId));
    explained("JMAP-05/in-mailbox", () =>
      expectThat(foreign === undefined, "none of the drafts", shown(foreign?.emailId), exchange),
    );
  },
});

/** What JMAP promises to an access token it promises to a capability too. Document, "Endpoints", JMAP API. */
export const mailQueryChecks = [role, limit, order, message, inMailbox];
