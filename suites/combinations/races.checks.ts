import { type Check, check } from "../support/judging/check.ts";
import { codeRace, expectOneWinner, refreshRace } from "../support/judging/races.ts";
import { type GrantKind, sampledKinds, usedCode } from "./grant-kinds.ts";

const rounds = 2;
const parallelRequests = 8;

async function inRounds<Race>(race: () => Promise<Race>): Promise<Race[]> {
  const races: Race[] = [];
  for (let round = 0; round < rounds; round += 1) races.push(await race());
  return races;
}

function raced({ slug, words, conditions, spec, choice }: GrantKind): Check[] {
  return [
    check({
      id: `CODE-02/${slug}`,
      claim: `Of ${parallelRequests} simultaneous exchanges of a code of ${words} at most one gives tokens.`,
      ...conditions,
      act: async (target) => {
        const kind = await spec(target);
        return inRounds(() => codeRace(target, parallelRequests, kind));
      },
      assert(races) {
        for (const race of races) expectOneWinner(race, "exchange", usedCode(choice));
      },
    }),
    check({
      id: `REFRESH-08/${slug}`,
      claim: `Of ${parallelRequests} simultaneous refreshes of a grant of ${words} at most one succeeds.`,
      ...conditions,
      act: async (target) => {
        const kind = await spec(target);
        return inRounds(() => refreshRace(target, parallelRequests, kind));
      },
      assert(races) {
        for (const { exchanges } of races) expectOneWinner(exchanges, "refresh", "REFRESH-03");
      },
    }),
  ];
}

/** What happens once happens once for kinds of grant that the other suites send nothing at once for. */
export const raceChecks: readonly Check[] = sampledKinds.flatMap(raced);
