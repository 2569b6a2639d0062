import type { WhichHuman } from "../support/actors/human.ts";
import type { Action, ClientName, Grant, State } from "./grants.ts";
import { drawn } from "./random.ts";

/** Which lives are drawn. */
export interface Theme {
  readonly clients: readonly ClientName[];
  readonly humans: readonly WhichHuman[];
  readonly mostGrants: number;
  /** A life begins with a grant that is refreshed up to so many times; with nothing unless given. */
  readonly mostRotationsFirst?: number;
  /** Sequences that are dangerous and seldom drawn: each life begins with another of them. */
  readonly motifs?: readonly Motif[];
  /** For MCP too, and not for JMAP alone. */
  readonly hasResources?: true;
  /** A person may grant a client something once more. */
  readonly allowsSecondGrants?: true;
  /** Seconds that may pass on the target's clock between two steps. */
  readonly waits?: readonly number[];
  /** How likely each kind of action is beside the others; 1 unless given, 0 for `deny`. */
  readonly weights: Partial<Record<Weighed, number>>;
}

/** What a life begins with, on a grant of its own. */
export interface Motif {
  /** What the grant has been through before. */
  readonly on: "a code" | "a grant";
  readonly isNarrowed?: true;
  /** JMAP unless given. */
  readonly resource?: "MCP";
  readonly steps: readonly (Weighed | Repetition | Pause)[];
}

/**
 * `the same`: exactly what came last. `redeem the newest`: the code that was issued last. `reuse the oldest`: the first refresh
 * token. `reuse the last`: the one that was rotated last.
 */
type Repetition = "the same" | "redeem the newest" | "reuse the oldest" | "reuse the last";

/** Seconds that pass on the target's clock. */
interface Pause {
  readonly wait: number;
}

/** Actions that differ in what they are likely to break. */
export type Weighed =
  | "authorize"
  | "narrow"
  | "deny"
  | "wait"
  | "redeem"
  | "replay a code"
  | "rotate"
  | "reuse"
  | "widen"
  | "present a code as another client"
  | "refresh as another client"
  | "reuse as another client"
  | "revoke"
  | "revoke an older token";

/** How often each was drawn, so that rare ones come more often; 0 where it was possible and something else was drawn. */
export interface Coverage {
  readonly pairs: Map<string, number>;
  readonly triples: Map<string, number>;
}

export function newCoverage(): Coverage {
  return { pairs: new Map(), triples: new Map() };
}

export interface Candidate<Done = Action, Kind extends string = Weighed> {
  readonly action: Done;
  readonly weighed: Kind;
  /** The grant that it is about; absent for a new one. */
  readonly grant?: number;
}

/** What came before, as far as the next choice depends on it. */
export interface Previous<Kind extends string = Weighed> {
  readonly weighed: Kind;
  readonly grant?: number;
  /** What came before this. */
  readonly earlier?: Kind;
}

/** Ended grants are not dead ends: what comes back to life is a defect. But most of a life is about those that live. */
const weightOfEnded = 0.3;

/**
 * The next action of a life, among those that the credentials so far make possible.
 *
 * @returns undefined when the theme gives none a weight
 */
export function nextAction(
  state: State,
  theme: Theme,
  previous: Previous | undefined,
  coverage: Coverage,
  random: () => number,
): Candidate | undefined {
  const weights = { deny: 0, ...theme.weights };
  return drawnNext(
    candidatesIn(state, theme),
    ({ weighed, grant }) => {
      const isEnded = grant !== undefined && state.get(grant)?.fate.kind === "ended";
      return (weights[weighed] ?? 1) * (isEnded ? weightOfEnded : 1);
    },
    previous,
    coverage,
    random,
  );
}

/**
 * One of the candidates: those that followed seldom on what came before come more often.
 *
 * @param weightOf - how likely its kind is beside the others
 */
export function drawnNext<Done, Kind extends string>(
  all: readonly Candidate<Done, Kind>[],
  weightOf: (candidate: Candidate<Done, Kind>) => number,
  previous: Previous<Kind> | undefined,
  { pairs, triples }: Coverage,
  random: () => number,
): Candidate<Done, Kind> | undefined {
  const candidates = all.filter((candidate) => weightOf(candidate) !== 0);
  for (const candidate of candidates) {
    count(pairs, pairOf(previous, candidate), 0);
    if (previous?.earlier !== undefined) count(triples, tripleOf(previous, candidate), 0);
  }
  const chosen = drawn(
    candidates.map((item) => {
      const seen = pairs.get(pairOf(previous, item)) ?? 0;
      const alike = candidates.filter(({ weighed }) => weighed === item.weighed).length;
      return { item, weight: weightOf(item) / alike / (1 + seen) ** 2 };
    }),
    random,
  );
  if (chosen !== undefined) {
    count(pairs, pairOf(previous, chosen), 1);
    if (previous?.earlier !== undefined) count(triples, tripleOf(previous, chosen), 1);
  }
  return chosen;
}

