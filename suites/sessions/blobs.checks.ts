import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import {
  blobAddresses,
  downloadMessage,
  filled,
  isUploaded,
  requireDownloaded,
  requireUploaded,
  servesNo,
  uploadText,
} from "../support/material/blob-addresses.ts";
import { blobIdOf } from "../support/material/foreign-blobs.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, jsonMembers, showsText, summary } from "../support/wire/exchange.ts";
import { foreignMessage } from "./foreign-message.ts";
import { mailboxOf, markerOf, postMailbox } from "./mailbox.ts";
import { expectUnseen, humansInbox, otherAgentsInbox } from "./other-inboxes.ts";

const download = check({
  id: "POW-64/download",
  claim:
    "A message of another agent's inbox is not downloaded at `downloadUrl`, with the capability of a different agent or without one.",
  async act(target) {
    const { marker, own, owner, blobId, template } = await foreignMessage(target);
    const there = { accountId: owner.accountId, blobId };
    const here = { accountId: own.accountId, blobId };
    const exchanges = [
      await downloadMessage(target, template, there, [bearer(own.capability)]),
      await downloadMessage(target, template, here, [bearer(own.capability)]),
      await downloadMessage(target, template, there, []),
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
    const templates = await blobAddresses(target.setup, own.capability);
    const text = unguessable();
    const { upload: uploadUrl, download: downloadUrl } = templates;
    if (uploadUrl === undefined) throw servesNo("upload");
    if (downloadUrl === undefined) throw servesNo("download");
    const put = (asking: Target, accountId: string): Promise<Exchange> =>
      uploadText(asking, uploadUrl, accountId, [bearer(own.capability)], text);
    const find = (
      asking: Target,
      { accountId, capability }: typeof own,
      upload: Exchange,
    ): Promise<Exchange> => {
      const file = {
        accountId,
        blobId: String(jsonMembers(upload)["blobId"]),
        type: "text/plain",
        name: "upload.txt",
      };
      return asking.send({ method: "GET", url: filled(downloadUrl, file), headers: [bearer(capability)] });
    };
    const ownUpload = await put(target.control, own.accountId);
    requireUploaded(ownUpload);
    // Only where an owner finds what was uploaded does it mean something that another owner does not.
    requireDownloaded(await find(target.control, own, ownUpload), text);
    const uploaded = await put(target, owner.accountId);
    if (!isUploaded(uploaded)) return { exchanges: [uploaded], text };
    const found = await find(target, owner, uploaded);
    return { exchanges: [uploaded, found], text };
  },
  assert({ exchanges: [, found], text }) {
    if (found === undefined) return;
    explained("POW-64/create", () =>
      expectThat(!showsText(found, text), "nothing of it", shown(text), found),
    );
  },
});

const personsDownload = check({
  id: "HDR-13/download",
  claim: "A message of an agent's inbox is not downloaded at `downloadUrl` with a person's access token.",
  needs: ["human"],
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    const owner = await mailboxOf(target.setup, "second");
    const { download: template } = await blobAddresses(target.setup, owner.capability);
    const askOwner = (body: string): Promise<Exchange> => postMailbox(target.setup, owner, body);
    const blobId = await blobIdOf(askOwner, accountId, marker.emailId);
    if (template === undefined || blobId === undefined) throw servesNo("download");
    const person = await humansInbox(target);
    const [there, here] = [
      { accountId, blobId },
      { accountId: person.accountId, blobId },
    ];
    const served = await downloadMessage(target.control, template, there, [bearer(owner.capability)]);
    requireDownloaded(served, marker.subject);
    const credential = bearer(await sharedAccessToken(target));
    const selecting = [credential, accountHeader(target, await inboxOf(target))];
    const exchanges = [
      await downloadMessage(target, template, there, selecting),
      await downloadMessage(target, template, there, [credential]),
      await downloadMessage(target, template, here, selecting),
    ];
    return { exchanges, marker };
  },
  assert({ exchanges, marker }) {
    for (const exchange of exchanges) explained("HDR-17/agents-inbox", () => expectUnseen(exchange, marker));
  },
});

const capabilitySeconds = 120;
const leewaySeconds = 60;

const expired = check({
  id: "POW-51/expired-at-blobs",
  claim:
    "With a capability that was minted 180 seconds ago, a message is not downloaded at `downloadUrl`, and nothing is uploaded at `uploadUrl`.",
  waitSeconds: capabilitySeconds + leewaySeconds,
  async act(target) {
    const { subject, emailId } = await markerOf(target, "first");
    const { capability, accountId, apiUrl } = await mailboxOf(target);
    const own = [bearer(capability)];
    const addresses = await blobAddresses(target.setup, capability);
    const ask = (body: string): Promise<Exchange> =>
      postMailbox(target.setup, { capability, accountId, apiUrl }, body);
    const blobId = await blobIdOf(ask, accountId, emailId);
    const download = (asking: Target): Promise<Exchange> | undefined =>
      addresses.download === undefined || blobId === undefined
        ? undefined
        : downloadMessage(asking, addresses.download, { accountId, blobId }, own);
    const upload = (asking: Target): Promise<Exchange> | undefined =>
      addresses.upload === undefined ? undefined : uploadText(asking, addresses.upload, accountId, own);
    const [before, taken] = [await download(target.control), await upload(target.control)];
    const isDownloaded = before !== undefined && showsText(before, subject);
    const isTaken = taken !== undefined && isUploaded(taken);
    if (!isDownloaded && !isTaken)
      throw new NotApplicableError("the target serves an owner no upload and no download");
    await target.wait(capabilitySeconds + leewaySeconds);
    return {
      subject,
      downloaded: isDownloaded ? await download(target) : undefined,
      uploaded: isTaken ? await upload(target) : undefined,
    };
  },
  assert({ subject, downloaded, uploaded }) {
    explained("POW-51/expired-at-api-url", () => {
      if (downloaded !== undefined)
        expectThat(!showsText(downloaded, subject), "a refusal", summary(downloaded), downloaded);
      if (uploaded !== undefined) expectThat(!isUploaded(uploaded), "a refusal", summary(uploaded), uploaded);
    });
  },
});

/** The other URLs of the session document are for the capability's account alone (RFC 8620 §6). */
export const blobChecks = [download, upload, personsDownload, expired];
