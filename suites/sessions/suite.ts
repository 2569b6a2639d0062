import type { Check } from "../support/judging/check.ts";
import { accountHeaderChecks } from "./account-header.checks.ts";
import { agentMailChecks } from "./agent-mail.checks.ts";
import { badCredentialChecks } from "./bad-credentials.checks.ts";
import { blobCredentialChecks } from "./blob-credentials.checks.ts";
import { blobChecks } from "./blobs.checks.ts";
import { capabilityChecks } from "./capabilities.checks.ts";
import { everyTokenChecks } from "./every-token.checks.ts";
import { forgedSessionChecks } from "./forged-sessions.checks.ts";
import { isolationChecks } from "./isolation.checks.ts";
import { lifetimeChecks } from "./lifetimes.checks.ts";
import { mailChecks } from "./mail.checks.ts";
import { mailQueryChecks } from "./mail-queries.checks.ts";
import { namedAccountChecks } from "./named-accounts.checks.ts";
import { omittedAccountChecks } from "./omitted-account.checks.ts";
import { otherChangeChecks } from "./other-changes.checks.ts";
import { otherEndChecks } from "./other-ends.checks.ts";
import { otherIdChecks } from "./other-ids.checks.ts";
import { otherMailboxChecks } from "./other-mailboxes.checks.ts";
import { ownLifetimeChecks } from "./own-lifetimes.checks.ts";
import { requestChecks } from "./requests.checks.ts";
import { sessionDocumentChecks } from "./session-document.checks.ts";
import { simultaneousLoginChecks } from "./simultaneous-logins.checks.ts";
import { spoofedHostChecks } from "./spoofed-hosts.checks.ts";
import { submission } from "./submission.checks.ts";
import { takenNameChecks } from "./taken-names.checks.ts";
import { twoAddressChecks } from "./two-addresses.checks.ts";

/**
 * What a session opens: capabilities, the JMAP session document and one inbox. Document, "Authentication", proof-of-work
 * path 3 to 5.
 */
export const sessionChecks: readonly Check[] = [
  ...capabilityChecks,
  ...sessionDocumentChecks,
  ...spoofedHostChecks,
  ...lifetimeChecks,
  ...ownLifetimeChecks,
  ...otherEndChecks,
  ...everyTokenChecks,
  ...mailChecks,
  ...mailQueryChecks,
  ...requestChecks,
  submission,
  ...agentMailChecks,
  ...badCredentialChecks,
  ...forgedSessionChecks,
  ...isolationChecks,
  ...simultaneousLoginChecks,
  ...omittedAccountChecks,
  ...otherIdChecks,
  ...otherChangeChecks,
  ...otherMailboxChecks,
  ...blobChecks,
  ...blobCredentialChecks,
  ...accountHeaderChecks,
  ...twoAddressChecks,
  ...namedAccountChecks,
  ...takenNameChecks,
];
