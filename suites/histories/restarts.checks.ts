import { check, type Check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import { processOf } from "../support/target/process-of.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { isDisturbance } from "../support/wire/disturbance.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { lastLook, replayHistory } from "./live.ts";
import { shortestOf, violationOf } from "./lives.ts";
import type { Action, Step } from "./grants.ts";
import { newCoverage, nextAction, type Previous, type Theme } from "./next-step.ts";
import type { Contradiction } from "./contradiction.ts";
import { killNode, type Play, startPlay } from "./play.ts";
import { randomNumbers } from "./random.ts";
import { rounds } from "./settings.ts";
import { type BrokenHistory, type History, shorteningOfGrants } from "./shorten.ts";
import { controlJudgedBy } from "../support/wire/control-refused.ts";
import { grantTo } from "../support/material/grants.ts";
import { storyOf } from "./story.ts";

interface RestartCase {
  readonly slug: "restarted" | "killed" | "node-killed";
  /** Reads after "In random histories of grants". */
  readonly words: string;
  readonly unlockedBy: Unlock;
  /** How it ends. */
  readonly restart: Extract<Action, { kind: "restart" }>;
  /** What judges by itself whether its clients are still known then. */
  readonly clientsJudgedBy: string;
}

const cases: readonly RestartCase[] = [
  {
    slug: "restarted",
    words: "through a restart of the target",
    unlockedBy: "restart",
    restart: { kind: "restart", isKill: false },
    clientsJudgedBy: "DCR-04/restarted",
  },
  {
    slug: "killed",
    words: "through a kill of the target right after an acknowledgement",
    unlockedBy: "restart",
    restart: { kind: "restart", isKill: true },
    clientsJudgedBy: "DCR-04/killed",
  },
  {
    slug: "node-killed",
    words: "through a kill of one node right after an acknowledgement, while the others serve",
    unlockedBy: "kill_node_hook",
    restart: { kind: "restart", isKill: true, ofNode: true },
    clientsJudgedBy: "DCR-06/every-node",
  },
];

const clients = ["public", "other", "confidential"] as const;

const theme: Theme = {
  clients,
  humans: ["first"],
  mostGrants: clients.length,
  weights: {
    authorize: 0,
    narrow: 0,
    redeem: 0,
    rotate: 4,
    reuse: 0.5,
    revoke: 0.5,
    "replay a code": 0.4,
    "revoke an older token": 0.2,
    "present a code as another client": 0.2,
    "refresh as another client": 0.2,
    "reuse as another client": 0.1,
    widen: 0.3,
  },
};

// A restart is what a life costs here, so a life holds a grant of each client, and much happens to them.
const ordinaryLives = 2;
/** The node that dies need not be the one that has acknowledged something. */
const livesOfNodes = 4;
const leastSteps = 6;
const mostMoreSteps = 8;
const mostShorterTries = 8;
const refreshesBeforeKill = 5;
const mostLastRefreshes = 200;
/** All that may have been acknowledged since the target wrote to its disk: some do it once a second. */
const mostSuperseded = mostLastRefreshes + refreshesBeforeKill;

async function livedThrough(target: Target, seed: number, restart: RestartCase["restart"]): Promise<History> {
  const { isKill } = restart;
  const play = startPlay(target);
  const random = randomNumbers(seed);
  const coverage = newCoverage();
  const steps: Step[] = [];
  let previous: Previous | undefined;

  async function take(action: Action, how: "take" | "takeAtOnce"): Promise<Contradiction | undefined> {
    const step = { ...action, number: steps.length + 1 };
    steps.push(step);
    return play[how](step);
  }

  for (const client of clients) {
    const code = steps.length + 1;
    const consent = { kind: "authorize", client, human: "first", isNarrowed: random() < 0.4 } as const;
    for (const action of [consent, { kind: "exchange", code, by: client } as const]) {
      if (action.kind === "exchange" && !play.state.has(code)) continue;
      const contradiction = await take(action, "take");
      if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
    }
  }
  const length = steps.length + leastSteps + Math.floor(random() * mostMoreSteps);
  while (steps.length < length) {
    const next = nextAction(play.state, theme, previous, coverage, random);
    if (next === undefined) break;
    previous = { ...next, ...(previous && { earlier: previous.weighed }) };
    const contradiction = await take(next.action, "take");
    if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  }

  /** Kills the target while it refreshes a grant, so that it has acknowledged something right before. */
  async function killedMeanwhile(): Promise<Contradiction | undefined> {
    const process = restart.ofNode === true ? undefined : processOf(target);
    // A process ends at once, and has to have acknowledged something before; a container takes its time.
    const before = await refreshed(refreshesBeforeKill, () => true);
    let isAlive = true;
    const [during] = await Promise.all([
      before === undefined ? refreshed(mostLastRefreshes, () => isAlive) : undefined,
      (process?.kill() ?? killNode(target)).finally(() => {
        isAlive = false;
      }),
    ]);
    await process?.startAgain();
    const step = { ...restart, number: steps.length + 1 };
    steps.push(step);
    play.note(step);
    return before ?? during;
  }

  async function refreshed(most: number, goesOn: () => boolean): Promise<Contradiction | undefined> {
    for (let count = 0; count < most && goesOn(); count += 1) {
      const action = refreshOfActive(play);
      if (action === undefined) return undefined;
      try {
        const contradiction = await take(action, "takeAtOnce");
        if (contradiction !== undefined) return contradiction;
      } catch (error) {
        if (!isDisturbance(error)) throw error;
        // Nobody knows whether it took effect: no part of what was acknowledged.
        steps.pop();
        return undefined;
      }
    }
    return undefined;
  }

  const contradiction = isKill ? await killedMeanwhile() : await take(restart, "take");
  if (contradiction !== undefined) return { steps, answers: play.answers, contradiction };
  for (const action of [
    ...codesOf(play),
    ...(isKill ? lastSuperseded(play) : []),
    ...lastLook(play, oldest),
  ]) {
    const wrong = await take(action, "take");
    if (wrong !== undefined) return { steps, answers: play.answers, contradiction: wrong };
  }
  return { steps, answers: play.answers };
}

function refreshOfActive({ state }: Play): Action | undefined {
  for (const { client, fate, generations, newest } of state.values()) {
    const tokens = generations.at(-1);
    if (fate.kind === "active" && newest === "usable" && tokens !== undefined)
      return { kind: "refresh", tokens, by: client, isWidening: false };
  }
  return undefined;
}

/**
 * The newest refresh token of each grant, then those that were superseded last: a target that has lost a rotation refuses the
 * newest, as one does that has rotated it for a request which was under way, and accepts one that it had superseded.
 */
function lastSuperseded({ state }: Play): Action[] {
  return [...state.values()].flatMap(({ client, generations }) =>
    generations
      .slice(-mostSuperseded)
      .toReversed()
      .map((tokens): Action => ({ kind: "refresh", tokens, by: client, isWidening: false })),
  );
}

/** Draws what comes first: the oldest token is one from before the restart. */
function oldest(): number {
  return 0;
}

/** Used codes, of grants that have ended: what their replay does to others is left open. */
function codesOf({ state }: Play): Action[] {
  return [...state].flatMap(([code, { client, fate, code: codeState }]) =>
    codeState === "used" && fate.kind === "ended" ? [{ kind: "exchange", code, by: client }] : [],
  );
}

interface Restarts {
  readonly answers: readonly Exchange[];
  readonly broken?: BrokenHistory;
}

async function livesThrough(
  target: Target,
  { slug, restart, clientsJudgedBy }: RestartCase,
): Promise<Restarts> {
  if (restart.ofNode !== true) processOf(target);
  const answers: Exchange[] = [];
  for (const round of rounds(restart.ofNode === true ? livesOfNodes : ordinaryLives)) {
    const seed = propertySettings.seed + round * 7919 + slug.length;
    const history = await livedThrough(target.setup, seed, restart);
    answers.push(...history.answers);
    const { contradiction } = history;
    if (contradiction === undefined) continue;
    // A target that has forgotten its clients refuses all that is theirs.
    await requireKnownClients(target, clientsJudgedBy);
    const broken = await shortestOf(
      target,
      { ...history, contradiction },
      {
        replayHistory: (on, steps, propagationSeconds) =>
          replayHistory(startPlay(on, { propagationSeconds }), steps),
        shortening: shorteningOfGrants,
        mostTries: mostShorterTries,
        isCostly: true,
      },
    );
    return { answers: broken.answers, broken };
  }
  return { answers };
}

/** @throws {InconclusiveError} control-refused, when a client of the former life gets no grant in this one */
async function requireKnownClients(target: Target, explainedBy: string): Promise<void> {
  for (const kind of clients) {
    const client = await sharedClient(target, kind);
    await controlJudgedBy(explainedBy, () => grantTo(target.control, client));
  }
}

/** What was acknowledged stays true. Document, "States and transitions": no state ends with the process. */
export const restartChecks: readonly Check[] = cases.map((one) =>
  check({
    id: `LIFE-06/${one.slug}`,
    claim: `In random histories of grants ${one.words}, every response is one that the document allows.`,
    needs: ["human"],
    unlockedBy: one.unlockedBy,
    act: (target) => livesThrough(target, one),
    assert({ broken }) {
      if (broken !== undefined) throw violationOf(broken, storyOf(broken));
    },
  }),
);
