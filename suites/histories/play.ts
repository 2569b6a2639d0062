import { attempt, type AttemptEnd, codeIn, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type AuthorizationCode,
  type Client,
  jmapResource,
  mcpResource,
} from "../support/actors/oauth-client.ts";
import { callHook } from "../support/actors/operator.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { clientFor, sharedClient } from "../support/material/clients.ts";
import { processOf } from "../support/target/process-of.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { isDisturbance } from "../support/wire/disturbance.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { choices, choiceShown, olderAccessToken } from "./choices.ts";
import { stateAfter, withDoubt } from "./grant-changes.ts";
import { noGrants, type Place, grantOf, type ResourceName, type State, type Step } from "./grants.ts";
import { type Expectation, expectationOf, mayHoldSend } from "./model.ts";
import { type Contradiction, requireAnswer } from "./contradiction.ts";
import { lateEnds } from "./races.ts";
import { type Material, type Request, requestOf, required, tokensIn } from "./requests.ts";
import type { Outcomes } from "./shorten.ts";
import { usedAt } from "./token-places.ts";
import { firstWrongUse, type IssuedToken } from "./token-uses.ts";

/** The requests of one history, one after the other, against a target. */
export interface Play {
  readonly state: State;
  readonly material: Material;
  /** What the steps were answered, consents left out. */
  readonly answers: readonly Exchange[];
  readonly outcomes: Outcomes;
  /**
   * Takes a step and uses every access token that the document says something about.
   *
   * @returns the first answer that the document does not allow
   * @throws {InconclusiveError} when an answer says neither yes nor no
   */
  take(step: Step): Promise<Contradiction | undefined>;
  /**
   * Takes a step and uses nothing, so that what comes next comes right after its answer. The target may end meanwhile.
   *
   * @throws {InconclusiveError} also when the target ended before its answer: nobody knows whether the step took effect
   */
  takeAtOnce(step: Step): Promise<Contradiction | undefined>;
  /** Notes a step that somebody else has taken. */
  note(step: Step): void;
}

/** A code must live for 20 seconds (C-28); what comes later may find it expired. */
export const codeIsYoungMs = 10_000;

export interface PlayOptions {
  /** Where clients are not those that all checks share: what may happen to their grants would spoil others. */
  readonly purpose?: string | undefined;
  /** How long the target may take to refuse what has ended; what the profile says when left out. */
  readonly propagationSeconds?: number | undefined;
}

