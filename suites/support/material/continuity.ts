import { authorizationUrl, s256, unguessable } from "../actors/oauth-client.ts";
import { endedClients, provenRequests } from "../actors/authorization.ts";
import { bearer, getAgents } from "../actors/jmap.ts";
import { createEvidence } from "../target/evidence.ts";
import type { Topic } from "../target/notes.ts";
import type { Target, TargetRun } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, jsonMembers } from "../wire/exchange.ts";
import { replacing, valueOf } from "../wire/parameters.ts";

/** Access tokens that checks share and none destroys. */
export const sharedTokens: Topic<SharedToken> = { name: "shared access tokens" };

interface SharedToken {
  readonly accessToken: string;
  /** On the target's clock; none is shared past this. */
  readonly untilSeconds: number;
}

/** Notices that a target was restarted and lost its state in the middle of a run. */
export interface Continuity {
  /** How many restarts were noticed so far. */
  readonly restarts: number;
  /** What told of them, one line each. */
  readonly notices: readonly string[];
  /** Looks at once whether the target still knows what it knew. Never throws. */
  look(): Promise<void>;
}

/** A target that seems to lose its state more often than this was not restarted: it is like that, and is judged as it is. */
const maxRestarts = 5;

/**
 * What a target knew longer ago than this, on its own clock, it may have forgotten without a restart: keys are rotated, and
 * registrations that nobody uses lapse.
 */
const rememberedSeconds = 86_400;

/** What is left behind when a restart is noticed is up to the run: {@link TargetRun.forgetPast} is called. */
export function createContinuity(run: TargetRun): Continuity {
  const notices: string[] = [];
  let keys: ReadonlySet<string> | undefined;
  let keysAtSeconds = 0;
  let keysAreStable = true;
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function lookNow(): Promise<void> {
    if (notices.length === maxRestarts) return;
    const target = run.targetFor(createEvidence());
    const signs = await Promise.all([lostKeys(target), lostClient(target), lostGrants(target, run)]);
    const sign = signs.find((text) => text !== undefined);
    if (sign === undefined) return;
    notices.push(sign);
    run.forgetPast();
  }

  async function lostKeys(target: Target): Promise<string | undefined> {
    if (!keysAreStable) return undefined;
    const seen = await publishedKeys(target);
    const before = isRemembered(target, keysAtSeconds) ? keys : undefined;
    keys = seen ?? before;
    if (seen !== undefined) keysAtSeconds = target.elapsedSeconds();
    // A target that never shows the same keys twice tells nothing by them.
    if (before === undefined && seen !== undefined)
      keysAreStable = !areDisjoint(seen, await publishedKeys(target));
    return areDisjoint(before, seen) ? "none of its signing keys is published any more" : undefined;
  }

  return {
    get restarts() {
      return notices.length;
    },
    notices,
    look() {
      // A look that is under way may have begun too early; whoever comes meanwhile shares the next one.
      next ??= current.then(async () => {
        next = undefined;
        current = lookNow();
        await current;
      });
      return next;
    },
  };
}

function isRemembered(target: Target, sinceSeconds: number): boolean {
  return target.elapsedSeconds() - sinceSeconds <= rememberedSeconds;
}

function areDisjoint(before: ReadonlySet<string> | undefined, now: ReadonlySet<string> | undefined): boolean {
  return before !== undefined && now !== undefined && ![...before].some((key) => now.has(key));
}

/** The public keys as text; undefined when none can be had. */
async function publishedKeys(target: Target): Promise<ReadonlySet<string> | undefined> {
  const exchange = await answerOf(() =>
    target.send({ method: "GET", url: `${target.authUrl}/.well-known/jwks.json` }),
  );
  const list = exchange && jsonMembers(exchange)["keys"];
  return Array.isArray(list) && list.length > 0 ? new Set(list.map((key) => JSON.stringify(key))) : undefined;
}

async function lostClient(target: Target): Promise<string | undefined> {
  const ended = target.noted(endedClients);
  const proven = target
    .noted(provenRequests)
    .findLast(({ parameters }) => !ended.includes(valueOf(parameters, "client_id") ?? ""));
  if (proven === undefined || !isRemembered(target, proven.atSeconds)) return undefined;
  // A target may refuse a request that it has seen before.
  const parameters = replacing(
    replacing(proven.parameters, "state", unguessable()),
    "code_challenge",
    s256(unguessable()),
  );
  const first = await answerOf(() =>
    target.send({ method: "GET", url: authorizationUrl(target, parameters) }),
  );
  // Whatever else an endpoint does with a valid request, it does so for a client that it knows.
  const isRefused = [400, 401, 403, 404].includes(first?.response.status ?? 0);
  return isRefused ? "a client that it knew is refused at its authorization endpoint" : undefined;
}

/**
 * A shared grant that is gone. Where nothing was disturbed it is not a sign: a target may let grants fall together, which is
 * for the checks to judge.
 */
async function lostGrants(target: Target, run: TargetRun): Promise<string | undefined> {
  const token = target
    .noted(sharedTokens)
    .findLast(({ untilSeconds }) => untilSeconds > target.elapsedSeconds());
  if (token === undefined || run.http.disturbances === 0) return undefined;
  const use = await answerOf(() => getAgents(target, [bearer(token.accessToken)]));
  return use?.response.status === 401 ? "a grant that no check destroyed is refused" : undefined;
}

async function answerOf(ask: () => Promise<Exchange>): Promise<Exchange | undefined> {
  try {
    return await ask();
  } catch (error) {
    // Without an answer there is no sign either way.
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  }
}
