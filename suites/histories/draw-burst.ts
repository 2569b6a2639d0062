import type { WhichHuman } from "../support/actors/human.ts";
import type { Action, ClientName, State } from "./grants.ts";
import { candidatesOf, count, type Weighed } from "./next-step.ts";
import { drawn } from "./random.ts";
import { isRequest, type Request } from "./requests.ts";

/** The last of them comes several times. */
export type BurstMotif = readonly BurstKind[];

export type BurstKind = Weighed | "use";

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
  /** Kinds that are dangerous together, about one grant: every second burst is another of them. */
  readonly motifs: readonly BurstMotif[];
  /** Kinds of requests and how often they come; those that are not named never come. */
  readonly weights: Readonly<Partial<Record<BurstKind, number>>>;
}

type Drawable = Request extends infer Each ? (Each extends Request ? Omit<Each, "number"> : never) : never;

interface Candidate {
  readonly request: Drawable;
  readonly kind: BurstKind;
  readonly grant: number;
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
const mostOfMotif = 4;

export interface BurstOptions {
  readonly motif?: BurstMotif | undefined;
  /** Pairs of kinds that were sent together. */
  readonly coverage: Map<string, number>;
  readonly random: () => number;
  readonly firstNumber: number;
}

/**
 * Draws requests to be sent together: few that differ, most of them several times, since what races is one piece of
 * material. Pairs that were seen seldom come first.
 *
 * @returns in an order that was drawn too
 */
export function drawBurst(
  state: State,
  theme: BurstTheme,
  { motif, coverage, random, firstNumber }: BurstOptions,
): Request[] {
  const candidates = candidatesFor(state, theme);
  for (const { label } of candidates)
    for (const other of candidates) count(coverage, pairOf(other.label, label), 0);
  const ofMotif = motif === undefined ? [] : chosenFor(motif, candidates, coverage, random);
  const drawnSize = drawn(sizes, random) ?? 2;
  const size = ofMotif.length > 0 ? Math.max(ofMotif.length, Math.min(drawnSize, mostOfMotif)) : drawnSize;
  const chosen = [...ofMotif];
  while (ofMotif.length === 0 && chosen.length < Math.min(mostKinds, size)) {
    const next = drawn(
      candidates.map((item) => ({ item, weight: item.weight / (1 + seenWith(chosen, item, coverage)) ** 2 })),
      random,
    );
    if (next === undefined) break;
    chosen.push(next);
  }
  for (const [at, { label }] of chosen.entries())
    for (const other of chosen.slice(0, at)) count(coverage, pairOf(other.label, label), 1);
  // Where all kinds come several times, the first of each decides; where one does, it meets each of the others once.
  const repeated = ofMotif.length === 0 && random() < 0.5 ? chosen : chosen.slice(-1);
  const requests = Array.from(
    { length: size },
    (_, at) => chosen[at] ?? repeated[Math.floor(random() * repeated.length)],
  )
    .flatMap((candidate) => (candidate === undefined ? [] : [candidate.request]))
    .map((request) => ({ request, at: random() }))
    .toSorted((a, b) => a.at - b.at);
  return requests.map(({ request }, at): Request => ({ ...request, number: firstNumber + at }));
}

/**
 * About one grant: those that such requests were seldom about come first, since grants differ in their clients and people.
 *
 * @returns nothing when no grant allows all of them
 */
function chosenFor(
  motif: BurstMotif,
  candidates: readonly Candidate[],
  coverage: ReadonlyMap<string, number>,
  random: () => number,
): Candidate[] {
  const grants = [...new Set(candidates.map(({ grant }) => grant))].filter((grant) =>
    motif.every((kind) => candidates.some((one) => one.grant === grant && one.kind === kind)),
  );
  const grant = drawn(
    grants.map((item) => {
      const own = candidates.filter((one) => one.grant === item && motif.includes(one.kind));
      const seen = own.reduce((sum, one) => sum + seenWith(own, one, coverage), 0);
      return { item, weight: 1 / (1 + seen) ** 2 };
    }),
    random,
  );
  return motif.flatMap((kind) => {
    const possible = candidates.filter((one) => one.grant === grant && one.kind === kind);
    return possible[Math.floor(random() * possible.length)] ?? [];
  });
}

function seenWith(
  chosen: readonly Candidate[],
  item: Candidate,
  coverage: ReadonlyMap<string, number>,
): number {
  return chosen.reduce((sum, { label }) => sum + (coverage.get(pairOf(label, item.label)) ?? 0), 0);
}

function pairOf(one: string, other: string): string {
  return [one, other].toSorted().join(" + ");
}

function candidatesFor(state: State, { clients, weights }: BurstTheme): Candidate[] {
  return [...state].flatMap(([number, grant], place) => {
    const newest = grant.generations.at(-1);
    const uses: { action: Action; weighed: BurstKind }[] =
      newest === undefined ? [] : [{ action: { kind: "use", tokens: newest }, weighed: "use" }];
    const possible = [...candidatesOf(number, grant, clients), ...uses];
    return possible.flatMap(({ action, weighed }): Candidate[] => {
      if (!isRequest(action)) return [];
      const alike = possible.filter((other) => other.weighed === weighed).length;
      const weight = (weights[weighed] ?? 0) / alike;
      return weight === 0
        ? []
        : [{ request: action, kind: weighed, grant: number, label: `${weighed} ${place + 1}`, weight }];
    });
  });
}
