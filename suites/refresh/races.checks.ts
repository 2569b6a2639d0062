import { refreshExchange, requireTokens, type Tokens } from "../support/actors/oauth-client.ts";
import { postTokenSimultaneously } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { freshGrant, type Grant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, InconclusiveError, Violation, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";

const rounds = 5;
const parallelRefreshes = 8;

interface Race {
  readonly grant: Grant;
  readonly exchanges: readonly Exchange[];
}

async function race(target: Target): Promise<Race> {
  const grant = await freshGrant(target);
  const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
  return { grant, exchanges: await postTokenSimultaneously(target, fields, parallelRefreshes) };
}

/** @throws {InconclusiveError} control-refused, when every one of the valid refreshes was refused */
function winnerOf({ exchanges }: Race): Tokens {
  const winner = exchanges.find(isSuccess);
  if (winner !== undefined) return requireTokens(winner, "a valid refresh among others", "REFRESH-01");
  const [first] = exchanges;
  throw new InconclusiveError(
    "control-refused",
    `${parallelRefreshes} simultaneous valid refreshes: expected one to be answered 200, got ${first === undefined ? "nothing" : summary(first)}`,
    { exchange: first, explainedBy: "REFRESH-01" },
  );
}

const oneWins = check({
  id: "REFRESH-08",
  claim: `Of ${parallelRefreshes} simultaneous refreshes with one refresh token at most one succeeds, in each of ${rounds} rounds.`,
  needs: ["human"],
  async act(target) {
    const races: Race[] = [];
    for (let round = 0; round < rounds; round += 1) races.push(await race(target));
    const after = await Promise.all(
      races.map((finished) => pollUntilRefreshRefused(target, finished.grant, winnerOf(finished))),
    );
    return { rounds: races.map(({ exchanges }) => exchanges), after };
  },
  assert({ rounds: played, after }): Warning | undefined {
    for (const exchanges of played) {
      const [, second, ...more] = exchanges.filter(isSuccess);
      if (second !== undefined) {
        throw new Violation(
          "at most one refresh to succeed",
          `${more.length + 2} of ${exchanges.length} successes`,
          { exchange: second, explainedBy: "REFRESH-03" },
        );
      }
    }
    const alive = after.filter(isSuccess).length;
    // The others presented a superseded token, which ends the grant; a target may also count a lost race as less.
    return alive === 0
      ? undefined
      : warning(`the refresh token that was issued kept working in ${alive} of ${played.length} rounds`);
  },
});

export const raceChecks = [oneWins];
