import { type Exchange, isJsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { explained } from "../support/judging/explained.ts";
import { createdId, jmapAs, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { strings } from "./own-inbox.ts";
import {
  arrivalMs,
  arrivedMails,
  arrivedNowhere,
  letterTo,
  patienceMs,
  provenParties,
  type Recipient,
  requireSent,
} from "./parties.ts";
import { sendFrom } from "./sending.ts";

/** A message in one of the inboxes that it is in. */
interface Copy extends Pick<Recipient, "human" | "accountId"> {
  readonly id: string;
}

/** A message that one person sent to another, as each of them has it. */
interface Sent {
  readonly senders: Copy;
  readonly recipients: Copy;
}

async function ask(target: Target, { human, accountId }: Copy, call: MethodCall): Promise<Exchange> {
  return jmapAs(target, await sharedAccessToken(target, { human }), accountId, jmapBody([call]));
}

/** The id of the copy is in the list of this answer, or among those that it did not find. */
function isListed(exchange: Exchange, { id }: Copy, member: "list" | "notFound"): boolean {
  const { list, notFound } = responseTo(exchange, "0")?.args ?? {};
  return member === "list"
    ? jsonObjectsIn(list).some((email) => email["id"] === id)
    : strings(notFound).includes(id);
}

function read(target: Target, copy: Copy, properties: readonly string[]): Promise<Exchange> {
  const args = { ids: [copy.id], properties, fetchTextBodyValues: true };
  return ask(target, copy, ["Email/get", args, "0"]);
}

/** @throws {NotApplicableError} when the sender keeps none */
async function newMessage(target: Target, text?: string): Promise<Sent> {
  const parties = await provenParties(target);
  const { senderId, foreign } = parties;
  const sending = { ...letterTo(foreign), ...(text !== undefined && { text }) };
  const letter = requireSent(await sendFrom(target.setup, senderId, sending));
  const { exchange, subject } = letter;
  const id = createdId(exchange, "create", "d1");
  if (id === undefined) throw controlRefused("creating a draft", "its id in created", exchange, "JMAP-07");
  const took = await arrivalMs(target, foreign, subject, patienceMs(parties));
  const [arrived] = took === undefined ? [] : await arrivedMails(target, foreign, subject);
  if (typeof arrived?.["id"] !== "string") throw arrivedNowhere(exchange);
  const senders: Copy = { human: "first", accountId: senderId, id };
  if (!isListed(await read(target.setup, senders, ["id"]), senders, "list"))
    throw new NotApplicableError("the sender keeps no copy of what it sent");
  return { senders, recipients: { ...foreign, id: arrived["id"] } };
}

interface Case {
  readonly slug: string;
  /** Reads before "destroys its copy". */
  readonly who: string;
  readonly whose: string;
  readonly destroyed: (sent: Sent) => Copy;
  readonly kept: (sent: Sent) => Copy;
}

const cases: readonly Case[] = [
  {
    slug: "recipients-copy",
    who: "sender",
    whose: "recipient",
    destroyed: ({ senders }) => senders,
    kept: ({ recipients }) => recipients,
  },
  {
    slug: "senders-copy",
    who: "recipient",
    whose: "sender",
    destroyed: ({ recipients }) => recipients,
    kept: ({ senders }) => senders,
  },
];

/** The copies of a message that went to two recipients. */
async function twoRecipients(target: Target): Promise<readonly [Copy, Copy]> {
  const parties = await provenParties(target);
  const { senderId, own, foreign } = parties;
  const to = [foreign.address, own.address];
  const { exchange, subject } = requireSent(await sendFrom(target.setup, senderId, { to, rcptTo: to }));
  const copyOf = async (recipient: Recipient): Promise<Copy> => {
    await arrivalMs(target, recipient, subject, patienceMs(parties));
    const [arrived] = await arrivedMails(target, recipient, subject);
    if (typeof arrived?.["id"] !== "string") throw arrivedNowhere(exchange);
    return { ...recipient, id: arrived["id"] };
  };
  return [await copyOf(foreign), await copyOf(own)];
}

/** @throws {NotApplicableError} when the target refuses to destroy: the document shows no destroy */
async function readAfterDestroying(
  target: Target,
  gone: Copy,
  other: Copy,
  properties: readonly string[] = ["id", "subject"],
): Promise<Exchange> {
  const destroying = await ask(target, gone, ["Email/set", { destroy: [gone.id] }, "0"]);
  if (!strings(responseTo(destroying, "0")?.args["destroyed"]).includes(gone.id))
    throw new NotApplicableError("the target destroys no message");
  return read(target, other, properties);
}

/** @throws {InconclusiveError} control-refused, when the answer says neither that the message is there nor that it is gone */
function requireRead(exchange: Exchange, copy: Copy): void {
  if (!isListed(exchange, copy, "list") && !isListed(exchange, copy, "notFound"))
    throw controlRefused("reading a message", "200 with list or notFound", exchange, "JMAP-06");
}

function expectKept(exchange: Exchange, other: Copy): void {
  requireRead(exchange, other);
  expectThat(isListed(exchange, other, "list"), "the other copy in list", "it in notFound", exchange);
}

const betweenTwo: readonly Check[] = cases.map(({ slug, who, whose, destroyed, kept }) =>
  check({
    id: `JMAP-08/${slug}`,
    claim: `The ${whose} of a message still has it after the ${who} has destroyed its own copy.`,
    needs: ["human", "second-human"],
    async act(target) {
      const sent = await newMessage(target);
      const [gone, other] = [destroyed(sent), kept(sent)];
      return { other, exchange: await readAfterDestroying(target, gone, other) };
    },
    assert: ({ other, exchange }) => expectKept(exchange, other),
  }),
);

const ofTwoRecipients = check({
  id: "JMAP-08/other-recipients-copy",
  claim: "A recipient of a message still has it after the other recipient has destroyed its own copy.",
  needs: ["human", "second-human"],
  async act(target) {
    const [gone, other] = await twoRecipients(target);
    return { other, exchange: await readAfterDestroying(target, gone, other) };
  },
  assert: ({ other, exchange }) => expectKept(exchange, other),
});

const textKept = check({
  id: "JMAP-08/recipients-text",
  claim: "The recipient of a message still reads its text after the sender has destroyed its own copy.",
  needs: ["human", "second-human"],
  async act(target) {
    const text = `kept${unguessable()}`;
    const { senders, recipients } = await newMessage(target, text);
    const properties = ["id", "textBody", "bodyValues"];
    if (!holds(await read(target.setup, recipients, properties), text))
      throw new NotApplicableError("the recipient does not read the text as it was sent");
    const exchange = await readAfterDestroying(target, senders, recipients, properties);
    return { text, recipients, exchange };
  },
  assert({ text, recipients, exchange }) {
    requireRead(exchange, recipients);
    explained("JMAP-08/recipients-copy", () =>
      expectThat(holds(exchange, text), "the text of the message", "it nowhere", exchange),
    );
  },
});

function holds({ response }: Exchange, text: string): boolean {
  return response.body.includes(text);
}

const ownKeywords = check({
  id: "JMAP-08/own-keywords",
  claim: "A keyword that the recipient sets on a message does not appear on the sender's copy.",
  needs: ["human", "second-human"],
  async act(target) {
    const { senders, recipients } = await newMessage(target);
    if (isFlagged(await read(target.control, senders, ["id", "keywords"])))
      throw new NotApplicableError("the sender's copy has the keyword from the start");
    const update = { [recipients.id]: { "keywords/$flagged": true } };
    await ask(target.setup, recipients, ["Email/set", { update }, "0"]);
    if (!isFlagged(await read(target.setup, recipients, ["id", "keywords"])))
      throw new NotApplicableError("the target gives a message no keyword");
    return { senders, exchange: await read(target, senders, ["id", "keywords"]) };
  },
  assert({ senders, exchange }) {
    requireRead(exchange, senders);
    expectThat(!isFlagged(exchange), "no $flagged", "the keyword of the recipient", exchange);
  },
});

function isFlagged(exchange: Exchange): boolean {
  return jsonObjectsIn(responseTo(exchange, "0")?.args["list"]).some(
    ({ keywords }) => isJsonObject(keywords) && keywords["$flagged"] === true,
  );
}

/** The inboxes of two people have nothing in common. Document, "What the service does", inbox selection. */
export const separateCopyChecks: readonly Check[] = [...betweenTwo, ofTwoRecipients, textKept, ownKeywords];
