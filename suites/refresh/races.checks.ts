import { refreshExchange, requireTokens, type Tokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshGrant } from "../support/material/grants.ts";
import { postTokenSimultaneously } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, warning } from "../support/verdict.ts";
import { present } from "./rotated-grants.ts";

const rounds = 5;
const parallelRefreshes = 8;

interface Round {
  readonly exchanges: readonly Exchange[];
  /** What the refresh token that won got afterwards. */
  readonly next: Exchange;
}

async function race(target: Target): Promise<Round> {
  const grant = await freshGrant(target);
  const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
  const exchanges = await postTokenSimultaneously(target, fields, parallelRefreshes);
  return { exchanges, next: await present(target, grant, winnerOf(exchanges)) };
}

/** @throws {InconclusiveError} control-refused, when every one of the valid refreshes was refused */
function winnerOf(exchanges: readonly Exchange[]): Tokens {
  const winner = exchanges.find(isSuccess);
  if (winner !== undefined) return requireTokens(winner, "a valid refresh among others");
  const [first] = exchanges;
  throw new InconclusiveError(
    "control-refused",
    `${parallelRefreshes} valid refreshes at the same moment: expected one to be answered 200, got ${first === undefined ? "nothing" : summary(first)}`,
  );
}

export const raceChecks = [
  check({
    id: "REFRESH-08",
    claim: `Of ${parallelRefreshes} refreshes with one refresh token at the same moment, one at most gets tokens, in each of ${rounds} rounds.`,
    needs: ["human"],
    async act(target) {
      const played: Round[] = [];
      for (let round = 0; round < rounds; round += 1) played.push(await race(target));
      return played;
    },
    assert(played): Finding | undefined {
      for (const { exchanges } of played) {
        const winners = exchanges.filter(isSuccess).length;
        expectThat(
          winners <= 1,
          "one refresh at most to be answered 200",
          `${winners} of ${exchanges.length}`,
        );
      }
      const alive = played.filter(({ next }) => isSuccess(next)).length;
      // Whoever lost presented a superseded token, which ends the grant; losing a race may also be taken as less.
      return alive === 0
        ? undefined
        : warning(`the winner's refresh token went on working in ${alive} of ${played.length} rounds`);
    },
  }),
];
