import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import {
  expectNoTokens,
  expectOAuthErrorShape,
  expectThat,
  isRefusal,
  isRefusalStatus,
} from "../../judging/expect.ts";
import type { Grant } from "../../material/grants.ts";
import type { Outgoing } from "../../wire/http.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep, Batch } from "../load-step.ts";
import { type RefreshRequest, refreshRequestFor } from "./refresh.ts";
import { separateGrants } from "./separate-grants.ts";

/**
 * Sends one refresh token concurrently on two to four connections, and again after it has been superseded. Every race needs a
 * grant of its own, because presenting a superseded token revokes the grant.
 */
export const refreshRace: LoadStep = {
  name: "refresh-race",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, { requests }) {
    const grants = await separateGrants(target, Math.ceil(requests / 2) + 1);
    return { next: refreshRaces(refreshRequestFor(target), grants) };
  },
};

const minCopies = 2;
const maxCopies = 4;

/** Cycles through two to four concurrent requests. */
export function raceSize(turn: number): number {
  return minCopies + (turn % (maxCopies - minCopies + 1));
}

/** Races, each followed by a replay of its token. The returned function gives undefined when no grant is left. */
export function refreshRaces(
  refreshRequest: RefreshRequest,
  grants: readonly Grant[],
): () => Batch | undefined {
  const fresh = [...grants];
  const superseded: Outgoing[] = [];
  let turn = 0;
  return () => {
    const replayed = superseded.shift();
    if (replayed !== undefined) return reuseBatch(replayed);
    const grant = fresh.shift();
    if (grant === undefined) return undefined;
    const request = refreshRequest(grant.client, grant.tokens.refresh_token);
    const copies = raceSize(turn);
    turn += 1;
    return {
      requests: Array.from({ length: copies }, () => request),
      isExpectedStatus: (status) => status === 200 || isRefusalStatus(status),
      judgesAll: true,
      judge: (exchanges) => expectAtMostOneSuccess(exchanges, expectRefreshRefused),
      onSettled(responses) {
        // Without a visible winner the token may still be current.
        if (responses.some((response) => response?.status === 200)) superseded.push(request);
      },
    };
  };
}

function reuseBatch(request: Outgoing): Batch {
  return {
    requests: [request],
    isExpectedStatus: isRefusalStatus,
    judgesAll: true,
    judge([exchange]) {
      if (exchange !== undefined) expectRefreshRefused(exchange);
    },
  };
}

/** @param expectRefused - checks the exchanges that did not succeed */
export function expectAtMostOneSuccess(
  exchanges: readonly Exchange[],
  expectRefused: (exchange: Exchange) => void,
): void {
  const successes = exchanges.filter(isSuccess).length;
  expectThat(
    successes <= 1,
    "at most one of several identical concurrent requests to succeed",
    `${successes} of ${exchanges.length}`,
  );
  for (const exchange of exchanges) if (!isSuccess(exchange)) expectRefused(exchange);
}

/** A 4xx response without tokens. The document does not specify the error code. */
function expectRefreshRefused(exchange: Exchange): void {
  expectNoTokens(exchange);
  if (!isRefusal(exchange))
    throw new Violation("a superseded refresh token to be refused with 4xx", summary(exchange));
  expectOAuthErrorShape(exchange);
}
