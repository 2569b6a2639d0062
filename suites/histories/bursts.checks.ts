import { check } from "../support/judging/check.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { followCoverage } from "./coverage.checks.ts";
import { burst, type BurstHistory } from "./burst.ts";
import { burstStoryOf, requirementOf } from "./burst-story.ts";
import type { BurstMotif, BurstTheme } from "./draw-burst.ts";
import { randomNumbers } from "./random.ts";
import { rounds } from "./settings.ts";

interface BurstCase {
  readonly slug: string;
  /** Reads after "simultaneous". */
  readonly words: string;
  readonly theme: BurstTheme;
  readonly bursts: number;
}

const everything = {
  rotate: 3,
  reuse: 2,
  revoke: 1,
  "revoke an older token": 0.5,
  "replay a code": 0.5,
  "refresh as another client": 0.5,
  use: 1,
};

// A theme of few bursts meets the first of them alone.
const motifs: readonly BurstMotif[] = [
  ["rotate", "rotate"],
  ["rotate", "reuse"],
  ["revoke", "use"],
  ["rotate", "refresh as another client"],
  ["revoke", "revoke"],
  ["reuse", "reuse"],
  ["reuse", "rotate"],
  ["use", "revoke"],
];

const cases: readonly BurstCase[] = [
  {
    slug: "codes",
    words: "exchanges of codes, by their clients and others",
    bursts: 10,
    theme: {
      grants: [
        { client: "other", human: "first" },
        { client: "public", human: "first", isUnused: true },
        { client: "confidential", human: "first", isUnused: true },
      ],
      clients: ["public", "other", "confidential"],
      mostRotationsFirst: 0,
      motifs: [
        ["redeem", "redeem"],
        ["redeem", "present a code as another client"],
      ],
      weights: { redeem: 4, "present a code as another client": 2, rotate: 0.5, use: 0.5 },
    },
  },
  {
    slug: "one-grant",
    words: "refreshes, replays, revocations and uses of one grant",
    bursts: 16,
    theme: {
      grants: [{ client: "public", human: "first" }],
      clients: ["public", "other"],
      mostRotationsFirst: 3,
      motifs,
      weights: everything,
    },
  },
  {
    slug: "two-clients",
    words: "requests about the grants of one person to two clients",
    bursts: 10,
    theme: {
      grants: [
        { client: "public", human: "first" },
        { client: "confidential", human: "first" },
      ],
      clients: ["public", "confidential"],
      mostRotationsFirst: 1,
      motifs,
      weights: everything,
    },
  },
  {
    slug: "two-people",
    words: "requests about the grants of two people to one client",
    bursts: 10,
    theme: {
      grants: [
        { client: "confidential", human: "first" },
        { client: "confidential", human: "second" },
      ],
      clients: ["confidential", "public"],
      mostRotationsFirst: 1,
      motifs,
      weights: everything,
    },
  },
  {
    slug: "narrowed",
    words: "refreshes of a grant that a person has narrowed",
    bursts: 8,
    theme: {
      grants: [{ client: "public", human: "first", isNarrowed: true }],
      clients: ["public", "other"],
      mostRotationsFirst: 1,
      motifs: [
        ["rotate", "widen"],
        ["rotate", "refresh as another client"],
      ],
      weights: { rotate: 3, widen: 2, use: 0.5, "refresh as another client": 1 },
    },
  },
];

interface Bursts {
  readonly answers: readonly Exchange[];
  readonly broken?: BurstHistory;
}

/**
 * @throws {InconclusiveError} when limits or slowness left fewer than half of the bursts to judge
 * @throws {NotApplicableError} when no burst had a grant to begin with
 */
async function burstsOf(target: Target, { slug, theme, bursts }: BurstCase): Promise<Bursts> {
  const coverage = new Map<string, number>();
  const hasEnded = followCoverage(target, { together: coverage });
  const answers: Exchange[] = [];
  let tried = 0;
  let played = 0;
  for (const at of rounds(bursts)) {
    const random = randomNumbers(propertySettings.seed + at * 7919 + slug.length);
    const motif = at % 2 === 0 ? theme.motifs[(at / 2) % theme.motifs.length] : undefined;
    const history = await burst(target, theme, { motif, random, coverage });
    hasEnded();
    if (history.contradiction !== undefined || history.unexplained !== undefined)
      return { answers: [...history.answers.values()], broken: history };
    if (history.isUnopened) continue;
    tried += 1;
    if (history.isVoid !== true) played += 1;
    answers.push(...history.answers.values());
  }
  if (tried === 0)
    throw new NotApplicableError(
      "the target remembers consents, so that a person has narrowed no grant to a client that they know",
    );
  if (played * 2 >= tried) return { answers };
  throw new InconclusiveError(
    "rate-limited",
    `of ${tried} bursts of requests only ${played} had two answers in time`,
  );
}

/** @param history - one with a contradiction, or with answers that no order explains */
export function violationOfBurst(history: BurstHistory): Violation {
  const { contradiction, unexplained, answers } = history;
  const { steps: told, bars, story } = burstStoryOf(history);
  const details = { steps: [...told, `Random with --seed ${propertySettings.seed}.`], bars, story };
  if (contradiction !== undefined) {
    const { expected, exchange, requirement } = contradiction;
    return new Violation(`each request to be ${expected} (${requirement})`, told.join(" "), {
      ...details,
      exchange,
      explainedBy: requirement,
    });
  }
  const last = unexplained?.left.at(-1)?.operation.call.request.number;
  return new Violation("some order of the requests to explain their answers", told.join(" "), {
    ...details,
    exchange: answers.get(last ?? 0),
    explainedBy: unexplained && requirementOf(unexplained),
  });
}

/** Whatever happens at once is answered as if it had happened in some order. Document, "States and transitions". */
export const burstChecks = cases.map((one) =>
  check({
    id: `LIFE-02/${one.slug}`,
    claim: `In random bursts of simultaneous ${one.words}, the answers are those of some sequential order, and so are later ones.`,
    needs: one.theme.grants.some(({ human }) => human === "second") ? ["human", "second-human"] : ["human"],
    act: (target) => burstsOf(target, one),
    assert({ broken }) {
      if (broken !== undefined) throw violationOfBurst(broken);
    },
  }),
);
