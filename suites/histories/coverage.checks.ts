import { observe } from "../support/judging/check.ts";
import type { Topic } from "../support/target/target.ts";
import type { Coverage } from "./next-step.ts";

/** What the histories of a check have met: sequences, or pairs of requests that were under way at once. */
export const coverages: Topic<Partial<Coverage> & { readonly together?: ReadonlyMap<string, number> }> = {
  name: "coverage of histories",
};

type Seen = ReadonlyMap<string, number>;

function share(all: readonly (Seen | undefined)[], words: string): string {
  const possible = new Set(all.flatMap((seen) => [...(seen?.keys() ?? [])]));
  const met = new Set(
    all.flatMap((seen) => [...(seen ?? [])].flatMap(([key, times]) => (times > 0 ? [key] : []))),
  );
  return `${met.size} of ${possible.size} ${words}`;
}

export const coverageChecks = [
  observe({
    id: "LIFE-03",
    question:
      "How many of the possible pairs and triples of steps, and of simultaneous pairs, do the histories of this run cover?",
    needs: ["human"],
    last: true,
    act: (target) => Promise.resolve(target.noted(coverages)),
    answer: (noted) =>
      [
        share(
          noted.map(({ pairs }) => pairs),
          "pairs of following steps",
        ),
        share(
          noted.map(({ triples }) => triples),
          "triples of following steps",
        ),
        share(
          noted.map(({ together }) => together),
          "pairs of simultaneous requests",
        ),
      ].join(", "),
  }),
];
