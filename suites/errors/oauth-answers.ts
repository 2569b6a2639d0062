import { decodeJwt, decodeProtectedHeader } from "jose";
import { allAttempts } from "../support/actors/authorization.ts";
import { isAskedByBrowser } from "../support/actors/browser-accept.ts";
import {
  type Exchange,
  formParameters,
  isRedirect,
  isSuccess,
  jsonMembers,
  isHtml,
  valuesOf,
} from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";
import { gatewayRefusals, isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import type { Profile } from "../support/target/profile.ts";
import type { Target } from "../support/target/target.ts";

/** What these checks look at: the whole run of a target. */
export type Run = Pick<Target, "authUrl" | "apiUrl" | "mcpUrl" | "runExchanges" | "noted"> & {
  readonly profile: Pick<Profile, "names" | "clients">;
};

/** What the document's error table speaks of: the OAuth endpoints, and JMAP with an OAuth token. */
export type Endpoint = "authorize" | "token" | "revoke" | "register" | "agents" | "jmap";

/** The answer of one of these endpoints to a request that is well-formed as HTTP. */
export interface OAuthAnswer {
  readonly endpoint: Endpoint;
  readonly exchange: Exchange;
  /** `error` of the body, or the one code that an error page of the authorization endpoint shows. */
  readonly code: string | undefined;
}

/** The codes of the document's error table. */
const tableCodes = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "invalid_token",
  "insufficient_scope",
  "access_denied",
] as const;

/**
 * Every answer of the run that the rules about OAuth errors apply to. Left out is what those rules leave open: redirects,
 * what a gateway may answer by itself, and requests for which the interpretations allow any error.
 */
export function oauthAnswers(run: Run): OAuthAnswer[] {
  const requests = requestsOf(run);
  const answers = answersOf(run);
  const longest = longestHeadPart(run);
  const unregistered = redirectUriRefusals(run);
  return run.runExchanges().flatMap((exchange) => {
    if (unregistered.has(exchange.number)) return [];
    let answer = answers.get(exchange);
    if (answer === undefined) {
      answer = answerIn(exchange, requests, longest) ?? null;
      answers.set(exchange, answer);
    }
    return answer ?? [];
  });
}

/** What each exchange of a target is; null for what the rules do not apply to. */
type KnownAnswers = WeakMap<Exchange, OAuthAnswer | null>;

const knownAnswers = new WeakMap<Run["profile"], KnownAnswers>();

/** Every check of the whole run asks what the same thousands of exchanges are, which never changes. */
function answersOf({ profile }: Run): KnownAnswers {
  const known = knownAnswers.get(profile) ?? new WeakMap();
  knownAnswers.set(profile, known);
  return known;
}

function answerIn(
  exchange: Exchange,
  requests: readonly EndpointRequests[],
  longest: number,
): OAuthAnswer | undefined {
  const { status } = exchange.response;
  const isTheServices = status >= 200 && status < 500 && !gatewayRefusals.includes(status);
  if (!isTheServices || isRedirect(exchange) || hasLongHead(exchange, longest)) return undefined;
  const endpoint = requests.find(({ matches }) => matches(exchange))?.endpoint;
  return endpoint && { endpoint, exchange, code: codeOf(endpoint, exchange) };
}

// Below the limits that gateways have by default; some answer what is longer with a 400 and a page.
const longestByDefault = 4000;

/** What every gateway of the target lets through: it issues access tokens of that length itself. */
function longestHeadPart({ runExchanges, authUrl }: Run): number {
  let longest = longestByDefault;
  for (const exchange of runExchanges()) {
    // What is shorter as a whole need not be parsed.
    const mayBeLonger = exchange.response.body.length > longest;
    if (!mayBeLonger || exchange.request.url !== `${authUrl}/oauth/token` || !isSuccess(exchange)) continue;
    const { access_token: token } = jsonMembers(exchange);
    if (typeof token === "string") longest = Math.max(longest, `Bearer ${token}`.length);
  }
  return longest;
}

