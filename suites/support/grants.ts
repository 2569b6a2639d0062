import {
  authorizationRequest,
  type AuthorizationCode,
  type Client,
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
  type Tokens,
} from "./app.ts";
import { obtainCode } from "./authorization.ts";
import { type ClientKind, sharedClient } from "./clients.ts";
import type { Decision } from "./consent/form-steps.ts";
import type { Exchange } from "./exchange.ts";
import type { WhichHuman } from "./human.ts";
import type { Target } from "./target.ts";

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

/** A fresh, unredeemed authorization code. */
export async function freshCode(target: Target, spec: GrantSpec = {}): Promise<AuthorizationCode> {
  const { human, client = "public", decision, ...choice } = spec;
  const request = authorizationRequest(target, await sharedClient(target, client), choice);
  return obtainCode(target, request, { ...(human && { human }), ...(decision && { decision }) });
}

/**
 * A grant of its own, for a check that may destroy it.
 *
 * @throws {InconclusiveError} control-refused, when the target issues no code or no tokens
 */
export async function freshGrant(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  const code = await freshCode(target, spec);
  const response = await postToken(target, codeExchange(code));
  return { client: code.client, tokens: requireTokens(response, "a valid code exchange"), response };
}

/** The same grant with the tokens of one more refresh. */
export async function refreshed(target: Target, grant: Grant): Promise<Grant> {
  const response = await postToken(target, refreshExchange(grant.client, grant.tokens.refresh_token));
  return { ...grant, tokens: requireTokens(response, "a valid refresh"), response };
}

// Well before the 900 seconds of an access token, so that no check meets one that expires under its hands.
const renewAfterSeconds = 600;

/**
 * A grant that checks of a run share and none destroys, with an access token that is good for minutes.
 *
 * @throws {InconclusiveError} control-refused, when the target issues no code or no tokens
 */
export async function sharedGrant(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  const key = `grant:${JSON.stringify(Object.entries(spec).toSorted())}`;
  const holder = await target.once(key, async (recording) => ({
    grant: await freshGrant(recording, spec),
    sinceSeconds: target.elapsedSeconds(),
  }));
  return target.exclusively(key, async () => {
    if (target.elapsedSeconds() - holder.sinceSeconds > renewAfterSeconds) {
      holder.grant = await refreshed(target, holder.grant);
      holder.sinceSeconds = target.elapsedSeconds();
    }
    return holder.grant;
  });
}

/** An access token of {@link sharedGrant}. */
export async function sharedAccessToken(target: Target, spec: GrantSpec = {}): Promise<string> {
  return (await sharedGrant(target, spec)).tokens.access_token;
}
