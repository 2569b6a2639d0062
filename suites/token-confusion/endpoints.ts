import { claimsOf, openSession, postCapability, requestChallenge, saltOf } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { followedSessionDocument, mailSession } from "../support/actors/mail-session.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { type Exchange, header, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  bearer,
  getAgents,
  inboxQuery,
  jmapAs,
  jsonContentType,
  methodResponses,
  postJmap,
} from "../support/actors/jmap.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, InconclusiveError, Violation, warning } from "../support/verdict.ts";
import { type TokenCode, tokenKinds } from "./tokens.ts";

/** An endpoint that takes some kinds of credential as bearer, and must refuse each of the others. */
export interface Endpoint {
  /** Names it in check ids. */
  readonly slug: string;
  readonly words: string;
  readonly takes: readonly TokenCode[];
  readonly refuses: readonly TokenCode[];
  /** The document leaves it open whether these are taken. */
  readonly mayTake?: readonly TokenCode[];
  /** Statuses that a refusal has; another one warns. Any 4xx where none are given. */
  readonly usualStatuses?: readonly number[];
  /** The check that judges by itself whether the endpoint serves its own kind of token. */
  readonly judgedBy: string;
  /** Requests that are right but for the token, perhaps; mostly one. */
  readonly send: (
    target: Target,
    token: string,
    kind: TokenCode,
  ) => Promise<readonly [Exchange, ...Exchange[]]>;
  /** The request was served: the control of the endpoint's refusals. */
  readonly isServed: (exchange: Exchange) => boolean;
  /** Something that only a served request gets is in the response, whatever its status. */
  readonly shows: (exchange: Exchange) => boolean;
  /** A request with a token of its own, where sending alone is not enough. */
  readonly control?: (target: Target) => Promise<Exchange>;
}

/**
 * Logins with the foreign token in the place of the challenge, and the digest of nonce 0 over that token's own jti. A
 * server that verifies only the signature reads no difficulty in it and takes any digest. A salt it may read as nothing
 * or as the word undefined, or know by itself; each is tried with a token of its own, since one try may use a token up.
 */
async function logInWithToken(
  target: Target,
  token: string,
  kind: TokenCode,
): Promise<readonly [Exchange, ...Exchange[]]> {
  const { apiKey } = await sharedAgent(target);
  const send = async (bearerToken: string, saltHexText: string): Promise<Exchange> => {
    const jti = String(claimsOf(bearerToken)?.["jti"]);
    const digest = await powDigest({ jti, nonce: "0", saltHexText });
    const powHex = Buffer.from(digest).toString("hex");
    return openSession(target, bearerToken, { powHex, nonce: "0", apiKey });
  };
  const [one, two] = [
    saltOf(target, await requestChallenge(target.setup)),
    saltOf(target, await requestChallenge(target.setup)),
  ];
  return [
    await send(token, one === two ? one : ""),
    await send(await tokenKinds[kind].another(target), "undefined"),
  ];
}

const showsDocument = (exchange: Exchange): boolean => jsonMembers(exchange)["primaryAccounts"] !== undefined;

const showsResponses = (exchange: Exchange): boolean => methodResponses(exchange) !== undefined;

const showsList = (exchange: Exchange): boolean => jsonMembers(exchange)["agents"] !== undefined;

/**
 * The endpoint refused the request: a 4xx of its own that shows nothing.
 *
 * @throws {InconclusiveError} for a 5xx, which says nothing about the request; ERR-11 judges it
 */
export function expectRefused({ shows, usualStatuses }: Endpoint, exchange: Exchange): Warning | undefined {
  const { status } = exchange.response;
  if (shows(exchange))
    throw new Violation("a refusal", `${summary(exchange)} with what only a served request gets`, {
      exchange,
    });
  if (status >= 500) {
    throw new InconclusiveError(
      "target-unreachable",
      `a request with a token of another kind: expected a decision about it, got ${summary(exchange)}`,
      { exchange, explainedBy: "ERR-11" },
    );
  }
  if (!isRefusal(exchange))
    throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  if (usualStatuses === undefined || usualStatuses.includes(status)) return undefined;
  return warning(`refused with ${status} instead of ${usualStatuses.join(" or ")}`);
}