function hasLongHead({ request }: Exchange, longest: number): boolean {
  return [request.url, ...request.headers.map(([, value]) => value)].some(({ length }) => length > longest);
}

/** The refusals whose body is judged: what the document answers with 400, 401 or 403. */
export function oauthRefusals(run: Run, endpoints: readonly Endpoint[]): OAuthAnswer[] {
  return oauthAnswers(run).filter(
    (answer) => endpoints.includes(answer.endpoint) && isJudgedRefusal(run, answer),
  );
}

function isJudgedRefusal(run: Run, { endpoint, exchange }: OAuthAnswer): boolean {
  const { status } = exchange.response;
  if (![400, 401, 403].includes(status)) return false;
  // Error pages of the authorization endpoint are for people (C-01); elsewhere a firewall answers 403 with a page, and who
  // asks for HTML first may get it (RFC 9110 §12).
  if (isHtml(exchange))
    return (
      endpoint !== "authorize" &&
      status !== 403 &&
      !isStoppedByGateway(exchange) &&
      !isAskedByBrowser(exchange)
    );
  // A JMAP request-level error is a 400 of RFC 8620 §3.6.1, the account header's has a free body (C-13), and so has the
  // refusal of what may be a proof-of-work credential (C-57).
  return endpoint !== "jmap" || (status !== 400 && isAccessTokenFor(exchange, [jmapUrl(run)]));
}

/** The error codes that went to the client by redirect, where no status belongs to them. */
export function redirectedCodes(run: Run): string[] {
  return run.noted(allAttempts).flatMap(({ end }) => {
    if (end.kind !== "redirect") return [];
    const error = valueOf(formParameters(queryOf(end.location)), "error");
    return error === undefined ? [] : [error];
  });
}

interface EndpointRequests {
  readonly endpoint: Endpoint;
  readonly matches: (exchange: Exchange) => boolean;
}

function requestsOf(run: Run): readonly EndpointRequests[] {
  const { authUrl, mcpUrl, profile } = run;
  const at = (method: string, url: string) => (exchange: Exchange) =>
    exchange.request.method === method && exchange.request.url.split("?", 1)[0] === url;
  const authorize = at("GET", `${authUrl}/oauth/authorize`);
  const token = at("POST", `${authUrl}/oauth/token`);
  const revoke = at("POST", `${authUrl}/oauth/revoke`);
  const register = at("POST", `${authUrl}/oauth/register`);
  const agents = at("GET", `${authUrl}/api/v1/agents`);
  const jmap = at("POST", jmapUrl(run));
  return [
    // A URL as client_id may get any error (C-97).
    {
      endpoint: "authorize",
      matches: (it) => authorize(it) && !hasUrlAsClientId(it) && isDecodable(queryOf(it.request.url)),
    },
    { endpoint: "token", matches: (it) => token(it) && isForm(it) },
    // Success has no body that means anything (C-69).
    { endpoint: "revoke", matches: (it) => revoke(it) && isForm(it) && !isSuccess(it) },
    { endpoint: "register", matches: (it) => register(it) && isJson(it) },
    {
      endpoint: "agents",
      matches: (it) => agents(it) && isOAuthBearer(it, [jmapUrl(run), `${mcpUrl}/mcp`]),
    },
    {
      endpoint: "jmap",
      matches: (it) =>
        jmap(it) && isOAuthBearer(it, [jmapUrl(run)]) && selectsInbox(it, profile.names.account_header),
    },
  ];
}

/** The address of JMAP, and the resource of access tokens for it. */
function jmapUrl({ apiUrl }: Run): string {
  return `${apiUrl}/jmap`;
}

/** Refusals at the authorization endpoint of a `redirect_uri` that is not registered: they may be any 4xx (C-04). */
function redirectUriRefusals(run: Run): ReadonlySet<number> {
  const refused = run.noted(allAttempts).filter(({ registered, parameters }) => {
    const requested = valueOf(parameters, "redirect_uri");
    return registered.length > 0 && (requested === undefined || !registered.includes(requested));
  });
  return new Set(refused.flatMap(({ first, end }) => [first.number, end.exchange.number]));
}

