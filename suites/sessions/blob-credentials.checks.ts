import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedSession } from "../support/material/agents.ts";
import {
  blobAddresses,
  downloadMessage,
  filled,
  isUploaded,
  requireUploaded,
  servesNo,
  uploadText,
} from "../support/material/blob-addresses.ts";
import { withClaimsOf, withOtherSignature } from "../support/material/jwt-forgery.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, jsonMembers, showsText, summary } from "../support/wire/exchange.ts";
import { uuidOfOtherAgent } from "./agent-uuids.ts";
import { foreignMessage } from "./foreign-message.ts";
import { type Mailbox, mailboxOf } from "./mailbox.ts";
import { expectUnseen } from "./other-inboxes.ts";

/** What the account header may call the second agent's inbox. */
async function namesOfOther(target: Target, { accountId }: Mailbox): Promise<readonly string[]> {
  const uuid = await uuidOfOtherAgent(target);
  return uuid === undefined ? [accountId] : [accountId, uuid];
}

const selectedDownload = check({
  id: "POW-67/download",
  claim:
    "A message of another agent's inbox is not downloaded at `downloadUrl` with one's own capability and the account header of that inbox.",
  async act(target) {
    const { marker, own, owner, blobId, template } = await foreignMessage(target);
    const exchanges: Exchange[] = [];
    for (const name of await namesOfOther(target, owner))
      for (const { accountId } of [owner, own])
        exchanges.push(
          await downloadMessage(target, template, { accountId, blobId }, [
            bearer(own.capability),
            accountHeader(target, name),
          ]),
        );
    return { exchanges, marker };
  },
  assert({ exchanges, marker }) {
    for (const exchange of exchanges) explained("POW-64/download", () => expectUnseen(exchange, marker));
  },
});

const selectedUpload = check({
  id: "POW-67/upload",
  claim:
    "What is uploaded at `uploadUrl` with one's own capability and the account header of another agent's inbox is not put there.",
  async act(target) {
    const { own, owner, template } = await foreignMessage(target);
    const { upload } = await blobAddresses(target.setup, own.capability);
    if (upload === undefined) throw servesNo("upload");
    requireUploaded(await uploadText(target.control, upload, own.accountId, [bearer(own.capability)]));
    const text = unguessable();
    const uploads: Exchange[] = [];
    const found: Exchange[] = [];
    for (const name of await namesOfOther(target, owner)) {
      const lines = [bearer(own.capability), accountHeader(target, name)];
      const uploaded = await uploadText(target, upload, owner.accountId, lines, text);
      uploads.push(uploaded);
      const blobId = String(jsonMembers(uploaded)["blobId"]);
      const file = { accountId: owner.accountId, blobId, type: "text/plain", name: "upload.txt" };
      const url = filled(template, file);
      if (isUploaded(uploaded))
        found.push(await target.send({ method: "GET", url, headers: [bearer(owner.capability)] }));
    }
    return { uploads, found, text };
  },
  assert({ found, text }) {
    for (const exchange of found)
      explained("POW-64/upload", () =>
        expectThat(!showsText(exchange, text), "nothing of it", shown(text), exchange),
      );
  },
});

const forgedDownload = check({
  id: "POW-62/download",
  claim:
    "A message is not downloaded at `downloadUrl` with a capability whose signature or claims were changed, nor with a session.",
  async act(target) {
    const { marker, own, owner, blobId, template } = await foreignMessage(target);
    const tokens = [
      withOtherSignature(owner.capability),
      withClaimsOf(own.capability, owner.capability),
      await sharedSession(target.setup, "second"),
    ];
    const { accountId } = owner;
    const exchanges: Exchange[] = [];
    for (const token of tokens)
      exchanges.push(await downloadMessage(target, template, { accountId, blobId }, [bearer(token)]));
    return { exchanges, marker };
  },
  assert({ exchanges, marker }) {
    for (const exchange of exchanges)
      explained("POW-62/api-url-tampered", () => expectUnseen(exchange, marker));
  },
});

const forgedUpload = check({
  id: "POW-62/upload",
  claim:
    "Nothing is uploaded at `uploadUrl` with a capability whose signature or claims were changed, nor with a session.",
  async act(target) {
    const [own, other] = [await mailboxOf(target.setup), await mailboxOf(target.setup, "second")];
    const { upload } = await blobAddresses(target.setup, own.capability);
    if (upload === undefined) throw servesNo("upload");
    requireUploaded(await uploadText(target.control, upload, own.accountId, [bearer(own.capability)]));
    const tokens = [
      withOtherSignature(own.capability),
      withClaimsOf(other.capability, own.capability),
      await sharedSession(target.setup),
    ];
    const exchanges: Exchange[] = [];
    for (const token of tokens)
      exchanges.push(await uploadText(target, upload, own.accountId, [bearer(token)]));
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("POW-62/api-url-tampered", () =>
        expectThat(!isUploaded(exchange), "a refusal", summary(exchange), exchange),
      );
  },
});

/** Uploads and downloads take a capability for its own inbox alone, and verified. Document, "Authentication", OAuth 2.0 path 10. */
export const blobCredentialChecks = [selectedDownload, selectedUpload, forgedDownload, forgedUpload];
