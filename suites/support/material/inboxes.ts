import { controlRefused } from "../wire/control-refused.ts";
import { sharedAccessToken } from "./grants.ts";
import type { WhichHuman } from "../actors/human.ts";
import {
  bearer,
  getAgents,
  type InboxEntry,
  inboxEntries,
  jmapAs,
  jmapBody,
  requireServed,
  urn,
} from "../actors/jmap.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";

/**
 * The inboxes of a human as the target lists them; at least one.
 *
 * @throws {InconclusiveError} control-refused, when the list cannot be had or is empty
 */
export function inboxesOf(
  target: Target,
  human: WhichHuman = "first",
): Promise<readonly [InboxEntry, ...InboxEntry[]]> {
  return target.setup.once(`inboxes:${human}`, async (recording) => {
    const exchange = await getAgents(recording, [bearer(await sharedAccessToken(recording, { human }))]);
    const [first, ...others] = inboxEntries(exchange);
    if (first === undefined) {
      throw controlRefused(
        `listing the inboxes of the ${human} human`,
        "200 with at least one",
        exchange,
        "AGENTS-01",
      );
    }
    return [first, ...others] as const;
  });
}

/** The first inbox of a human: `accountId` for the account header. */
export async function inboxOf(target: Target, human: WhichHuman = "first"): Promise<string> {
  return (await inboxesOf(target, human))[0].accountId;
}

/**
 * The first inbox of the second human, which the first does not own.
 *
 * @throws {InconclusiveError} precondition-missing, when the target lists it for both: then it is nobody's other inbox
 */
export async function foreignInbox(target: Target): Promise<string> {
  const own = await inboxesOf(target, "first");
  const accountId = await inboxOf(target, "second");
  if (!own.some((entry) => entry.accountId === accountId)) return accountId;
  throw new InconclusiveError(
    "precondition-missing",
    "needs an inbox of another person: the target lists the same one for both humans",
  );
}

/** @throws {BlockedError} when the first human owns a single inbox */
export async function twoInboxes(target: Target): Promise<readonly [string, string]> {
  const [first, second] = await inboxesOf(target);
  if (second === undefined)
    throw new BlockedError("needs a human with two inboxes; let the first human of the profile own two");
  return [first.accountId, second.accountId];
}

/**
 * The mail address of an inbox: what Identity/get says, else an inboxId that is one, else inboxId at the profile's
 * mail domain.
 *
 * @throws {BlockedError} when none of the three gives an address
 */
export function addressOf(target: Target, accountId: string, human: WhichHuman = "first"): Promise<string> {
  return target.setup.once(`address:${accountId}`, async (recording) => {
    const token = await sharedAccessToken(recording, { human });
    const exchange = await jmapAs(
      recording,
      token,
      accountId,
      jmapBody([["Identity/get", { ids: null }, "0"]], [urn.core, urn.submission]),
    );
    const [response] = requireServed(exchange, "Identity/get");
    const identities = response?.[1]["list"];
    const email: unknown = Array.isArray(identities)
      ? Reflect.get(Object(identities[0]), "email")
      : undefined;
    if (typeof email === "string") return email;
    const inboxId =
      (await inboxesOf(recording, human)).find((entry) => entry.accountId === accountId)?.inboxId ?? "";
    if (inboxId.includes("@")) return inboxId;
    const domain = target.profile.names.mail_domain;
    if (domain === undefined)
      throw new BlockedError("needs the address of an inbox; set names.mail_domain in the profile");
    return `${inboxId}@${domain}`;
  });
}
