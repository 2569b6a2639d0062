import { isTurnedAway } from "../support/actors/simultaneous-requests.ts";
import { requireTokens, type Tokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectOneWinner, type RefreshRace, refreshRace } from "../support/judging/races.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { requireScopeTaken } from "./named-scopes.ts";

const rounds = 5;
const parallelRefreshes = 8;

function winnerOf({ exchanges }: RefreshRace): Tokens | undefined {
  const winner = exchanges.find(isSuccess);
  return winner && requireTokens(winner, "a valid refresh among others", "REFRESH-01");
}

const oneWins = check({
  id: "REFRESH-08",
  claim: `Of ${parallelRefreshes} simultaneous refreshes with one refresh token at most one succeeds, in each of ${rounds} rounds.`,
  needs: ["human"],
  async act(target) {
    const races: RefreshRace[] = [];
    for (let round = 0; round < rounds; round += 1) races.push(await refreshRace(target, parallelRefreshes));
    const after = await Promise.all(
      races.map(async (finished) => {
        const winner = winnerOf(finished);
        return winner && pollUntilRefreshRefused(target, finished.grant, winner);
      }),
    );
    return { rounds: races.map(({ exchanges }) => exchanges), after };
  },
  assert({ rounds: played, after }): Warning | undefined {
    for (const exchanges of played) expectOneWinner(exchanges, "refresh", "REFRESH-03");
    // The others presented a superseded token, which ends the grant; a target may also count a lost race as less. Where a
    // limit turned all of them away, nothing superseded was looked at.
    const alive = after.filter(
      (exchange, round) => exchange !== undefined && isSuccess(exchange) && wasLost(played[round] ?? []),
    ).length;
    return alive === 0
      ? undefined
      : warning(`the refresh token that was issued kept working in ${alive} of ${played.length} rounds`);
  },
});

/** Whether the token of another request than the winner was looked at, and refused. */
export function wasLost(exchanges: readonly Exchange[]): boolean {
  return exchanges.some((exchange) => !isSuccess(exchange) && !isTurnedAway(exchange));
}

const fewerRounds = 2;

const oneWinsWithScope = check({
  id: "REFRESH-08/scope",
  claim: `Of ${parallelRefreshes} simultaneous refreshes with one refresh token and the granted \`scope\` at most one succeeds.`,
  needs: ["human"],
  async act(target) {
    await requireScopeTaken(target);
    const races: RefreshRace[] = [];
    for (let round = 0; round < fewerRounds; round += 1)
      races.push(await refreshRace(target, parallelRefreshes, {}, [["scope", "mail.read mail.send"]]));
    return races.map(({ exchanges }) => exchanges);
  },
  assert(races) {
    for (const exchanges of races) expectOneWinner(exchanges, "refresh", "REFRESH-08");
  },
});

export const raceChecks = [oneWins, oneWinsWithScope];
