import type { WhichHuman } from "../support/actors/human.ts";
import { type ClientName, type State } from "./model.ts";
import { candidatesOf, type Coverage } from "./next-step.ts";
import { drawn } from "./random.ts";
import type { Request } from "./requests.ts";

/** Which bursts are drawn: on these grants, which exist before. */
export interface BurstTheme {
  readonly grants: readonly {
    readonly client: ClientName;
    readonly human: WhichHuman;
    readonly isNarrowed?: boolean;
    /** Its code is still unused. */
    readonly isUnused?: boolean;
  }[];
  readonly clients: readonly ClientName[];
  readonly mostRotationsFirst: number;
  /** Kinds of requests and how often they come; those that are not named never come. */
  readonly weights: Readonly<Record<string, number>>;
}

type Drawable = Request extends infer Each ? (Each extends Request ? Omit<Each, "number"> : never) : never;

interface Candidate {
  readonly request: Drawable;
  /** What it is to the coverage: its kind, and the place of its grant. */
  readonly label: string;
  readonly weight: number;
}

const sizes = [
  { item: 2, weight: 2 },
  { item: 3, weight: 2 },
  { item: 4, weight: 3 },
  { item: 8, weight: 2 },
  { item: 16, weight: 1 },
];

const mostKinds = 3;

/**
 * Draws requests to be sent together: few that differ, most of them several times, since what races is one piece of
 * material. Pairs that were seen seldom come first.
 *
 * @returns in an order that was drawn too
 */
export function drawBurst(
  state: State,
  theme: BurstTheme,
  { coverage, random, firstNumber }: { coverage: Coverage; random: () => number; firstNumber: number },
): Request[] {
  const candidates = candidatesFor(state, theme);
  const size = drawn(sizes, random) ?? 2;
  const chosen: Candidate[] = [];
  while (chosen.length < Math.min(mostKinds, size)) {
    const next = drawn(
      candidates.map((item) => ({ item, weight: item.weight / (1 + seenWith(chosen, item, coverage)) ** 2 })),
      random,
    );
    if (next === undefined) break;
    for (const { label } of chosen) count(coverage, pairOf(label, next.label));
    chosen.push(next);
  }
  const requests = Array.from(
    { length: size },
    (_, at) => chosen[at] ?? chosen[Math.floor(random() * chosen.length)],
  )
    .flatMap((candidate) => (candidate === undefined ? [] : [candidate.request]))
    .map((request) => ({ request, at: random() }))
    .toSorted((a, b) => a.at - b.at);
  return requests.map(({ request }, at): Request => ({ ...request, number: firstNumber + at }));
}

/** Every pair of kinds of requests that a theme can send together. */
export function possiblePairs(state: State, theme: BurstTheme): ReadonlySet<string> {
  const labels = [...new Set(candidatesFor(state, theme).map(({ label }) => label))];
  return new Set(labels.flatMap((one) => labels.map((other) => pairOf(one, other))));
}

function seenWith(chosen: readonly Candidate[], item: Candidate, coverage: Coverage): number {
  return chosen.reduce((sum, { label }) => sum + (coverage.get(pairOf(label, item.label)) ?? 0), 0);
}

function pairOf(one: string, other: string): string {
  return [one, other].toSorted().join(" + ");
}

function count(coverage: Coverage, key: string): void {
  coverage.set(key, (coverage.get(key) ?? 0) + 1);
}

function candidatesFor(state: State, { clients, weights }: BurstTheme): Candidate[] {
  return [...state].flatMap(([number, grant], place) => {
    const newest = grant.generations.at(-1);
    const uses =
      newest === undefined ? [] : [{ action: { kind: "use", tokens: newest } as const, weighed: "use" }];
    const possible = [...candidatesOf(number, grant, clients), ...uses];
    return possible.flatMap(({ action, weighed }): Candidate[] => {
      if (action.kind === "authorize") return [];
      const alike = possible.filter((other) => other.weighed === weighed).length;
      const weight = (weights[weighed] ?? 0) / alike;
      return weight === 0 ? [] : [{ request: action, label: `${weighed} ${place + 1}`, weight }];
    });
  });
}
