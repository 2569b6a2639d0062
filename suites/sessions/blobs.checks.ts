import { bearer, responseTo } from "../support/actors/jmap.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { isOwnOrigin } from "../support/target/origins.ts";
import type { Target } from "../support/target/target.ts";
import {
  type Exchange,
  type HeaderLines,
  isJsonObject,
  jsonMembers,
  showsText,
} from "../support/wire/exchange.ts";
import { askMailbox, type Mailbox, mailboxOf } from "./mailbox.ts";
import { expectUnseen, otherAgentsInbox } from "./other-inboxes.ts";

/** `downloadUrl` and `uploadUrl` of the session document; undefined where it has none at an origin of the profile. */
async function addressesOf(
  target: Target,
  { capability }: Mailbox,
): Promise<{ download: string | undefined; upload: string | undefined }> {
  const exchange = await followedSessionDocument(target, [bearer(capability)]);
  const { downloadUrl, uploadUrl } = jsonMembers(exchange);
  const [download, upload] = [downloadUrl, uploadUrl].map((template) => {
    const url = typeof template === "string" ? resolvedTemplate(template, exchange.request.url) : undefined;
    return url !== undefined && isOwnOrigin(target.profile, url) ? url : undefined;
  });
  return { download, upload };
}

/** Absolute, with its variables as they are (RFC 6570, level 1). */
function resolvedTemplate(template: string, base: string): string | undefined {
  const isAbsolute = URL.parse(template) !== null;
  if (isAbsolute) return template;
  const origin = URL.parse(base)?.origin;
  return origin !== undefined && template.startsWith("/") ? `${origin}${template}` : undefined;
}

function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/gu, (_variable, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}

function get(target: Target, url: string, headers: HeaderLines): Promise<Exchange> {
  return target.send({ method: "GET", url, headers });
}

async function blobIdOf(target: Target, mailbox: Mailbox, emailId: string): Promise<string | undefined> {
  const { accountId } = mailbox;
  const exchange = await askMailbox(target, mailbox, [
    ["Email/get", { accountId, ids: [emailId], properties: ["id", "blobId"] }, "0"],
  ]);
  const list = responseTo(exchange, "0")?.args["list"];
  const mail: unknown = Array.isArray(list) ? list[0] : undefined;
  const blobId = isJsonObject(mail) ? mail["blobId"] : undefined;
  return typeof blobId === "string" ? blobId : undefined;
}

const download = check({
  id: "POW-64/download",
  claim:
    "A message of another agent's inbox is downloaded at `downloadUrl` neither with one's own capability nor without any.",
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    const [own, owner] = [await mailboxOf(target.setup), await mailboxOf(target.setup, "second")];
    const { download: template } = await addressesOf(target.setup, own);
    const blobId = await blobIdOf(target.setup, owner, marker.emailId);
    // The document promises no downloads: where there are none, nothing can be had by them.
    if (template === undefined || blobId === undefined) return { exchanges: [], marker };
    const file = { blobId, type: "text/plain", name: "mail.eml" };
    const there = filled(template, { ...file, accountId });
    const here = filled(template, { ...file, accountId: own.accountId });
    await get(target.control, there, [bearer(owner.capability)]);
    const exchanges = [
      await get(target, there, [bearer(own.capability)]),
      await get(target, here, [bearer(own.capability)]),
      await get(target, there, []),
    ];
    return { exchanges, marker };
  },
  assert({ exchanges, marker }) {
    for (const exchange of exchanges) explained("POW-64/read", () => expectUnseen(exchange, marker));
  },
});

const upload = check({
  id: "POW-64/upload",
  claim:
    "What is uploaded at `uploadUrl` with one's own capability, for another agent's account, is not put into that account.",
  async act(target) {
    const [own, owner] = [await mailboxOf(target.setup), await mailboxOf(target.setup, "second")];
    const templates = await addressesOf(target.setup, own);
    const text = unguessable();
    const { upload: uploadUrl, download: downloadUrl } = templates;
    if (uploadUrl === undefined || downloadUrl === undefined) return { exchanges: [], text };
    const put = (asking: Target, accountId: string): Promise<Exchange> =>
      asking.send({
        method: "POST",
        url: filled(uploadUrl, { accountId }),
        headers: [bearer(own.capability), ["Content-Type", "text/plain"]],
        body: text,
      });
    await put(target.control, own.accountId);
    const { accountId } = owner;
    const uploaded = await put(target, accountId);
    const { blobId } = jsonMembers(uploaded);
    if (typeof blobId !== "string") return { exchanges: [uploaded], text };
    const file = { accountId, blobId, type: "text/plain", name: "upload.txt" };
    const found = await get(target, filled(downloadUrl, file), [bearer(owner.capability)]);
    return { exchanges: [uploaded, found], text };
  },
  assert({ exchanges: [, found], text }) {
    if (found === undefined) return;
    explained("POW-64/create", () =>
      expectThat(!showsText(found, text), "nothing of it", shown(text), found),
    );
  },
});

/** The other URLs of the session document are for the capability's account alone (RFC 8620 §6). */
export const blobChecks = [download, upload];
