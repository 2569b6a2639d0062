import { type Client, refreshExchange, tokenRequest } from "../../actors/oauth-client.ts";
import { type Exchange, jsonMembers, summary } from "../../wire/exchange.ts";
import { expectTokenRefused } from "../../judging/expect.ts";
import type { Grant } from "../../material/grants.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import { type LoadResponse, isShed } from "../engines/response.ts";
import type { LoadStep, Batch } from "../load-step.ts";
import { separateGrants } from "./separate-grants.ts";

// A refresh may take this many times the interval between two requests.
const maxGrants = 12;

/** `POST {auth_url}/oauth/token` with a current refresh token, rotating a set of grants. */
export const refresh: LoadStep = {
  name: "refresh",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, { requests }) {
    const grants = await separateGrants(target, Math.min(maxGrants, requests));
    return { next: refreshRotations(refreshRequestFor(target), grants) };
  },
};

/** Creates a refresh request. */
export type RefreshRequest = (client: Client, refreshToken: string) => Outgoing;

export function refreshRequestFor(target: Target): RefreshRequest {
  return (client, refreshToken) => tokenRequest(target, refreshExchange(client, refreshToken));
}

interface CurrentToken {
  readonly grant: Grant;
  readonly token: string;
  /** The previous request with this token was shed. */
  readonly wasShed: boolean;
}

/**
 * Refreshes grants in rotation, each with the token of its last response. A grant with a request in flight is skipped, so that
 * no token is presented twice. A grant whose request failed is not used again, because its current token is unknown.
 *
 * @returns creates the next request; undefined while all grants have a request in flight
 */
export function refreshRotations(
  refreshRequest: RefreshRequest,
  grants: readonly Grant[],
): () => Batch | undefined {
  const idle: CurrentToken[] = grants.map((grant) => ({
    grant,
    token: grant.tokens.refresh_token,
    wasShed: false,
  }));
  const issued = new Set(idle.map(({ token }) => token));
  return () => {
    const current = idle.shift();
    if (current === undefined) return undefined;
    const { grant, token, wasShed } = current;
    return {
      requests: [refreshRequest(grant.client, token)],
      // A target that shed the previous request may have rotated the token anyway.
      isExpectedStatus: (status) => status === 200 || (wasShed && status === 400),
      judgesAll: true,
      judge([exchange]) {
        if (exchange === undefined) return;
        if (wasShed && exchange.response.status === 400) expectTokenRefused(exchange, ["invalid_grant"]);
        else expectRotation(exchange, issued);
      },
      onSettled([response]) {
        if (response === undefined) return;
        const next = isShed(response) ? token : refreshTokenIn(response);
        if (next !== undefined) idle.push({ grant, token: next, wasShed: isShed(response) });
      },
    };
  };
}

function refreshTokenIn({ status, body }: LoadResponse): string | undefined {
  if (status !== 200) return undefined;
  try {
    const { refresh_token: token } = Object(JSON.parse(body)) as Record<string, unknown>;
    return typeof token === "string" ? token : undefined;
  } catch {
    // `judge` reports the invalid body.
    return undefined;
  }
}

/**
 * Expects 200 with an access token and a new refresh token, which is added to `issued`.
 *
 * @param issued - all refresh tokens so far, of all grants
 */
function expectRotation(exchange: Exchange, issued: Set<string>): void {
  const { access_token: accessToken, refresh_token: token } = jsonMembers(exchange);
  if (exchange.response.status !== 200 || typeof accessToken !== "string" || typeof token !== "string")
    throw new Violation("200 with access_token and refresh_token", summary(exchange));
  if (issued.has(token)) throw new Violation("a new refresh token", "one that was issued before");
  issued.add(token);
}
