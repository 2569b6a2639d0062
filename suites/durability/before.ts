import {
  type Agent,
  logIn,
  openSession,
  postCapability,
  type Proof,
  requireBearer,
  solvedChallenge,
} from "../support/actors/agent.ts";
import { agentDraftAddresses, type DraftAddresses } from "../support/material/draft-addresses.ts";
import { draftMailboxIn, mailboxCalls } from "../support/actors/draft-mailbox.ts";
import { bearer, createdId, jmapBody, jsonContentType, postJmap } from "../support/actors/jmap.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type AuthorizationCode,
  type Client,
  codeExchange,
  postRevoke,
  postToken,
  refreshExchange,
  requireTokens,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { clientFor } from "../support/material/clients.ts";
import { grantsAreIndependent, grantTo } from "../support/material/grants.ts";
import { signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import type { HeldGrant, Life } from "./lives.ts";
import { plainTextDraft } from "../support/material/plain-text-draft.ts";

/** What people's grants left behind when the target ended. */
export interface GrantsBefore {
  /** Registered, and known to have worked. */
  readonly client: Client;
  /** Registered shortly before the end. */
  readonly newClients: readonly Client[];
  readonly spentCodes: readonly AuthorizationCode[];
  /** Each with a refresh token that was superseded, and the one that superseded it. */
  readonly rotated: readonly (HeldGrant & { readonly superseded: string })[];
  /** Each with its newest tokens, which nothing has used. */
  readonly current: readonly HeldGrant[];
  readonly revoked: readonly HeldGrant[];
  /** Each to a client of its own; none where the profile has no such hook. */
  readonly revokedOnDashboard: readonly HeldGrant[];
  /** The published signing keys, as JSON. */
  readonly keysBefore: readonly string[];
}

/** A solved challenge. */
export interface Solved {
  readonly jwt: string;
  readonly proof: Proof;
}

/** What agents left behind when the target ended. */
export interface AgentsBefore {
  /** Known to have logged in. */
  readonly apiKey: string;
  /** Of agents that signed up shortly before the end. */
  readonly newApiKeys: readonly string[];
  readonly spent: readonly Solved[];
  readonly emailIds: readonly string[];
  readonly sessionJwt: string;
}

/** A client for one purpose, where grants to one client do not stand apart; else one for all. */
export async function clientBefore(target: Target, life: Life, purpose: string): Promise<Client> {
  const isShared = await grantsAreIndependent(target);
  return clientFor(target, "public", `durability:${life}${isShared ? "" : `:${purpose}`}`);
}

export async function codeBefore(target: Target, life: Life, purpose: string): Promise<AuthorizationCode> {
  return obtainCode(target, authorizationRequest(target, await clientBefore(target, life, purpose)));
}

export async function grantBefore(target: Target, life: Life, purpose: string): Promise<HeldGrant> {
  return grantTo(target, await clientBefore(target, life, purpose));
}

/** Redeems a code. @throws {InconclusiveError} control-refused, when the valid exchange is refused */
export async function redeem(target: Target, code: AuthorizationCode): Promise<HeldGrant> {
  const tokens = requireTokens(await postToken(target, codeExchange(code)), "a valid code exchange");
  return { client: code.client, tokens };
}

export async function publishedKeys(target: Target): Promise<string[]> {
  const { keys } = jsonMembers(
    await target.send({ method: "GET", url: `${target.authUrl}/.well-known/jwks.json` }),
  );
  return Array.isArray(keys) ? keys.map((key) => JSON.stringify(key)) : [];
}

/** Rotates the refresh token of a grant. @throws {InconclusiveError} control-refused, when a valid refresh is refused */
export async function rotate(target: Target, { client, tokens }: HeldGrant): Promise<HeldGrant> {
  const answer = await postToken(target, refreshExchange(client, tokens.refresh_token));
  return { client, tokens: requireTokens(answer, "a valid refresh", "REFRESH-01") };
}

/** Revokes a grant. @throws {InconclusiveError} control-refused, when the target does not acknowledge it */
export async function revoke(target: Target, grant: HeldGrant): Promise<HeldGrant> {
  const { client, tokens } = grant;
  const answer = await postRevoke(target, [
    ["client_id", client.client_id],
    ["token", tokens.refresh_token],
    ...secretOf(client),
  ]);
  if (!isSuccess(answer)) throw controlRefused("revoking a grant", "200", answer, "REVOKE-04");
  return grant;
}

/** A grant to a client of its own, since the dashboard ends all that a person has granted a client; undefined without it. */
export async function grantForDashboard(
  target: Target,
  life: Life,
  purpose: string,
): Promise<HeldGrant | undefined> {
  const { hooks, clients } = target.profile;
  if (hooks.revoke_grants === undefined || clients.registration !== "dynamic") return undefined;
  return grantTo(target, await clientFor(target, "public", `durability:${life}:dashboard:${purpose}`));
}

export async function solved(target: Target): Promise<Solved> {
  const { challenge, proof } = await solvedChallenge(target);
  return { jwt: challenge.jwt, proof };
}

/** Logs in with a solved challenge, which spends it. */
export async function spend(target: Target, apiKey: string, { jwt, proof }: Solved): Promise<string> {
  return requireBearer(await openSession(target, jwt, { ...proof, apiKey }), "logging in", "POW-11");
}

export async function newAgent(target: Target): Promise<Agent> {
  const { exchange } = await signUp(target);
  const { apiKey, inbox } = jsonMembers(exchange);
  if (isSuccess(exchange) && typeof apiKey === "string")
    return { apiKey, inbox: typeof inbox === "string" ? inbox : undefined };
  throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
}

/** The inbox of an agent, and where drafts go in it. */
export interface DraftBox {
  readonly capability: string;
  readonly apiUrl: string;
  readonly accountId: string;
  readonly mailboxId: string;
}

/** @param sessionJwt - of the agent */
export async function draftBox(target: Target, sessionJwt: string): Promise<DraftBox> {
  const capability = requireBearer(
    await postCapability(target, sessionJwt),
    "minting a capability",
    "POW-48",
  );
  const session = await mailSession(target, capability);
  const found = await postJmap(target, {
    url: session.apiUrl,
    headers: [bearer(capability), jsonContentType],
    body: jmapBody(mailboxCalls({ accountId: session.accountId })),
  });
  const mailboxId = draftMailboxIn(found);
  if (mailboxId === undefined)
    throw controlRefused(
      "finding a mailbox of an agent",
      "a Mailbox/query response with its id",
      found,
      "POW-66",
    );
  return { capability, mailboxId, ...session };
}

/** A {@link DraftBox} that drafts are put into, with their `from` and `to`. */
export interface OpenDraftBox extends DraftBox {
  readonly addresses: DraftAddresses;
}

/** @param sessionJwt - of the agent */
export async function openDraftBox(
  target: Target,
  sessionJwt: string,
  { apiKey, inbox }: Agent,
): Promise<OpenDraftBox> {
  const box = await draftBox(target, sessionJwt);
  return { ...box, addresses: await agentDraftAddresses(target, apiKey, { ...box, inbox }) };
}

/** @returns the id of a new draft */
export async function newDraft(target: Target, box: OpenDraftBox): Promise<string> {
  const { apiUrl, capability, accountId, mailboxId, addresses } = box;
  const subject = unguessable();
  const draft = plainTextDraft({ mailboxId, addresses, subject, text: subject });
  const answer = await postJmap(target, {
    url: apiUrl,
    headers: [bearer(capability), jsonContentType],
    body: jmapBody([["Email/set", { accountId, create: { draft } }, "0"]]),
  });
  const id = createdId(answer, "0", "draft");
  if (id !== undefined) return id;
  throw controlRefused("creating a draft", "its id in created", answer, "POW-61/email-set");
}

/** Logs an agent in. */
export async function sessionOf(target: Target, apiKey: string): Promise<string> {
  return requireBearer(await logIn(target, apiKey), "logging in", "POW-11");
}
