import { controlRefused } from "../wire/control-refused.ts";
import { sharedAccessToken } from "./grants.ts";
import { addressByName } from "./inbox-address.ts";
import type { WhichHuman } from "../actors/human.ts";
import {
  bearer,
  getAgents,
  type InboxEntry,
  inboxEntries,
  inboxQuery,
  jmapAs,
  jmapBody,
  methodResponses,
  requireServed,
  urn,
} from "../actors/jmap.ts";
import { type Sender, senderAmong } from "../actors/identities.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { worksFully } from "./working-inbox.ts";

/**
 * Every inbox that the target lists for a human now, whatever its status: lists may grow during a run, since a consent
 * may create an inbox (C-87).
 *
 * @throws {InconclusiveError} control-refused, when the list cannot be had or is empty
 */
export async function listedInboxes(
  target: Target,
  human: WhichHuman = "first",
): Promise<readonly [InboxEntry, ...InboxEntry[]]> {
  const token = await sharedAccessToken(target, { human });
  const exchange = await getAgents(target.setup, [bearer(token)]);
  const [first, ...others] = inboxEntries(exchange);
  if (first !== undefined) return [first, ...others];
  throw controlRefused(
    `listing the inboxes of the ${human} human`,
    "200 with at least one",
    exchange,
    "AGENTS-01",
  );
}

// Enough for every check; a person may own hundreds.
const mostUsable = 4;

/**
 * Inboxes of a human that checks may use, at most four, the same ones for the whole run: active, and served at JMAP (C-86).
 * Where JMAP serves none of them they are those that are active, for the checks of JMAP to judge. Where a single one is
 * active, those of another status join it that do all that checks ask of an inbox.
 *
 * @throws {InconclusiveError} control-refused, when the list cannot be had or is empty
 */
export function inboxesOf(
  target: Target,
  human: WhichHuman = "first",
): Promise<readonly [InboxEntry, ...InboxEntry[]]> {
  return target.setup.once(`inboxes:${human}`, async (recording) => {
    const listed = await listedInboxes(recording, human);
    const [first, ...others] = listed.filter(isActive).slice(0, mostUsable);
    if (first === undefined) return listed;
    const token = await sharedAccessToken(recording, { human });
    if (others.length === 0) return [first, ...(await workingAmong(recording, token, listed, human))];
    const answers = await Promise.all(
      [first, ...others].map(async (entry) => ({
        entry,
        exchange: await jmapAs(recording, token, entry.accountId, inboxQuery),
      })),
    );
    const [served, ...more] = answers
      .filter(({ exchange }) => methodResponses(exchange) !== undefined)
      .map(({ entry }) => entry);
    return served === undefined ? [first, ...others] : [served, ...more];
  });
}

/** Inboxes that are not active and work as if they were. */
async function workingAmong(
  target: Target,
  token: string,
  listed: readonly InboxEntry[],
  human: WhichHuman,
): Promise<readonly InboxEntry[]> {
  const working: InboxEntry[] = [];
  for (const entry of listed.filter((one) => !isActive(one)).slice(0, mostUsable - 1)) {
    const sender = await senderIfServed(target, entry.accountId, human);
    if (sender !== undefined && (await worksFully(target, token, entry.accountId, sender)))
      working.push(entry);
  }
  return working;
}

/** Undefined where the inbox is not served, or nothing shows its address. */
async function senderIfServed(
  target: Target,
  accountId: string,
  human: WhichHuman,
): Promise<Sender | undefined> {
  try {
    return await senderOf(target, accountId, human);
  } catch (error) {
    const isNotServed = error instanceof InconclusiveError && error.code === "control-refused";
    if (isNotServed || error instanceof BlockedError) return undefined;
    throw error;
  }
}

/** What the list says of it. One of another status may or may not work (C-86). */
export function isActive({ status }: InboxEntry): boolean {
  return status === "active";
}

/** An inbox of a human that checks may use: `accountId` for the account header. */
export async function inboxOf(target: Target, human: WhichHuman = "first"): Promise<string> {
  return (await inboxesOf(target, human))[0].accountId;
}

/** The last inbox of a person that serves, for what must hold beyond the first. */
export async function lastInboxOf(target: Target, human: WhichHuman = "first"): Promise<string> {
  const inboxes = await inboxesOf(target, human);
  return (inboxes.at(-1) ?? inboxes[0]).accountId;
}

/**
 * An inbox of the second human, which the first does not own.
 *
 * @throws {InconclusiveError} precondition-missing, when the target lists it for both: then it is nobody's other inbox
 */
export async function foreignInbox(target: Target): Promise<string> {
  const accountId = await inboxOf(target, "second");
  const own = await listedInboxes(target, "first");
  if (!own.some((entry) => entry.accountId === accountId)) return accountId;
  throw new InconclusiveError(
    "precondition-missing",
    "needs an inbox of another person: the target lists the same one for both humans",
  );
}

/** @throws {BlockedError} when the first human owns a single inbox that can be used */
export async function twoInboxes(target: Target): Promise<readonly [string, string]> {
  const [first, second] = await inboxesOf(target);
  if (second === undefined)
    throw new BlockedError(
      "needs a human with two inboxes that read, keep drafts and send; let the first human of the profile own two",
    );
  return [first.accountId, second.accountId];
}

/** Whom to send as from an inbox. @throws {BlockedError} when nothing gives an address */
export function senderOf(target: Target, accountId: string, human: WhichHuman = "first"): Promise<Sender> {
  return target.setup.once(`sender:${accountId}`, async (recording) => {
    const token = await sharedAccessToken(recording, { human });
    const listed = await listedInboxes(recording, human);
    const inboxId = listed.find((entry) => entry.accountId === accountId)?.inboxId ?? "";
    return senderWith(recording, token, { accountId, inboxId });
  });
}

/**
 * What Identity/get says, else an inboxId that is an address, else inboxId at the profile's mail domain, else
 * {@link addressByName}.
 *
 * @param token - an access token that serves the inbox
 * @throws {BlockedError} when nothing gives an address
 */
export async function senderWith(
  target: Target,
  token: string,
  { accountId, inboxId }: Pick<InboxEntry, "accountId" | "inboxId">,
): Promise<Sender> {
  const identities = jmapBody([["Identity/get", { ids: null }, "0"]], [urn.core, urn.submission]);
  const [response] = requireServed(await jmapAs(target, token, accountId, identities), "Identity/get");
  const sender = senderAmong(response?.[1]["list"], inboxId);
  if (sender !== undefined) return sender;
  const domain = target.profile.names.mail_domain;
  const email =
    domain === undefined
      ? await addressByName(target, token, { accountId, inboxId })
      : `${inboxId}@${domain}`;
  if (email === undefined)
    throw new BlockedError("needs the address of an inbox; set names.mail_domain in the profile");
  return { email, identityId: undefined };
}

/** The mail address of an inbox. @throws {BlockedError} as {@link senderOf} */
export async function addressOf(
  target: Target,
  accountId: string,
  human: WhichHuman = "first",
): Promise<string> {
  return (await senderOf(target, accountId, human)).email;
}
