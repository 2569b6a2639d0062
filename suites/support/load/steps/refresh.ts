import { type Client, refreshExchange, tokenRequest } from "../../actors/oauth-client.ts";
import { type Exchange, jsonMembers, summary } from "../../wire/exchange.ts";
import { expectTokenRefused } from "../../judging/expect.ts";
import type { Grant } from "../../material/grants.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { Target } from "../../target/target.ts";
import { Violation } from "../../verdict.ts";
import { type Answer, isShed } from "../engines/answer.ts";
import type { LoadStep, Volley } from "../load-step.ts";
import { separateGrants } from "./separate-grants.ts";

// Each may be under way for this many times the pause between two requests.
const grantsInTurn = 12;

/** `POST {auth_url}/oauth/token` with a refresh token that is used once: a new one each, as long as the load goes on. */
export const refresh: LoadStep = {
  name: "refresh",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, { requests }) {
    const grants = await separateGrants(target, Math.min(grantsInTurn, requests));
    return { next: refreshInTurn(presentTo(target), grants) };
  },
};

/** A request that presents a refresh token of a client. */
export type Present = (client: Client, refreshToken: string) => Outgoing;

export function presentTo(target: Target): Present {
  return (client, refreshToken) => tokenRequest(target, refreshExchange(client, refreshToken));
}

interface Current {
  readonly grant: Grant;
  readonly token: string;
  /** It was presented before, and the target said that it was too busy. */
  readonly wasShed: boolean;
}

/**
 * Refreshes grants in turn, each with the token of its last answer. A grant rests while its refresh is under way, so that no
 * token is presented twice. One whose answer never came is not used again: nobody knows which token is its current one.
 *
 * @returns undefined while all grants are under way
 */
export function refreshInTurn(present: Present, grants: readonly Grant[]): () => Volley | undefined {
  const idle: Current[] = grants.map((grant) => ({
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
      requests: [present(grant.client, token)],
      // A target that was too busy to answer may have rotated all the same, and then it refuses.
      isPlanned: (status) => status === 200 || (wasShed && status === 400),
      judgesAll: true,
      judge([exchange]) {
        if (exchange === undefined) return;
        if (wasShed && exchange.response.status === 400) expectTokenRefused(exchange, ["invalid_grant"]);
        else expectRotation(exchange, issued);
      },
      settled([answer]) {
        if (answer === undefined) return;
        const next = isShed(answer) ? token : refreshTokenIn(answer);
        if (next !== undefined) idle.push({ grant, token: next, wasShed: isShed(answer) });
      },
    };
  };
}

function refreshTokenIn({ status, body }: Answer): string | undefined {
  if (status !== 200) return undefined;
  try {
    const { refresh_token: token } = Object(JSON.parse(body)) as Record<string, unknown>;
    return typeof token === "string" ? token : undefined;
  } catch {
    // Not JSON: what `judge` says of it is enough.
    return undefined;
  }
}

/**
 * 200 with an access token and a refresh token that no answer had before; it is added to those that were.
 *
 * @param issued - every refresh token so far, of all grants
 */
export function expectRotation(exchange: Exchange, issued: Set<string>): void {
  const { access_token: accessToken, refresh_token: token } = jsonMembers(exchange);
  if (exchange.response.status !== 200 || typeof accessToken !== "string" || typeof token !== "string")
    throw new Violation("200 with access_token and refresh_token", summary(exchange));
  if (issued.has(token)) throw new Violation("a new refresh token", "one that was issued before");
  issued.add(token);
}
