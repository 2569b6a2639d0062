import { randomUUID } from "node:crypto";
import type { TestBrowser } from "../../fixtures/service/oauth/test-browser.ts";
import {
  authorize,
  callJmap,
  exchangeCode,
  openSession,
  postForm,
  refresh,
  registerClient,
  solve,
  textOf,
} from "./caller.ts";
import type { AcknowledgedGrant, Ledger } from "./ledger.ts";
import type { Addresses } from "./service-child.ts";

export interface Mailbox {
  readonly capability: string;
  readonly address: string;
  readonly draftsId: string;
}

export interface Writing {
  readonly addresses: Addresses;
  readonly browser: TestBrowser;
  readonly mailbox: Mailbox;
  readonly ledger: Ledger;
  /** Aborted just before the crash. What fails from then on says nothing about the service. */
  readonly crash: AbortSignal;
}

const refreshesPerGrant = 8;
const revokedEvery = 4;

/**
 * Writes in every way that the interface has, from several callers at once, and notes what is acknowledged.
 *
 * @returns when the crash has come, with the errors of calls that were refused before
 */
export async function writeUntilCrash(writing: Writing): Promise<readonly unknown[]> {
  const writers = [grants, grants, grants, grants, signUps, emails, emails];
  return (await Promise.all(writers.map((writer) => repeat(() => writer(writing), writing.crash)))).flat();
}

async function repeat(write: () => Promise<void>, crash: AbortSignal): Promise<unknown[]> {
  while (!crash.aborted) {
    try {
      await write();
    } catch (cause) {
      return crash.aborted ? [] : [cause];
    }
  }
  return [];
}

async function grants({ addresses, browser, ledger }: Writing): Promise<void> {
  const clientId = await registerClient(addresses);
  ledger.clients.push(clientId);
  const { code, verifier, signedIn } = await authorize(addresses, browser, clientId);
  if (signedIn) ledger.signIns += 1;
  const tokens = await exchangeCode(addresses, clientId, { code, verifier });
  const grant: AcknowledgedGrant = {
    clientId,
    code,
    verifier,
    accessToken: textOf(tokens, "access_token"),
    refreshToken: textOf(tokens, "refresh_token"),
    superseded: [],
    isRefreshing: false,
    revocation: "none",
  };
  const count = ledger.grants.push(grant);
  for (let round = 0; round < refreshesPerGrant; round += 1) {
    grant.isRefreshing = true;
    const refreshed = await refresh(addresses, clientId, grant.refreshToken);
    grant.superseded.push(grant.refreshToken);
    grant.refreshToken = textOf(refreshed, "refresh_token");
    grant.accessToken = textOf(refreshed, "access_token");
    grant.isRefreshing = false;
  }
  if (count % revokedEvery !== 0) return;
  grant.revocation = "sent";
  await postForm(`${addresses.auth_url}/oauth/revoke`, { client_id: clientId, token: grant.accessToken });
  grant.revocation = "acknowledged";
}

async function signUps({ addresses, ledger }: Writing): Promise<void> {
  const solved = await solve(addresses);
  const username = `agent-${randomUUID()}`;
  const answered = await openSession(addresses, solved, { username });
  ledger.signUps.push({ solved, username, apiKey: textOf(answered, "apiKey") });
}

/** Sends an email to its own inbox, which changes two objects of the account in two calls. */
async function emails({ addresses, mailbox, ledger }: Writing): Promise<void> {
  const { capability, address, draftsId } = mailbox;
  const draft = {
    mailboxIds: { [draftsId]: true },
    from: [{ email: address }],
    to: [{ email: address }],
    subject: "kept",
    textBody: [{ partId: "1", type: "text/plain" }],
    bodyValues: { "1": { value: "kept" } },
  };
  const made = await callJmap(addresses, capability, "Email/set", { create: { draft } });
  const { draft: created } = made["created"] as { draft: { id: string } };
  ledger.emails.push(created.id);
  ledger.states.push(Number(made["newState"]));
  const envelope = { mailFrom: { email: address }, rcptTo: [{ email: address }] };
  await callJmap(addresses, capability, "EmailSubmission/set", {
    create: { sent: { emailId: created.id, envelope } },
  });
}