export function startPlay(
  target: Target,
  { purpose, propagationSeconds = target.profile.revocation_propagation_seconds }: PlayOptions = {},
): Play {
  const material: Material = {
    clientOf: (kind) =>
      purpose === undefined ? sharedClient(target, kind) : clientFor(target, kind, `histories:${purpose}`),
    codes: new Map(),
    tokens: new Map(),
  };
  const answers: Exchange[] = [];
  const outcomes = new Map<number, boolean>();
  let state = noGrants;

  async function taken(step: Step, to: Target): Promise<Contradiction | undefined> {
    if (step.kind === "wait") {
      await target.wait(step.seconds);
      state = stateAfter(state, step, true);
      return undefined;
    }
    if (step.kind === "restart") {
      await restarted(target, step);
      state = stateAfter(state, step, true);
      return undefined;
    }
    if (step.kind === "deny") return declined(step);
    if (step.kind === "authorize") {
      const client = await material.clientOf(step.client);
      const code = await codeFor(target, client, step);
      if (code === undefined) return undefined;
      material.codes.set(step.number, { code, issuedAtMs: performance.now() });
      state = stateAfter(state, step, true);
      return undefined;
    }
    const expected = expectedNow(step);
    const exchange = await sent(to, step, expected);
    answers.push(exchange);
    const isTaken = isSuccess(exchange);
    requireAnswer(exchange, `step ${step.number}`);
    outcomes.set(step.number, isTaken);
    const choice = choiceShown(state, step, isTaken);
    if (choice !== undefined) target.note(choices, choice);
    // Asked again: a limit may have held the request back until its code was old.
    const contradiction =
      contradictionOf(step, expectedNow(step), exchange) ?? wrongTokens(state, step, exchange, material);
    if (isTaken && issuesTokens(step)) material.tokens.set(step.number, tokensIn(exchange, step));
    state = stateAfter(state, step, isTaken);
    return contradiction;
  }

  async function sent(to: Target, step: Request, expected: Expectation): Promise<Exchange> {
    // The end of a grant may take its time to reach everywhere; that a token was superseded may not.
    const isLate = expected.answer === "refused" && lateEnds.has(expected.requirement);
    if (step.kind === "refresh" && isLate) {
      const client = await material.clientOf(step.by);
      const tokens = required(material.tokens, step.tokens);
      return pollUntilRefreshRefused(to, { client }, tokens, propagationSeconds);
    }
    return to.send(await requestOf(to, state, step, material));
  }

  async function declined(step: Extract<Step, { kind: "deny" }>): Promise<Contradiction | undefined> {
    const end = await refusalOf(target, step, await material.clientOf(step.client));
    if (end === undefined) return undefined;
    answers.push(end.exchange);
    const hasCode = codeIn(end) !== undefined;
    const contradiction = hasCode
      ? { ...deniedWithCode, step: step.number, exchange: end.exchange }
      : undefined;
    state = stateAfter(state, step, hasCode);
    return contradiction;
  }

  function expectedNow(step: Step): Expectation {
    const issued = step.kind === "exchange" ? material.codes.get(step.code) : undefined;
    const expected = expectationOf(state, step);
    const isOld = issued !== undefined && performance.now() - issued.issuedAtMs > codeIsYoungMs;
    return isOld && expected.answer === "accepted" ? { answer: "any" } : expected;
  }

  /** What a step may have changed: after a rotation its own grant alone, since every request costs the target. */
  function usedAfter(step: Step, before: State): IssuedToken[] {
    const rotated =
      step.kind === "refresh" && expectationOf(before, step).answer === "accepted" ? step.tokens : undefined;
    return [...state.values()]
      .filter(({ generations }) => rotated === undefined || generations.includes(rotated))
      .flatMap(({ generations, human, resource }) =>
        someOf(generations, step.number).flatMap((at) =>
          placesOf[resource].map((place) => ({
            step: at,
            accessToken: required(material.tokens, at).access_token,
            human,
            place,
          })),
        ),
      );
  }

  /** Learns a choice, as long as it is not known well. */
  async function useOlderToken(step: Step): Promise<void> {
    const grant = step.kind === "refresh" ? state.get(grantOf(state, step) ?? 0) : undefined;
    if (step.kind !== "refresh" || grant?.fate.kind !== "active" || grant.generations.at(-1) !== step.number)
      return;
    if (target.noted(choices).filter(({ question }) => question === olderAccessToken).length >= mostAsked)
      return;
    const { access_token } = required(material.tokens, step.tokens);
    const exchange = await usedAt("the inbox list", target, access_token, grant.human);
    requireAnswer(exchange, `the access token of step ${step.tokens}`);
    target.note(choices, {
      question: olderAccessToken,
      outcome: isSuccess(exchange) ? "is served" : "is refused",
    });
  }

  return {
    answers,
    outcomes,
    material,
    get state() {
      return state;
    },
    async takeAtOnce(step) {
      const writing = target.changing((outgoing) => ({ ...outgoing, mayBeLost: true }));
      try {
        return await taken(step, writing);
      } catch (error) {
        if (isDisturbance(error)) state = withDoubt(state, step);
        throw error;
      }
    },
    note(step) {
      state = stateAfter(state, step, true);
    },
    async take(step) {
      const before = state;
      const contradiction = await taken(step, target);
      if (contradiction !== undefined) return contradiction;
      await useOlderToken(step);
      return firstWrongUse(target, step, state, usedAfter(step, before), propagationSeconds);
    },
  };
}

