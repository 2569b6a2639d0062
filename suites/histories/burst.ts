import { isRefusal } from "../support/judging/expect.ts";
import { raceOnce } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { isRateLimited } from "../support/wire/rate-gate.ts";
import { type BurstMotif, type BurstOptions, type BurstTheme, drawBurst } from "./draw-burst.ts";
import {
  type BurstOperation,
  operationsOf,
  type Sent,
  unexplained,
  type Unexplained,
} from "./judge-burst.ts";
import { stateAfter } from "./grant-changes.ts";
import { type Action, grantOf, isPossible, type State, type Step } from "./grants.ts";
import { codeIsYoungMs, issuesTokens, type Play, startPlay, wrongTokens } from "./play.ts";
import type { Contradiction } from "./contradiction.ts";
import { type Request, requestOf, tokensIn } from "./requests.ts";

/** What some grants were before, the requests that were sent together, and what showed afterwards. */
export interface BurstHistory {
  readonly before: readonly Step[];
  readonly answers: ReadonlyMap<number, Exchange>;
  readonly sent: readonly Sent[];
  readonly after: readonly Sent[];
  /** An answer that is wrong by itself. */
  readonly contradiction?: Contradiction;
  /** Answers that no order explains. */
  readonly unexplained?: Unexplained;
  /** Fewer than two were answered, or a code may have expired, so that it says nothing. */
  readonly isVoid?: true;
  /** There was nothing to send requests about: the target does not ask a person again who has consented before. */
  readonly isUnopened?: true;
}

/** Makes the grants of a theme, and sends requests about them together. */
export async function burst(
  target: Target,
  theme: BurstTheme,
  { motif, random, coverage }: Omit<BurstOptions, "firstNumber">,
): Promise<BurstHistory> {
  const before = openingOf(theme, motif, random).map((action, at): Step => ({ ...action, number: at + 1 }));
  return playedBurst(target, before, (state) =>
    drawBurst(state, theme, { motif, coverage, random, firstNumber: before.length + 1 }),
  );
}

/** @param drawn - what is sent together in the state that the steps before have led to */
export async function playedBurst(
  target: Target,
  opening: readonly Step[],
  drawn: (state: State) => readonly Request[],
): Promise<BurstHistory> {
  const play = startPlay(target.setup);
  const before: Step[] = [];
  const answers = new Map<number, Exchange>();
  const base = { before, answers, sent: [], after: [] };
  for (const step of opening) {
    before.push(step);
    // Where a target remembers a consent, nobody can narrow it.
    if (!isPossible(play.state, step)) continue;
    const contradiction = await play.take(step);
    if (contradiction !== undefined) return { ...base, contradiction };
  }
  if (before.length > 0 && play.state.size === 0) return { ...base, isVoid: true, isUnopened: true };
  const requests = drawn(play.state);
  const sent = await sentTogether(target, play, requests, answers);
  const answered = sent.filter(({ isAccepted }) => isAccepted !== undefined);
  if (answered.length < 2 || holdsOldCode(play)) return { ...base, sent, isVoid: true };
  const wrong = wrongAnswer(play, requests, answers);
  if (wrong !== undefined) return { ...base, sent, contradiction: wrong };
  return { ...base, sent, ...(await judged(target, play, sent, answers)) };
}

/** Looks at what followed until it is clear whether some order explains it. */
async function judged(
  target: Target,
  play: Play,
  sent: readonly Sent[],
  answers: Map<number, Exchange>,
): Promise<Pick<BurstHistory, "after" | "unexplained">> {
  const { state } = play;
  const propagationMs = target.profile.revocation_propagation_seconds * 1000;
  const together = operationsOf(state, sent, propagationMs > 0);
  const after: Sent[] = [];

  async function look(actions: readonly Look[]): Promise<BurstOperation[]> {
    const seen = await looked(target, play, [...sent, ...after], actions, answers);
    after.push(...seen);
    return operationsOf(state, seen, false);
  }

  const conflict = unexplained(state, together);
  if (conflict !== undefined) return { after, unexplained: conflict };
  const early = await look(looksAtNewest(stateOfAccepted(state, sent)));
  let history = [...together, ...early];
  let wrong = unexplained(state, history);
  const late = [...together, ...operationsOf(state, after, true)];
  if (wrong !== undefined && propagationMs > 0 && unexplained(state, late) === undefined) {
    await target.pause(propagationMs);
    history = [...late, ...(await look(looksAtNewest(stateOfAccepted(state, [...sent, ...after]))))];
    wrong = unexplained(state, history);
  }
  if (wrong === undefined) {
    const used = looksAtUsed(state, stateOfAccepted(state, [...sent, ...after]));
    wrong = unexplained(state, [...history, ...(await look(used))]);
  }
  return { after, ...(wrong && { unexplained: wrong }) };
}

/** Whether a code may have expired before it was presented. */
function holdsOldCode({ state, material }: Play): boolean {
  return [...state].some(([number, { code }]) => {
    const issuedAtMs = material.codes.get(number)?.issuedAtMs ?? 0;
    return code === "unused" && performance.now() - issuedAtMs > codeIsYoungMs;
  });
}

