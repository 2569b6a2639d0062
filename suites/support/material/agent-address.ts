import { senderAmong } from "../actors/identities.ts";
import { bearer, jmapBody, jsonContentType, postJmap, responseTo, urn } from "../actors/jmap.ts";
import { followedSessionDocument, mailSessionIn } from "../actors/mail-session.ts";
import type { Target } from "../target/target.ts";
import { jsonMembers } from "../wire/exchange.ts";

/** The address of the inbox that a capability opens; undefined when nothing shows it. */
export async function agentAddress(target: Target, capability: string): Promise<string | undefined> {
  const document = await followedSessionDocument(target, [bearer(capability)]);
  const { apiUrl: url, accountId } = mailSessionIn(target, document);
  const headers = [bearer(capability), jsonContentType];
  const body = jmapBody([["Identity/get", { accountId, ids: null }, "0"]], [urn.core, urn.submission]);
  const { list } = responseTo(await postJmap(target, { url, headers, body }), "0")?.args ?? {};
  const { username } = jsonMembers(document);
  return senderAmong(list, typeof username === "string" ? username : "")?.email;
}