/** @throws {BlockedError} when mailproof has not started the target */
async function restarted(
  target: Target,
  { isKill, ofNode }: Extract<Step, { kind: "restart" }>,
): Promise<void> {
  if (ofNode === true) return killNode(target);
  const process = processOf(target);
  if (!isKill) return process.restart();
  await process.kill();
  await process.startAgain();
}

// Connections to a node that has died are noticed as closed by then.
const nodeDeathMs = 500;

/** Has the operator kill a node. Resolves when none that has died is taken for one that lives. */
export async function killNode(target: Target): Promise<void> {
  await callHook(target, "kill_node", {});
  await target.pause(nodeDeathMs);
}

const mostAsked = 4;

/** The oldest, the newest, and another one after each step: a long life is full of tokens that have ended. */
function someOf(generations: readonly number[], turn: number): readonly number[] {
  const between = generations.slice(1, -1);
  const other = between[turn % Math.max(1, between.length)];
  return [generations[0], other, generations.at(-1)].filter(
    (number, at, all): number is number => number !== undefined && all.indexOf(number) === at,
  );
}

/** Where tokens of each resource are used. */
const placesOf = {
  JMAP: ["JMAP", "the inbox list"],
  MCP: ["the MCP endpoint", "the inbox list", "JMAP"],
} as const satisfies Record<ResourceName, readonly Place[]>;

const deniedWithCode = {
  requirement: "AUTHZ-18",
  expected: "refused without a code",
  observed: "a redirect with a code",
};

export function issuesTokens({ kind }: Step): boolean {
  return kind === "exchange" || kind === "refresh";
}

/** A refresh token that was issued before, or a scope that the person took away. */
export function wrongTokens(
  state: State,
  step: Step,
  exchange: Exchange,
  { tokens }: Material,
): Contradiction | undefined {
  if (!issuesTokens(step) || !isSuccess(exchange)) return undefined;
  const { refresh_token: issued, scope } = jsonMembers(exchange);
  if ([...tokens.values()].some(({ refresh_token }) => refresh_token === issued))
    return {
      step: step.number,
      requirement: "REFRESH-02",
      expected: "answered with a refresh token that was never issued before",
      observed: "one that was issued before",
      exchange,
    };
  if (mayHoldSend(state, step) || typeof scope !== "string" || !scope.split(" ").includes("mail.send"))
    return undefined;
  return {
    step: step.number,
    requirement: step.kind === "refresh" && step.isWidening ? "SCOPE-27" : "SCOPE-06",
    expected: "answered with a scope without `mail.send`, which the person took away",
    observed: `scope ${JSON.stringify(scope)}`,
    exchange,
  };
}

function contradictionOf(
  { number }: Step,
  expected: Expectation,
  exchange: Exchange,
): Contradiction | undefined {
  if (expected.answer === "any" || (expected.answer === "accepted") === isSuccess(exchange)) return undefined;
  const { requirement, answer } = expected;
  return { step: number, requirement, expected: answer, observed: summary(exchange), exchange };
}

/** Undefined where the target remembers a consent and asks nothing, so that nobody can decline. */
async function refusalOf(
  target: Target,
  { human }: Extract<Step, { kind: "deny" }>,
  client: Client,
): Promise<AttemptEnd | undefined> {
  const request = authorizationRequest(target, client);
  return unlessSkipped(async () => (await attempt(target, request, { human, decision: "deny" })).end);
}

/** Undefined where the target remembers a consent and asks nothing, so that nobody can narrow it. */
async function codeFor(
  target: Target,
  client: Client,
  { human, isNarrowed, resource }: Extract<Step, { kind: "authorize" }>,
): Promise<AuthorizationCode | undefined> {
  const decision = isNarrowed ? "approve read-only" : "approve";
  const choice = resource === "MCP" ? mcpResource(target) : jmapResource(target);
  const request = authorizationRequest(target, client, { resource: choice });
  return unlessSkipped(() => obtainCode(target.setup, request, { human, decision }));
}

async function unlessSkipped<Result>(decide: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof InconclusiveError && error.code === "consent-skipped") return undefined;
    throw error;
  }
}