/** `apiUrl` of the agent's session document. */
function agentApiUrl(target: Target): Promise<string> {
  return target.setup.once("confusion:api-url", async (recording) => {
    const { apiUrl } = await mailSession(recording, await freshCapability(recording));
    return apiUrl;
  });
}

const showsToken = (exchange: Exchange): boolean => header(exchange, "authorization") !== undefined;

/** Keyed as in the ids of the requirements. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  SESS: {
    slug: "session",
    words: "`POST /api/v1/session`",
    judgedBy: "POW-07/session",
    takes: ["CH"],
    refuses: ["SE", "CA", "AJ", "AM", "RT", "KEY"],
    send: logInWithToken,
    isServed: (exchange) => isSuccess(exchange) && showsToken(exchange),
    shows: showsToken,
    control: firstLogin,
  },
  CAPA: {
    slug: "capability",
    words: "`POST /api/v1/capability`",
    judgedBy: "POW-48",
    takes: ["SE"],
    refuses: ["CH", "CA", "AJ", "AM", "RT", "KEY"],
    send: async (target, token) => [await postCapability(target, token)],
    isServed: (exchange) => isSuccess(exchange) && showsToken(exchange),
    shows: showsToken,
  },
  WKJ: {
    slug: "session-document",
    words: "`GET /.well-known/jmap`",
    judgedBy: "POW-59",
    takes: ["CA"],
    refuses: ["CH", "SE", "AM", "RT", "KEY"],
    mayTake: ["AJ"],
    send: async (target, token) => [await followedSessionDocument(target, [bearer(token)])],
    isServed: (exchange) => isSuccess(exchange) && showsDocument(exchange),
    shows: showsDocument,
  },
  APIU: {
    slug: "api-url",
    words: "`apiUrl` without the account header",
    judgedBy: "POW-66",
    takes: ["CA"],
    refuses: ["CH", "SE", "AJ", "AM", "RT", "KEY"],
    send: async (target, token) => [
      await postJmap(target, {
        url: await agentApiUrl(target),
        headers: [bearer(token), jsonContentType],
        body: inboxQuery,
      }),
    ],
    isServed: showsResponses,
    shows: showsResponses,
  },
  JMAP: {
    slug: "jmap",
    words: "`POST /jmap` with the account header of a human's inbox",
    judgedBy: "JMAP-01",
    takes: ["AJ"],
    refuses: ["CH", "SE", "AM", "RT", "AC", "KEY"],
    mayTake: ["CA"],
    send: async (target, token) => [await jmapAs(target, token, await inboxOf(target), inboxQuery)],
    isServed: showsResponses,
    shows: showsResponses,
    usualStatuses: [401, 403],
  },
  AGEN: {
    slug: "inbox-list",
    words: "`GET /api/v1/agents`",
    judgedBy: "AGENTS-01",
    takes: ["AJ", "AM"],
    refuses: ["CH", "SE", "CA", "RT", "AC", "KEY"],
    send: async (target, token) => [await getAgents(target, [bearer(token)])],
    isServed: (exchange) => Array.isArray(jsonMembers(exchange)["agents"]),
    shows: showsList,
    usualStatuses: [401],
  },
};

/** The answer to the endpoint's own kind of token; one for all checks of the endpoint. */
export function ownToken(target: Target, code: string, kind: TokenCode): Promise<Exchange> {
  return target.once(`control:confusion:${code}:${kind}`, async (recording) => {
    const endpoint = endpoints[code];
    if (endpoint === undefined) throw new TypeError(`there is no endpoint ${code}`);
    if (endpoint.control !== undefined) return endpoint.control(recording);
    const [exchange] = await endpoint.send(recording, await tokenKinds[kind].obtain(recording), kind);
    return exchange;
  });
}