function codeOf(endpoint: Endpoint, exchange: Exchange): string | undefined {
  if (endpoint === "authorize" && isHtml(exchange)) {
    if (isSuccess(exchange)) return undefined;
    const visible = tableCodes.filter((code) => exchange.response.body.includes(code));
    return visible.length === 1 ? visible[0] : undefined;
  }
  const { error } = jsonMembers(exchange);
  return typeof error === "string" ? error : undefined;
}

/** Every value of a request header. */
export function requestHeaders({ request }: Exchange, name: string): string[] {
  return valuesOf(request.headers, name);
}

function hasUrlAsClientId({ request }: Exchange): boolean {
  const clientId = valueOf(formParameters(queryOf(request.url)), "client_id") ?? "";
  return /^https?:/iu.test(clientId);
}

function queryOf(url: string): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : (url.slice(at + 1).split("#", 1)[0] ?? "");
}

function isForm(exchange: Exchange): boolean {
  const { body } = exchange.request;
  return hasMediaType(exchange, "application/x-www-form-urlencoded") && isDecodable(body);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    // What was sent in bytes that are not UTF-8 was recorded with this character.
    return !text.includes("\uFFFD");
  } catch {
    // A malformed escape: what answers it may not be the service.
    return false;
  }
}

function isJson(exchange: Exchange): boolean {
  if (!hasMediaType(exchange, "application/json")) return false;
  try {
    const body: unknown = JSON.parse(exchange.request.body);
    // Frameworks take objects and arrays alone for JSON, and answer the rest themselves.
    return typeof body === "object" && body !== null;
  } catch {
    // A framework refuses such a body before the service sees it.
    return false;
  }
}

function hasMediaType(exchange: Exchange, type: string): boolean {
  const [only, ...others] = requestHeaders(exchange, "content-type");
  const isEncoded = requestHeaders(exchange, "content-encoding").length > 0;
  return others.length === 0 && !isEncoded && only?.split(";", 1)[0]?.trim().toLowerCase() === type;
}

/** A single bearer token that is an access token for one of these resources, or no JWT at all. */
function isOAuthBearer(exchange: Exchange, resources: readonly string[]): boolean {
  const token = bearerOf(exchange);
  return token !== undefined && (claimsOf(token) === undefined || isAccessTokenFor(exchange, resources));
}

/**
 * Whether the bearer token is an access token for one of these resources. Others may get any refusal (C-08, C-11, C-57), a
 * capability among them, whose `aud` may be the same resource.
 */
function isAccessTokenFor(exchange: Exchange, resources: readonly string[]): boolean {
  const token = bearerOf(exchange) ?? "";
  const audience = claimsOf(token)?.aud;
  return [audience ?? []].flat().some((it) => resources.includes(it)) && isAccessTokenType(token);
}

function isAccessTokenType(token: string): boolean {
  try {
    return /^(?:application\/)?at\+jwt$/iu.test(decodeProtectedHeader(token).typ ?? "");
  } catch {
    // No header that could say so.
    return false;
  }
}

function bearerOf(exchange: Exchange): string | undefined {
  const [only, ...others] = requestHeaders(exchange, "authorization");
  return others.length === 0 ? /^bearer ([^\s,]+)$/iu.exec(only ?? "")?.[1] : undefined;
}

function claimsOf(token: string): { aud?: string | string[] } | undefined {
  try {
    return decodeJwt(token);
  } catch {
    // Not a JWT: the answer to the question.
    return undefined;
  }
}

/** One account header with a UUID that is neither nil nor max: others may get 400 or 403 with any body (C-13, C-16). */
function selectsInbox(exchange: Exchange, name: string): boolean {
  const [only = "", ...others] = requestHeaders(exchange, name);
  const isUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu.test(only);
  return others.length === 0 && isUuid && !/^(?:[0-]+|[f-]+)$/iu.test(only);
}
