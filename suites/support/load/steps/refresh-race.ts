import { type Exchange, isSuccess, summary } from "../../wire/exchange.ts";
import { expectNoTokens, expectOAuthErrorShape, expectThat, isRefusalStatus } from "../../judging/expect.ts";
import type { Grant } from "../../material/grants.ts";
import type { Outgoing } from "../../wire/http.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep, Volley } from "../load-step.ts";
import { type Present, presentTo } from "./refresh.ts";
import { separateGrants } from "./separate-grants.ts";

/**
 * One refresh token over two to four connections at the same moment, and once more when it has been superseded. It costs a
 * grant for every two turns: whoever loses has presented a superseded token, which ends the grant.
 */
export const refreshRace: LoadStep = {
  name: "refresh-race",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, { requests }) {
    const grants = await separateGrants(target, Math.ceil(requests / 2) + 1);
    return { next: raceInTurn(presentTo(target), grants) };
  },
};

const fewestCopies = 2;
const mostCopies = 4;

/** How many connections take part in a race: two to four in turn. */
export function copiesInTurn(turn: number): number {
  return fewestCopies + (turn % (mostCopies - fewestCopies + 1));
}

/** @returns undefined when no grant is left and none has been raced for */
export function raceInTurn(present: Present, grants: readonly Grant[]): () => Volley | undefined {
  const fresh = [...grants];
  const superseded: Outgoing[] = [];
  let turn = 0;
  return () => {
    const spent = superseded.shift();
    if (spent !== undefined) return reuseOf(spent);
    const grant = fresh.shift();
    if (grant === undefined) return undefined;
    const request = present(grant.client, grant.tokens.refresh_token);
    const copies = copiesInTurn(turn);
    turn += 1;
    return {
      requests: Array.from({ length: copies }, () => request),
      isPlanned: (status) => status === 200 || isRefusalStatus(status),
      judgesAll: true,
      judge: (exchanges) => expectOneWinner(exchanges, expectNoRefresh),
      settled(answers) {
        // Where none was seen to win, the token may still be the current one.
        if (answers.some((answer) => answer?.status === 200)) superseded.push(request);
      },
    };
  };
}

function reuseOf(request: Outgoing): Volley {
  return {
    requests: [request],
    isPlanned: isRefusalStatus,
    judgesAll: true,
    judge([exchange]) {
      if (exchange !== undefined) expectNoRefresh(exchange);
    },
  };
}

/**
 * Of requests that only one may win, one at most did.
 *
 * @param expectLost - what an answer must be that is no success
 */
export function expectOneWinner(
  exchanges: readonly Exchange[],
  expectLost: (exchange: Exchange) => void,
): void {
  const winners = exchanges.filter(isSuccess).length;
  expectThat(
    winners <= 1,
    "one at most of identical requests at the same moment to succeed",
    `${winners} of ${exchanges.length}`,
  );
  for (const exchange of exchanges) if (!isSuccess(exchange)) expectLost(exchange);
}

/** A refusal without tokens. The document revokes the grant and names no code for the attempt itself. */
function expectNoRefresh(exchange: Exchange): void {
  expectNoTokens(exchange);
  if (!isRefusalStatus(exchange.response.status))
    throw new Violation("a superseded refresh token to be refused with 4xx", summary(exchange));
  expectOAuthErrorShape(exchange);
}
