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
  type Tokens,
  unguessable,
} from "../actors/oauth-client.ts";
import { obtainCode } from "../actors/authorization.ts";
import { clientFor, type ClientKind, withUndecidedClient, sharedClient } from "./clients.ts";
import type { Decision } from "../actors/consent/step.ts";
import { type Exchange, isSuccess, jsonMembers } from "../wire/exchange.ts";
import type { WhichHuman } from "../actors/human.ts";
import { bearer, getAgents } from "../actors/jmap.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError, NotApplicableError } from "../verdict.ts";
import { untilUndisturbed, usedInTime } from "../wire/disturbance.ts";
import { sharedTokens } from "./continuity.ts";

/** Which grant a check needs. What is left out is the ordinary: first human, public client, both scopes, JMAP. */
export interface GrantSpec {
  readonly human?: WhichHuman;
  readonly client?: ClientKind;
  readonly scope?: string;
  readonly resource?: string;
  readonly redirect_uri?: string;
  readonly verifier?: string;
  readonly state?: string;
  readonly decision?: Decision;
}

/** A grant with its latest tokens. */
export interface Grant {
  readonly client: Client;
  readonly tokens: Tokens;
  /** The token response. */
  readonly response: Exchange;
}

/** A grant whose tokens were never refreshed, with the code that they were issued for. */
export interface FreshGrant extends Grant {
  readonly code: AuthorizationCode;
}

/** A fresh, unredeemed authorization code. */
export async function freshCode(target: Target, spec: GrantSpec = {}): Promise<AuthorizationCode> {
  return codeFor(target, await sharedClient(target, spec.client ?? "public"), spec);
}

// A code must live for 20 seconds (C-28), less what the exchange itself may take.
export const mostCodeAgeMs = 10_000;
const mostTries = 3;

/**
 * Two fresh codes that can both be redeemed now. A person decides one request at a time, so that on a slow target the first
 * code may be too old when the second is there; then both are obtained again.
 *
 * @throws {InconclusiveError} precondition-missing, when the second always comes too late
 */
export async function twoFreshCodes(
  target: Target,
  spec: GrantSpec = {},
  second: GrantSpec = spec,
): Promise<readonly [AuthorizationCode, AuthorizationCode]> {
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    const one = await freshCode(target, spec);
    const issuedAtMs = performance.now();
    const other = await freshCode(target, second);
    if (performance.now() - issuedAtMs <= mostCodeAgeMs) return [one, other];
  }
  throw new InconclusiveError(
    "precondition-missing",
    `two codes were never issued within ${mostCodeAgeMs / 1000} s of each other, so the first may have expired`,
  );
}

async function codeFor(target: Target, client: Client, spec: GrantSpec): Promise<AuthorizationCode> {
  const { human, client: kind = "public", decision, ...choice } = spec;
  const who = { ...(human && { human }), ...(decision && { decision }) };
  const isRemembered = decision === "approve read-only" && !(await asksAgain(target));
  const asked = isRemembered ? await clientFor(target, kind, `narrowed:${unguessable()}`) : client;
  if (isRemembered && asked.client_id === client.client_id)
    throw new NotApplicableError(
      "the target remembers what a person decided about a client, and there is no other client of this kind",
    );
  return withUndecidedClient(target, kind, asked, (decidedOn) =>
    obtainCode(target.setup, authorizationRequest(target, decidedOn, choice), who),
  );
}

/**
 * Whether the target asks a person again who has approved a client before. One that remembers may remember what they
 * declined, too, and the document allows it: then nobody may narrow what other checks ask for.
 */
function asksAgain(target: Target): Promise<boolean> {
  return target.setup.once("asks-again", async (recording) => {
    const client = await sharedClient(recording, "other");
    const request = () => authorizationRequest(recording, client);
    await obtainCode(recording, request());
    try {
      await obtainCode(recording, request(), { decision: "approve read-only" });
      return true;
    } catch (error) {
      if (error instanceof InconclusiveError && error.code === "consent-skipped") return false;
      throw error;
    }
  });
}

/**
 * A grant of its own, for a check that may destroy it.
 *
 * @throws {InconclusiveError} control-refused, when the target issues no code or no tokens
 */
export async function freshGrant(target: Target, spec: GrantSpec = {}): Promise<FreshGrant> {
  return untilUndisturbed(async () => redeemed(target, () => freshCode(target, spec)));
}

/**
 * A grant to a client that the check has chosen; other checks need a {@link freshGrant}.
 *
 * @throws {InconclusiveError} control-refused, when the target issues no code or no tokens
 */
export async function grantTo(
  target: Target,
  client: Client,
  choice: Pick<GrantSpec, "scope"> = {},
): Promise<Grant> {
  const code = await obtainCode(target, authorizationRequest(target, client, choice));
  const response = await postToken(target, codeExchange(code));
  return { client, tokens: requireTokens(response, "a valid code exchange"), response };
}

