import { type Sender, senderAmong } from "../actors/identities.ts";
import { bearer, jmapBody, jsonContentType, postJmap, responseTo, urn } from "../actors/jmap.ts";
import { followedSessionDocument, mailSessionIn } from "../actors/mail-session.ts";
import type { Target } from "../target/target.ts";
import { jsonMembers } from "../wire/exchange.ts";

/** What says which inbox is meant. */
export interface OpenInbox {
  readonly capability: string;
  /** As the answer to its signup or login names it, where one did. */
  readonly inbox: string | undefined;
}

/**
 * Whom to send as from an agent's inbox: what Identity/get says, else the session document, else its name where that is an
 * address, else its name at the profile's mail domain. Undefined when nothing shows it.
 */
export async function agentSender(
  target: Target,
  { capability, inbox }: OpenInbox,
): Promise<Sender | undefined> {
  const document = await followedSessionDocument(target, [bearer(capability)]);
  const { apiUrl: url, accountId } = mailSessionIn(target, document);
  const headers = [bearer(capability), jsonContentType];
  const body = jmapBody([["Identity/get", { accountId, ids: null }, "0"]], [urn.core, urn.submission]);
  const { list } = responseTo(await postJmap(target, { url, headers, body }), "0")?.args ?? {};
  const { username } = jsonMembers(document);
  return (
    senderAmong(list, typeof username === "string" ? username : "") ??
    senderAmong([], inbox ?? "") ??
    atMailDomain(target, inbox)
  );
}

function atMailDomain(target: Target, inbox: string | undefined): Sender | undefined {
  const domain = target.profile.names.mail_domain;
  if (inbox === undefined || domain === undefined) return undefined;
  return { email: `${inbox}@${domain}`, identityId: undefined };
}

/** As {@link agentSender}, the address alone. */
export async function agentAddress(target: Target, open: OpenInbox): Promise<string | undefined> {
  return (await agentSender(target, open))?.email;
}
