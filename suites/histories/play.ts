import { obtainCode } from "../support/actors/authorization.ts";
import { authorizationRequest, type AuthorizationCode, type Client } from "../support/actors/oauth-client.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { isAccepted, pollUntilRejected, useAccessToken } from "../support/judging/access-token-use.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { sharedClient } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  type Expectation,
  expectationOf,
  expectationOfAccessToken,
  lateEnds,
  mayHoldSend,
  noGrants,
  type State,
  stateAfter,
  type Step,
} from "./model.ts";
import { type Material, type Request, requestOf, required, tokensIn } from "./requests.ts";

/** An answer that the document does not allow after what came before. */
export interface Contradiction {
  /** The step that it followed. */
  readonly step: number;
  /** The step whose access token was used; absent when the answer is that of the step itself. */
  readonly accessToken?: number;
  readonly requirement: string;
  /** Reads after "to be". */
  readonly expected: string;
  readonly observed: string;
  readonly exchange: Exchange;
}

/** The requests of one history, one after the other, against a target. */
export interface Play {
  readonly state: State;
  readonly material: Material;
  /** What the steps were answered, consents left out. */
  readonly answers: readonly Exchange[];
  /**
   * Takes a step and uses every access token that the document says something about.
   *
   * @returns the first answer that the document does not allow
   * @throws {InconclusiveError} when an answer says neither yes nor no
   */
  take(step: Step): Promise<Contradiction | undefined>;
}

/** A code must live for 20 seconds (C-28); what comes later may find it expired. */
export const codeIsYoungMs = 10_000;

export function startPlay(target: Target): Play {
  const material: Material = { codes: new Map(), tokens: new Map() };
  const answers: Exchange[] = [];
  let state = noGrants;

  async function taken(step: Step): Promise<Contradiction | undefined> {
    if (step.kind === "authorize") {
      const client = await sharedClient(target, step.client);
      const code = await codeFor(target, client, step);
      if (code === undefined) return undefined;
      material.codes.set(step.number, { code, issuedAtMs: performance.now() });
      state = stateAfter(state, step, true);
      return undefined;
    }
    const expected = expectedNow(step);
    const exchange = await sent(target, state, step, expected, material);
    answers.push(exchange);
    const isTaken = isSuccess(exchange);
    requireAnswer(exchange, `step ${step.number}`);
    const contradiction =
      contradictionOf(step, expected, exchange) ?? wrongTokens(state, step, exchange, material);
    if (isTaken && issuesTokens(step)) material.tokens.set(step.number, tokensIn(exchange, step));
    state = stateAfter(state, step, isTaken);
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
      .flatMap(({ generations, human }) =>
        generations.map((at) => ({
          step: at,
          accessToken: required(material.tokens, at).access_token,
          human,
        })),
      );
  }

  return {
    answers,
    material,
    get state() {
      return state;
    },
    async take(step) {
      const before = state;
      const contradiction = await taken(step);
      if (contradiction !== undefined) return contradiction;
      return firstWrongUse(target, step, state, usedAfter(step, before));
    },
  };
}

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

/** A 404, 405, 429 or 5xx says neither yes nor no. @throws {InconclusiveError} */
function requireAnswer(exchange: Exchange, what: string): void {
  if (isSuccess(exchange) || isRefusalStatus(exchange.response.status)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `${what} was neither accepted nor refused: ${summary(exchange)}`,
    { exchange },
  );
}

/** The access token of a step, and whose it is. */
interface IssuedToken {
  readonly step: number;
  readonly accessToken: string;
  readonly human: WhichHuman;
}

/** Uses access tokens, those that have to be refused last: they are given time. */
async function firstWrongUse(
  target: Target,
  { number }: Step,
  state: State,
  issued: readonly IssuedToken[],
): Promise<Contradiction | undefined> {
  const expected = issued.flatMap((token) => {
    const expectation = expectationOfAccessToken(state, token.step);
    return expectation.answer === "any" ? [] : [{ ...token, ...expectation }];
  });
  for (const { step, accessToken, human, answer, requirement } of expected.toSorted(
    (a, b) => Number(a.answer === "refused") - Number(b.answer === "refused"),
  )) {
    const use =
      answer === "accepted"
        ? await useAccessToken(target, accessToken, human)
        : await pollUntilRejected(target, accessToken, human);
    for (const exchange of [use.jmap, use.agents])
      requireAnswer(exchange, `the access token of step ${step}`);
    const isWrong =
      answer === "accepted"
        ? !isAccepted(use)
        : [use.jmap, use.agents].some(({ response }) => response.status !== 401);
    if (!isWrong) continue;
    const exchange = (answer === "accepted") === isSuccess(use.jmap) ? use.agents : use.jmap;
    return {
      step: number,
      accessToken: step,
      requirement,
      expected: answer === "accepted" ? "served" : "refused with 401",
      observed: summary(exchange),
      exchange,
    };
  }
  return undefined;
}

/** Undefined where the target remembers a consent and asks nothing, so that nobody can narrow it. */
async function codeFor(
  target: Target,
  client: Client,
  { human, isNarrowed }: Extract<Step, { kind: "authorize" }>,
): Promise<AuthorizationCode | undefined> {
  const decision = isNarrowed ? "approve read-only" : "approve";
  try {
    return await obtainCode(target.setup, authorizationRequest(target, client), { human, decision });
  } catch (error) {
    if (error instanceof InconclusiveError && error.code === "consent-skipped") return undefined;
    throw error;
  }
}

async function sent(
  target: Target,
  state: State,
  step: Request,
  expected: Expectation,
  material: Material,
): Promise<Exchange> {
  // The end of a grant may take its time to reach everywhere; that a token was superseded may not.
  const isLate = expected.answer === "refused" && lateEnds.has(expected.requirement);
  if (step.kind === "refresh" && isLate) {
    const client = await sharedClient(target, step.by);
    return pollUntilRefreshRefused(target, { client }, required(material.tokens, step.tokens));
  }
  return target.send(await requestOf(target, state, step, material));
}