async function redeemed(target: Target, obtain: () => Promise<AuthorizationCode>): Promise<FreshGrant> {
  const { code, exchange: response } = await usedInTime(mostCodeAgeMs, async () => {
    const code = await obtain();
    const readyAtMs = performance.now();
    return { code, readyAtMs, exchange: await postToken(target.setup, codeExchange(code)) };
  });
  return { client: code.client, code, tokens: requireTokens(response, "a valid code exchange"), response };
}

/** The same grant with the tokens of one more refresh. */
export async function refreshed(target: Target, grant: Grant): Promise<Grant> {
  const response = await postToken(target.setup, refreshExchange(grant.client, grant.tokens.refresh_token));
  return { ...grant, tokens: requireTokens(response, "a valid refresh", "REFRESH-01"), response };
}

// Well before the 900 seconds of an access token, so that no check meets one that expires under its hands.
const renewAfterSeconds = 600;

/**
 * Whether two grants of one person to one client stand apart. Some targets merge them, or let the newer replace the older,
 * and the document allows it: then checks that run beside each other must not share a client.
 */
export function grantsAreIndependent(target: Target): Promise<boolean> {
  return target.setup.once("grants-stand-apart", (recording) => staysUsable(recording, {}, {}));
}

/** Whether grants of one person to two clients stand apart, where those to one client do not. */
export function clientsAreIndependent(target: Target): Promise<boolean> {
  return target.setup.once("clients-stand-apart", (recording) =>
    staysUsable(recording, {}, { client: "other" }),
  );
}

/** What may end more than the one grant that it is about. */
const endings: readonly ((recording: Target, grant: FreshGrant) => Promise<unknown>)[] = [
  (recording, { client, tokens }) =>
    postRevoke(recording, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
      ...secretOf(client),
    ]),
  async (recording, grant) => {
    await refreshed(recording, grant);
    return postToken(recording, refreshExchange(grant.client, grant.tokens.refresh_token));
  },
  (recording, { code }) => postToken(recording, codeExchange(code)),
];

/** Whether the grant that was made first can still be used after others were made and ended: revoked, reused, replayed. */
async function staysUsable(recording: Target, first: GrantSpec, second: GrantSpec): Promise<boolean> {
  const older = await freshGrant(recording, first);
  for (const end of endings) await end(recording, await freshGrant(recording, second));
  const use = await getAgents(recording, [bearer(older.tokens.access_token)]);
  const refresh = await postToken(recording, refreshExchange(older.client, older.tokens.refresh_token));
  return isSuccess(use) && isSuccess(refresh);
}

/**
 * For the exchange of a code after which the same person and client got another.
 *
 * @throws {NotApplicableError} where a newer consent replaces an older one (C-34), with its code
 */
export async function requireCodeKept(target: Target, older: Exchange): Promise<void> {
  const isEnded = jsonMembers(older)["error"] === "invalid_grant";
  if (isEnded && !(await grantsAreIndependent(target)))
    throw new NotApplicableError("a newer consent of one person and client replaces the older one");
}

/**
 * A grant that checks of a run share and none destroys, with an access token that is good for minutes.
 *
 * @throws {InconclusiveError} control-refused, when the target issues no code or no tokens
 */
export async function sharedGrant(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  // Whoever names the first human gets the grant of those who name nobody: a grant may keep the inboxes of its own consent
  // (C-17), and what one lists another need not serve.
  const named = Object.entries(spec).filter(([name, value]) => name !== "human" || value !== "first");
  const key = `grant:${JSON.stringify(named.toSorted())}`;
  const kind = spec.client ?? "shared";
  const obtain = async (recording: Target): Promise<{ grant: Grant; sinceSeconds: number }> => {
    const client = (await grantsAreIndependent(target))
      ? await sharedClient(recording, kind)
      : await clientFor(recording, kind, key);
    const grant = await untilUndisturbed(async () =>
      redeemed(recording, () => codeFor(recording, client, spec)),
    );
    const sinceSeconds = target.elapsedSeconds();
    target.note(sharedTokens, {
      accessToken: grant.tokens.access_token,
      untilSeconds: sinceSeconds + renewAfterSeconds,
    });
    return { grant, sinceSeconds };
  };
  const holder = await target.setup.once(key, obtain);
  return target.exclusively(key, async () => {
    // A new grant, not a refresh: a refresh may end the access token that another check is using.
    if (target.elapsedSeconds() - holder.sinceSeconds > renewAfterSeconds)
      Object.assign(holder, await obtain(target.setup));
    return holder.grant;
  });
}

/** An access token of {@link sharedGrant}. */
export async function sharedAccessToken(target: Target, spec: GrantSpec = {}): Promise<string> {
  return (await sharedGrant(target, spec)).tokens.access_token;
}
