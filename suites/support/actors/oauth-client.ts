import { controlRefused } from "../wire/control-refused.ts";
import { createHash, randomBytes } from "node:crypto";
import { type Exchange, isJsonObject, jsonBody } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { encodeParameters, type Parameters } from "../wire/parameters.ts";
import type { Target } from "../target/target.ts";

/** An OAuth client as the target knows it. */
export interface Client {
  readonly client_id: string;
  /** Only a confidential client has one. */
  readonly client_secret?: string;
  /** When the secret ends (RFC 7591 §3.2.1), in seconds of `elapsedSeconds`; absent when it does not, or nobody said so. */
  readonly secretEndsAtSeconds?: number;
  /** Byte for byte as registered. */
  readonly redirect_uris: readonly string[];
}

/** An authorization request with its PKCE verifier; `parameters` is what crosses the wire. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly verifier: string;
  readonly parameters: Parameters;
}

/** A fresh PKCE code verifier of 43 characters (RFC 7636 §4.1). */
export function newVerifier(): string {
  return randomBytes(32).toString("base64url");
}

/** BASE64URL(SHA256(verifier)). Document, "Endpoints", authorize parameters. */
export function s256(verifier: string): string {
  return createHash("sha256").update(verifier, "utf8").digest("base64url");
}

/** A value that no two requests share. */
export function unguessable(): string {
  return randomBytes(16).toString("base64url");
}

/** `{api_url}/jmap`: the resource for direct JMAP access. Document, "Authentication", OAuth 2.0 path 6. */
export function jmapResource(target: Target): string {
  return `${target.apiUrl}/jmap`;
}

/** `{mcp_url}/mcp`: the resource for MCP connections. */
export function mcpResource(target: Target): string {
  return `${target.mcpUrl}/mcp`;
}

/** The resource of a single inbox. */
export function agentResource(target: Target, accountId: string): string {
  return `${target.profile.names.agent_urn_prefix}${accountId}`;
}

/**
 * The eight parameters of a valid authorization request, with fresh `state` and PKCE pair. Checks change it with
 * `without`, `replacing` and `adding`, so that the check itself shows what is sent.
 */
export function authorizationRequest(
  target: Target,
  client: Client,
  choice: {
    redirect_uri?: string;
    scope?: string;
    resource?: string;
    verifier?: string;
    state?: string;
  } = {},
): AuthorizationRequest {
  const verifier = choice.verifier ?? newVerifier();
  return {
    client,
    verifier,
    parameters: [
      ["response_type", "code"],
      ["client_id", client.client_id],
      ["redirect_uri", choice.redirect_uri ?? registeredRedirectUri(client)],
      ["scope", choice.scope ?? "mail.read mail.send"],
      ["resource", choice.resource ?? jmapResource(target)],
      ["state", choice.state ?? unguessable()],
      ["code_challenge", s256(verifier)],
      ["code_challenge_method", "S256"],
    ],
  };
}

/** The first of them. @throws {TypeError} when the client has none */
export function registeredRedirectUri(client: Client): string {
  const [first] = client.redirect_uris;
  if (first === undefined) throw new TypeError(`client ${client.client_id} has no redirect_uri`);
  return first;
}

/** The URL that a client sends the browser to; nothing of the parameters is checked or added. */
export function authorizationUrl(target: Target, parameters: Parameters): string {
  return `${target.authUrl}/oauth/authorize?${encodeParameters(parameters)}`;
}

export interface AuthorizationCode {
  readonly code: string;
  readonly redirect_uri: string;
  readonly verifier: string;
  readonly client: Client;
}

/** The fields of a valid code exchange. */
export function codeExchange(code: AuthorizationCode): Parameters {
  return [
    ["grant_type", "authorization_code"],
    ["code", code.code],
    ["redirect_uri", code.redirect_uri],
    ["client_id", code.client.client_id],
    ["code_verifier", code.verifier],
    ...secretOf(code.client),
  ];
}

/** The fields of a valid refresh. */
export function refreshExchange(client: Client, refreshToken: string): Parameters {
  return [
    ["grant_type", "refresh_token"],
    ["refresh_token", refreshToken],
    ["client_id", client.client_id],
    ...secretOf(client),
  ];
}

/** `client_secret` for a confidential client, nothing for a public one. */
export function secretOf(client: Client): Parameters {
  return client.client_secret === undefined ? [] : [["client_secret", client.client_secret]];
}

export const formContentType = ["Content-Type", "application/x-www-form-urlencoded"] as const;

/** A token request with exactly these fields. Document, "POST /oauth/token". */
export function postToken(target: Target, fields: Parameters): Promise<Exchange> {
  return target.send(tokenRequest(target, fields));
}

/** What {@link postToken} sends, for requests that are sent in another way. */
export function tokenRequest(target: Target, fields: Parameters): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/oauth/token`,
    headers: [formContentType, ["Accept", "application/json"]],
    body: encodeParameters(fields),
  };
}

/** A revocation with exactly these fields (RFC 7009 §2.1). */
export function postRevoke(target: Target, fields: Parameters): Promise<Exchange> {
  return target.send(revocationRequest(target, fields));
}

/** What {@link postRevoke} sends. */
export function revocationRequest(target: Target, fields: Parameters): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/oauth/revoke`,
    headers: [formContentType],
    body: encodeParameters(fields),
    // RFC 7009 §2.2: what is revoked already is answered like what is revoked now.
    isRepeatable: true,
  };
}

/** The members of a token response that later requests need. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Space separated, as granted. */
  readonly scope: string;
}

/** @throws {InconclusiveError} control-refused, when the exchange is not a usable token response */
export function requireTokens(exchange: Exchange, what: string, explainedBy = "TOKEN-01"): Tokens {
  const body = jsonBody(exchange);
  if (exchange.response.status === 200 && isJsonObject(body)) {
    const { access_token, refresh_token, scope } = body;
    if (typeof access_token === "string" && typeof refresh_token === "string") {
      return { access_token, refresh_token, scope: typeof scope === "string" ? scope : "" };
    }
  }
  throw controlRefused(what, "200 with access_token and refresh_token", exchange, explainedBy);
}
