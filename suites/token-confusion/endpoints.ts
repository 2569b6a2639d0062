import {
  bearerIn,
  claimsOf,
  openSession,
  postCapability,
  requestChallenge,
  saltOf,
} from "../support/actors/agent.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { followedSessionDocument, mailSession } from "../support/actors/mail-session.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectPowRefused, expectThat, isRefusalStatus } from "../support/judging/expect.ts";
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
import { type Finding, warning } from "../support/verdict.ts";
import { type TokenCode, tokenKinds } from "./tokens.ts";

/** An endpoint that takes some kinds of credential as bearer, and must refuse each of the others. */
export interface Endpoint {
  readonly words: string;
  readonly takes: readonly TokenCode[];
  readonly refuses: readonly TokenCode[];
  /** The document leaves it open whether these are taken. */
  readonly mayTake?: readonly TokenCode[];
  /** Requests that are right in everything but perhaps the token; mostly one. */
  readonly send: (
    target: Target,
    token: string,
    kind: TokenCode,
  ) => Promise<readonly [Exchange, ...Exchange[]]>;
  /** The request was served: the control of the endpoint's refusals. */
  readonly isServed: (exchange: Exchange) => boolean;
  readonly expectRefused: (exchange: Exchange) => Finding | undefined | void;
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
    saltOf(target, await requestChallenge(target)),
    saltOf(target, await requestChallenge(target)),
  ];
  return [
    await send(token, one === two ? one : ""),
    await send(await tokenKinds[kind].another(target), "undefined"),
  ];
}

function expectNoDocument(exchange: Exchange): void {
  const shows = jsonMembers(exchange)["primaryAccounts"] !== undefined;
  expectThat(
    isRefusalStatus(exchange.response.status) && !shows,
    "a refusal with 4xx (not 404, 405 or 429) and no session document",
    summary(exchange),
  );
}

function expectNoMethodResponses(exchange: Exchange): void {
  expectNotServed(exchange);
  expectThat(
    isRefusalStatus(exchange.response.status),
    "a refusal with 4xx (not 404, 405 or 429)",
    summary(exchange),
  );
}

function expectNoList(exchange: Exchange): Finding | undefined {
  expectThat(
    isRefusalStatus(exchange.response.status) && jsonMembers(exchange)["agents"] === undefined,
    "a refusal with 401 and no list",
    summary(exchange),
  );
  return exchange.response.status === 401
    ? undefined
    : warning(`refused with ${exchange.response.status}; a token of another kind is invalid, which is 401`);
}

/** `apiUrl` of the agent's session document. */
function agentApiUrl(target: Target): Promise<string> {
  return target.once("confusion:api-url", async (recording) => {
    const { apiUrl } = await mailSession(recording, await freshCapability(recording));
    return apiUrl;
  });
}

const opens = (exchange: Exchange): boolean => isSuccess(exchange) && bearerIn(exchange) !== undefined;

/** Keyed as in the ids of the requirements. */
export const endpoints: Readonly<Record<string, Endpoint>> = {
  SESS: {
    words: "POST /api/v1/session",
    takes: ["CH"],
    refuses: ["SE", "CA", "AJ", "AM", "RT", "KEY"],
    send: logInWithToken,
    isServed: opens,
    expectRefused: expectPowRefused,
    control: firstLogin,
  },
  CAPA: {
    words: "POST /api/v1/capability",
    takes: ["SE"],
    refuses: ["CH", "CA", "AJ", "AM", "RT", "KEY"],
    send: async (target, token) => [await postCapability(target, token)],
    isServed: opens,
    expectRefused: expectPowRefused,
  },
  WKJ: {
    words: "GET /.well-known/jmap",
    takes: ["CA"],
    refuses: ["CH", "SE", "AM", "RT", "KEY"],
    mayTake: ["AJ"],
    send: async (target, token) => [await followedSessionDocument(target, [bearer(token)])],
    isServed: (exchange) => isSuccess(exchange) && jsonMembers(exchange)["primaryAccounts"] !== undefined,
    expectRefused: expectNoDocument,
  },
  APIU: {
    words: "a JMAP request to apiUrl without the account header",
    takes: ["CA"],
    refuses: ["CH", "SE", "AJ", "AM", "RT", "KEY"],
    send: async (target, token) => [
      await postJmap(target, {
        url: await agentApiUrl(target),
        headers: [bearer(token), jsonContentType],
        body: inboxQuery,
      }),
    ],
    isServed: (exchange) => methodResponses(exchange) !== undefined,
    expectRefused: expectNoMethodResponses,
  },
  JMAP: {
    words: "POST /jmap with the account header of a human's inbox",
    takes: ["AJ"],
    refuses: ["CH", "SE", "AM", "RT", "AC", "KEY"],
    mayTake: ["CA"],
    send: async (target, token) => [await jmapAs(target, token, await inboxOf(target), inboxQuery)],
    isServed: (exchange) => methodResponses(exchange) !== undefined,
    expectRefused: expectNoMethodResponses,
  },
  AGEN: {
    words: "GET /api/v1/agents",
    takes: ["AJ", "AM"],
    refuses: ["CH", "SE", "CA", "RT", "AC", "KEY"],
    send: async (target, token) => [await getAgents(target, [bearer(token)])],
    isServed: (exchange) => Array.isArray(jsonMembers(exchange)["agents"]),
    expectRefused: expectNoList,
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
