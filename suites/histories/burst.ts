import { isRefusalStatus } from "../support/judging/expect.ts";
import { raceOnce } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import { isRateLimited } from "../support/wire/rate-gate.ts";
import { type BurstTheme, drawBurst, possiblePairs } from "./draw-burst.ts";
import { operationsOf, type Sent, unexplained, type Unexplained } from "./judge-burst.ts";
import { type Action, grantOf, isPossible, type State, stateAfter, type Step } from "./model.ts";
import type { Coverage } from "./next-step.ts";
import { type Contradiction, issuesTokens, type Play, startPlay, wrongTokens } from "./play.ts";
import { type Request, requestOf, tokensIn } from "./requests.ts";

/** What some grants were before, the requests that were sent together, and what showed afterwards. */
export interface BurstHistory {
  readonly before: readonly Step[];
  readonly answers: ReadonlyMap<number, Exchange>;
  readonly sent: readonly Sent[];
  readonly after: readonly Sent[];
  /** Pairs of requests that could have been sent together. */
  readonly possible: ReadonlySet<string>;
  /** An answer that is wrong by itself. */
  readonly contradiction?: Contradiction;
  /** Answers that no order explains. */
  readonly unexplained?: Unexplained;
  /** Fewer than two were answered, so that it says nothing. */
  readonly isVoid?: true;
}

/** Makes the grants of a theme, and sends requests about them together. */
export async function burst(
  target: Target,
  theme: BurstTheme,
  { random, coverage }: { random: () => number; coverage: Coverage },
): Promise<BurstHistory> {
  const play = startPlay(target.setup);
  const before: Step[] = [];
  const answers = new Map<number, Exchange>();
  const base = { before, answers, sent: [], after: [], possible: new Set<string>() };
  for (const action of openingOf(theme, random)) {
    const step = { ...action, number: before.length + 1 };
    before.push(step);
    // Where a target remembers a consent, nobody can narrow it.
    if (!isPossible(play.state, step)) continue;
    const contradiction = await play.take(step);
    if (contradiction !== undefined) return { ...base, contradiction };
  }
  const { state } = play;
  const firstNumber = before.length + 1;
  const requests = drawBurst(state, theme, { coverage, random, firstNumber });
  const history = { ...base, possible: possiblePairs(state, theme) };
  const sent = await sentTogether(target, play, requests, answers);
  if (sent.filter(({ isAccepted }) => isAccepted !== undefined).length < 2)
    return { ...history, sent, isVoid: true };
  const wrong = wrongAnswer(play, requests, answers);
  if (wrong !== undefined) return { ...history, sent, contradiction: wrong };
  return { ...history, sent, ...(await judged(target, play, sent, answers)) };
}

async function judged(
  target: Target,
  play: Play,
  sent: readonly Sent[],
  answers: Map<number, Exchange>,
): Promise<Pick<BurstHistory, "after" | "unexplained">> {
  const { state } = play;
  const propagationMs = target.profile.revocation_propagation_seconds * 1000;
  const together = operationsOf(state, sent, propagationMs > 0);
  const conflict = unexplained(state, together);
  if (conflict !== undefined) return { after: [], unexplained: conflict };
  const early = await looks(target, play, sent, answers);
  const strict = unexplained(state, [...together, ...operationsOf(state, early, false)]);
  const late = operationsOf(state, early, true);
  if (strict === undefined || propagationMs === 0 || unexplained(state, [...together, ...late]) !== undefined)
    return { after: early, ...(strict && { unexplained: strict }) };
  await target.pause(propagationMs);
  const again = await looks(target, play, [...sent, ...early], answers);
  const settled = unexplained(state, [...together, ...late, ...operationsOf(state, again, false)]);
  return { after: [...early, ...again], ...(settled && { unexplained: settled }) };
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
  if (!isSuccess(exchange)) return isRefusalStatus(exchange.response.status) ? false : undefined;
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

/** Uses the newest tokens of each grant, one after the other: only that shows which grants live. */
async function looks(
  target: Target,
  play: Play,
  before: readonly Sent[],
  answers: Map<number, Exchange>,
): Promise<Sent[]> {
  const state = stateOfAccepted(play.state, before);
  let number = Math.max(...before.map(({ request }) => request.number));
  const seen: Sent[] = [];
  for (const { client, generations } of state.values()) {
    const tokens = generations.at(-1);
    if (tokens === undefined) continue;
    for (const action of [
      { kind: "use", tokens },
      { kind: "refresh", tokens, by: client, isWidening: false },
    ] as const) {
      number += 1;
      const request = { ...action, number };
      const outgoing = await requestOf(target, state, request, play.material);
      const calledAt = performance.now();
      const exchange = await target.send(outgoing);
      const isAccepted = noted(play, request, exchange, answers);
      seen.push({ request, isAccepted, calledAt, returnedAt: performance.now() });
    }
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

function openingOf({ grants, mostRotationsFirst }: BurstTheme, random: () => number): Action[] {
  const actions: Action[] = [];
  // A code that is to be fresh comes last.
  for (const { client, human, isNarrowed = false, isUnused = false } of grants.toSorted(
    (a, b) => Number(a.isUnused ?? false) - Number(b.isUnused ?? false),
  )) {
    actions.push({ kind: "authorize", client, human, isNarrowed });
    if (isUnused) continue;
    actions.push({ kind: "exchange", code: actions.length, by: client });
    const rotations = Math.floor(random() * (mostRotationsFirst + 1));
    for (let rotation = 0; rotation < rotations; rotation += 1)
      actions.push({ kind: "refresh", tokens: actions.length, by: client, isWidening: false });
  }
  return actions;
}