/** Adds to how often something was seen. */
export function count(seen: Map<string, number>, key: string, times: number): void {
  seen.set(key, (seen.get(key) ?? 0) + times);
}

function pairOf<Kind extends string>(
  previous: Previous<Kind> | undefined,
  { weighed, grant }: Candidate<unknown, Kind>,
): string {
  if (previous === undefined) return `→ ${weighed}`;
  const relation = grant !== undefined && grant === previous.grant ? "same grant" : "another grant";
  return `${previous.weighed} → ${weighed}, ${relation}`;
}

function tripleOf<Kind extends string>(
  { earlier, weighed: previous }: Previous<Kind>,
  { weighed }: Candidate<unknown, Kind>,
): string {
  return `${earlier} → ${previous} → ${weighed}`;
}

function candidatesIn(state: State, theme: Theme): Candidate[] {
  const grants = [...state].flatMap(([number, grant]) => candidatesOf(number, grant, theme.clients));
  const waits = theme.waits?.map((seconds): Candidate => ({
    action: { kind: "wait", seconds },
    weighed: "wait",
  }));
  const others = [...denials(theme), ...(state.size > 0 ? (waits ?? []) : []), ...grants];
  return state.size < theme.mostGrants ? [...authorizations(state, theme), ...others] : others;
}

function denials({ clients, humans }: Theme): Candidate[] {
  return humans.flatMap((human) =>
    clients.map((client): Candidate => ({ action: { kind: "deny", client, human }, weighed: "deny" })),
  );
}

function authorizations(state: State, theme: Theme): Candidate[] {
  const { clients, humans, hasResources = false, allowsSecondGrants = false } = theme;
  const resources = hasResources ? (["JMAP", "MCP"] as const) : (["JMAP"] as const);
  const actions = humans.flatMap((human) =>
    clients.flatMap((client) =>
      [false, true].flatMap((isNarrowed) =>
        resources.map((resource) => ({ kind: "authorize", client, human, isNarrowed, resource }) as const),
      ),
    ),
  );
  return actions
    .filter((action) => allowsSecondGrants || !hasGrant(state, action))
    .map((action) => ({ action, weighed: action.isNarrowed ? "narrow" : "authorize" }));
}

/** Whether two grants of one person to one client stand apart is left open: it takes a life of its own (C-34). */
function hasGrant(state: State, action: Pick<Grant, "client" | "human">): boolean {
  return [...state.values()].some(({ client, human }) => client === action.client && human === action.human);
}

/** One of the ways to do this to the grant. @returns undefined when there is none */
export function actionOf(
  weighed: Weighed,
  state: State,
  number: number,
  theme: Theme,
  random: () => number,
): Action | undefined {
  const grant = state.get(number);
  const candidates = grant === undefined ? [] : candidatesOf(number, grant, theme.clients);
  const possible = candidates.filter((candidate) => candidate.weighed === weighed);
  return possible[Math.floor(random() * possible.length)]?.action;
}

/** What can be done with a grant, by these clients. */
export function candidatesOf(
  grant: number,
  { client, code, generations }: Grant,
  clients: readonly ClientName[],
): Candidate[] {
  const strangers = clients.filter((name) => name !== client);
  const exchanges: Candidate[] = [
    {
      action: { kind: "exchange", code: grant, by: client },
      weighed: code === "unused" ? "redeem" : "replay a code",
      grant,
    },
    ...strangers.map((by): Candidate => ({
      action: { kind: "exchange", code: grant, by },
      weighed: "present a code as another client",
      grant,
    })),
  ];
  const newest = generations.at(-1);
  const later = generations.flatMap((tokens): Candidate[] => [
    {
      action: { kind: "refresh", tokens, by: client, isWidening: false },
      weighed: tokens === newest ? "rotate" : "reuse",
      grant,
    },
    ...(["access", "refresh"] as const).map((token): Candidate => ({
      action: { kind: "revoke", tokens, token, by: client },
      weighed: tokens === newest ? "revoke" : "revoke an older token",
      grant,
    })),
    ...strangers.map((by): Candidate => ({
      action: { kind: "refresh", tokens, by, isWidening: false },
      weighed: tokens === newest ? "refresh as another client" : "reuse as another client",
      grant,
    })),
  ]);
  const widening: Candidate[] =
    newest === undefined
      ? []
      : [
          {
            action: { kind: "refresh", tokens: newest, by: client, isWidening: true },
            weighed: "widen",
            grant,
          },
        ];
  return [...exchanges, ...later, ...widening];
}