/** Sends requests at the same moment. @returns those that were not turned away */
async function sentTogether(
  target: Target,
  play: Play,
  requests: readonly Request[],
  answers: Map<number, Exchange>,
): Promise<Sent[]> {
  const outgoing = await Promise.all(
    requests.map((request) => requestOf(target, play.state, request, play.material)),
  );
  const raced = await raceOnce(target, outgoing);
  return requests.flatMap((request, at): Sent[] => {
    const one = raced[at];
    if (one === undefined) return [];
    const { outcome, ...times } = one;
    if (outcome.status === "rejected") {
      if (!(outcome.reason instanceof InconclusiveError)) throw outcome.reason;
      return [{ request, isAccepted: undefined, ...times }];
    }
    // What a limit has refused has changed nothing.
    if (isRateLimited(outcome.value)) return [];
    return [{ request, isAccepted: noted(play, request, outcome.value, answers), ...times }];
  });
}

/** Keeps what an answer brought. @returns undefined when it says neither yes nor no */
function noted(
  { material }: Play,
  request: Request,
  exchange: Exchange,
  answers: Map<number, Exchange>,
): boolean | undefined {
  answers.set(request.number, exchange);
  if (!isSuccess(exchange)) return isRefusal(exchange) ? false : undefined;
  if (issuesTokens(request)) material.tokens.set(request.number, tokensIn(exchange, request));
  return true;
}

/** The tokens that a burst has issued are kept by then: each is compared with all others. */
function wrongAnswer(
  { state, material }: Play,
  requests: readonly Request[],
  answers: ReadonlyMap<number, Exchange>,
): Contradiction | undefined {
  for (const request of requests) {
    const exchange = answers.get(request.number);
    if (exchange === undefined) continue;
    const others = new Map([...material.tokens].filter(([number]) => number !== request.number));
    const wrong = wrongTokens(state, request, exchange, { ...material, tokens: others });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

type Look = Extract<Action, { kind: "use" | "refresh" | "exchange" }>;

/** Whether each grant lives. */
function looksAtNewest(state: State): Look[] {
  return [...state.values()].flatMap(({ client, generations }): Look[] => {
    const tokens = generations.at(-1);
    if (tokens === undefined) return [];
    return [
      { kind: "use", tokens },
      { kind: "refresh", tokens, by: client, isWidening: false },
    ];
  });
}

/** Whether what was used up has come back. That may end a grant, so it comes last. */
function looksAtUsed(before: State, after: State): Look[] {
  return [...after].flatMap(([number, { client, generations, code }]): Look[] => {
    const tokens = before.get(number)?.generations.at(-1);
    if (tokens === undefined) return code === "used" ? [{ kind: "exchange", code: number, by: client }] : [];
    if (generations.at(-1) === tokens) return [];
    return [{ kind: "refresh", tokens, by: client, isWidening: false }];
  });
}

/** Sends requests one after the other. */
async function looked(
  target: Target,
  play: Play,
  before: readonly Sent[],
  actions: readonly Look[],
  answers: Map<number, Exchange>,
): Promise<Sent[]> {
  const state = stateOfAccepted(play.state, before);
  const firstNumber = Math.max(...before.map(({ request }) => request.number)) + 1;
  const seen: Sent[] = [];
  for (const [at, action] of actions.entries()) {
    const request = { ...action, number: firstNumber + at };
    const outgoing = await requestOf(target, state, request, play.material);
    const calledAt = performance.now();
    const exchange = await target.send(outgoing);
    const isAccepted = noted(play, request, exchange, answers);
    seen.push({ request, isAccepted, calledAt, returnedAt: performance.now() });
  }
  return seen;
}

/** The state as far as it says which tokens there are. */
function stateOfAccepted(state: State, sent: readonly Sent[]): State {
  return sent.reduce(
    (so, { request, isAccepted }) =>
      isAccepted === true && isPossible(so, request) && grantOf(so, request) !== undefined
        ? stateAfter(so, request, true)
        : so,
    state,
  );
}

function openingOf(
  { grants, mostRotationsFirst }: BurstTheme,
  motif: BurstMotif | undefined,
  random: () => number,
): Action[] {
  const leastRotations = motif?.includes("reuse") === true ? 1 : 0;
  const actions: Action[] = [];
  // A code that is to be fresh comes last.
  for (const { client, human, isNarrowed = false, isUnused = false } of grants.toSorted(
    (a, b) => Number(a.isUnused ?? false) - Number(b.isUnused ?? false),
  )) {
    actions.push({ kind: "authorize", client, human, isNarrowed });
    if (isUnused) continue;
    actions.push({ kind: "exchange", code: actions.length, by: client });
    const rotations = Math.max(leastRotations, Math.floor(random() * (mostRotationsFirst + 1)));
    for (let rotation = 0; rotation < rotations; rotation += 1)
      actions.push({ kind: "refresh", tokens: actions.length, by: client, isWidening: false });
  }
  return actions;
}
