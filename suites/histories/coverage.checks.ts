import { observe } from "../support/judging/check.ts";
import type { Topic } from "../support/target/notes.ts";
import type { Target } from "../support/target/target.ts";
import type { GrowthLine } from "../support/verdict.ts";
import type { Coverage } from "./next-step.ts";

type Seen = ReadonlyMap<string, number>;

const kinds = [
  { kind: "pairs", words: "pairs of following steps" },
  { kind: "triples", words: "triples of following steps" },
  { kind: "together", words: "pairs of simultaneous requests" },
] as const;

type Kind = (typeof kinds)[number]["kind"];

/** What the histories of a check have met: sequences, or pairs of requests that were under way at once. */
type Covered = Partial<Coverage> & { readonly together?: Seen };

const coverages: Topic<Covered> = { name: "coverage of histories" };

/** What a history was the first of its check to meet. */
export type Meeting = Readonly<Partial<Record<Kind, readonly string[]>>>;

const meetings: Topic<Meeting> = { name: "what each history met" };

/** Has the run know what a check covers. @returns to be called after each history */
export function followCoverage(target: Target, coverage: Covered): () => void {
  target.note(coverages, coverage);
  const before = new Set<string>();
  return () => {
    const fresh = (kind: Kind): string[] =>
      [...metIn(coverage[kind])].filter((key) => !before.has(`${kind} ${key}`));
    const meeting = { pairs: fresh("pairs"), triples: fresh("triples"), together: fresh("together") };
    for (const { kind } of kinds) for (const key of meeting[kind]) before.add(`${kind} ${key}`);
    target.note(meetings, meeting);
  };
}

function metIn(seen: Seen | undefined): Set<string> {
  return new Set([...(seen ?? [])].flatMap(([key, times]) => (times > 0 ? [key] : [])));
}

function possible(all: readonly Covered[], kind: Kind): number {
  return new Set(all.flatMap((covered) => [...(covered[kind]?.keys() ?? [])])).size;
}

// More than a small chart can show.
const mostPoints = 50;

/** How many different ones there were after each of the histories, in the order in which they ended. */
export function grown(met: readonly Meeting[], kind: Kind): GrowthLine["points"] {
  const seen = new Set<string>();
  const points = met.map((meeting, at) => {
    for (const key of meeting[kind] ?? []) seen.add(key);
    return { tried: at + 1, seen: seen.size };
  });
  const each = Math.ceil(points.length / mostPoints);
  return points.filter((_, at) => (points.length - 1 - at) % each === 0);
}

export const coverageChecks = [
  observe({
    id: "LIFE-03",
    question:
      "How many of the possible pairs and triples of steps, and of simultaneous pairs, do the histories of this run cover?",
    needs: ["human"],
    last: true,
    act: (target) => Promise.resolve({ covered: target.noted(coverages), met: target.noted(meetings) }),
    answer: ({ covered }) =>
      kinds
        .map(({ kind, words }) => {
          const seen = new Set(covered.flatMap((one) => [...metIn(one[kind])]));
          return `${seen.size} of ${possible(covered, kind)} ${words}`;
        })
        .join(", "),
    growth: ({ covered, met }) => ({
      over: "histories",
      lines: kinds.map(({ kind, words }) => ({
        label: words,
        possible: possible(covered, kind),
        points: grown(met, kind),
      })),
    }),
  }),
];
