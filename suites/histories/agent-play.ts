import {
  bearerIn,
  type Challenge,
  openSession,
  postCapability,
  type Proof,
  requestChallenge,
  solve,
} from "../support/actors/agent.ts";
import { bearer, jmapBody, jsonContentType, methodResponses, postJmap } from "../support/actors/jmap.ts";
import { followedSessionDocument, mailSessionIn } from "../support/actors/mail-session.ts";
import { withCharacterChanged } from "../support/material/mutations.ts";
import { newUsername, signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  type AgentExpectation,
  type AgentName,
  agentOfCapability,
  type AgentState,
  agentStateAfter,
  type AgentStep,
  expectationOfAgent,
  nothingIssued,
} from "./agent-model.ts";
import { choices } from "./choices.ts";
import { type Contradiction, requireAnswer } from "./contradiction.ts";
import { required } from "./requests.ts";
import type { Outcomes } from "./shorten.ts";

interface SolvableChallenge {
  readonly jwt: string;
  /** Found when it is first presented: of many challenges nothing comes. */
  readonly proof: () => Promise<Proof>;
}

/** The requests of one history of agents, one after the other, against a target. */
export interface AgentPlay {
  readonly state: AgentState;
  readonly answers: readonly Exchange[];
  readonly outcomes: Outcomes;
  /**
   * @returns the answer of the step, if the document does not allow it
   * @throws {InconclusiveError} when it says neither yes nor no
   */
  take(step: AgentStep): Promise<Contradiction | undefined>;
}

/** Within a minute a challenge is good (C-47), and so is a capability; what comes later may find it expired. */
const isYoungMs = 45_000;

// Zeros fulfil every difficulty, and no nonce yields them.
const zeros = "0".repeat(128);

/** The accounts that agents have reached, for all histories of a run: an agent owns one inbox. */
function knownAccounts(target: Target): Promise<Map<AgentName, string>> {
  return target.setup.once("histories:accounts", async () => new Map<AgentName, string>());
}

/** The key of an agent that all histories of a run share, since few may sign up. */
function sharedKey(target: Target, agent: "first" | "second"): Promise<string> {
  return target.setup.once(`histories:agent:${agent}`, async (recording) => {
    const { exchange } = await signUp(recording);
    return apiKeyIn(exchange);
  });
}

function apiKeyIn(exchange: Exchange): string {
  const { apiKey } = jsonMembers(exchange);
  if (isSuccess(exchange) && typeof apiKey === "string") return apiKey;
  throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
}

export function startAgentPlay(target: Target): AgentPlay {
  const challenges = new Map<number, SolvableChallenge>();
  const tokens = new Map<number, string>();
  const issuedAtMs = new Map<number, number>();
  const answers: Exchange[] = [];
  const outcomes = new Map<number, boolean>();
  let newKey: string | undefined;
  let newAccount: string | undefined;
  let state = nothingIssued;

  async function keyOf(agent: AgentName): Promise<string> {
    if (agent !== "new") return sharedKey(target, agent);
    if (newKey === undefined) throw new TypeError("nobody has signed up");
    return newKey;
  }

  async function sessionBody(
    step: Extract<AgentStep, { kind: "signup" | "login" }>,
    proof: Proof,
  ): Promise<Record<string, string>> {
    if (step.kind === "signup") {
      target.spend("sign_ups");
      return { ...proof, username: await newUsername(target) };
    }
    const rightKey = await keyOf(step.agent);
    // Of the right form, so that it is looked up.
    const apiKey = step.flaw === "key" ? withCharacterChanged(rightKey, "apiKeys") : rightKey;
    return { ...proof, ...(step.flaw === "proof" && { powHex: zeros }), apiKey };
  }

  async function requested(
    step: Exclude<AgentStep, { kind: "wait" | "challenge" | "use" }>,
  ): Promise<Exchange> {
    if (step.kind === "capability") return postCapability(target, required(tokens, step.session));
    const { jwt, proof } = required(challenges, step.challenge);
    return openSession(target, jwt, await sessionBody(step, await proof()));
  }

  function expectedNow(step: AgentStep): AgentExpectation {
    const expected = expectationOfAgent(state, step);
    const presented =
      step.kind === "use" ? step.capability : "challenge" in step ? step.challenge : undefined;
    const since = presented === undefined ? undefined : issuedAtMs.get(presented);
    const isOld = since !== undefined && performance.now() - since > isYoungMs;
    return isOld && expected.answer === "accepted" ? { answer: "any" } : expected;
  }

  function noteChoice(step: AgentStep, isAccepted: boolean): void {
    if (step.kind === "capability" && state.sessions.get(step.session)?.isDoubtful === true)
      target.note(choices, {
        question: "a session whose agent has logged in again, or whose challenge was presented again",
        outcome: isAccepted ? "still mints capabilities" : "has ended",
      });
    const isTried = "challenge" in step && state.challenges.get(step.challenge)?.state === "tried";
    if (isTried && (step.kind === "signup" || (step.kind === "login" && step.flaw === "none")))
      target.note(choices, {
        question: "a challenge that a refused session request presented",
        outcome: isAccepted ? "can still be used" : "is used up",
      });
  }

  async function use(step: Extract<AgentStep, { kind: "use" }>): Promise<Contradiction | undefined> {
    const expected = expectedNow(step);
    const { exchange, accountId } = await mailboxWith(target, required(tokens, step.capability));
    answers.push(exchange);
    requireAnswer(exchange, `step ${step.number}`);
    outcomes.set(step.number, accountId !== undefined);
    const contradiction = contradictionOf(step, expected, exchange, accountId !== undefined);
    if (contradiction !== undefined || accountId === undefined) return contradiction;
    return wrongAccount(step, accountId, exchange);
  }

  async function wrongAccount(
    { number, capability }: Extract<AgentStep, { kind: "use" }>,
    accountId: string,
    exchange: Exchange,
  ): Promise<Contradiction | undefined> {
    const agent = agentOfCapability(state, capability);
    const known = await knownAccounts(target);
    const before = agent === "new" ? newAccount : known.get(agent);
    if (agent === "new") newAccount = accountId;
    else known.set(agent, before ?? accountId);
    if (before === undefined || before === accountId) return undefined;
    return {
      step: number,
      requirement: "POW-11",
      expected: `answered for the inbox that the ${agent} agent reached before`,
      observed: "another account",
      exchange,
    };
  }

  return {
    answers,
    outcomes,
    get state() {
      return state;
    },
    async take(step) {
      if (step.kind === "wait") {
        await target.wait(step.seconds);
        state = agentStateAfter(state, step, true);
        return undefined;
      }
      if (step.kind === "challenge") {
        // Signing them up later would void this challenge where only the newest can be solved (C-92).
        for (const agent of ["first", "second"] as const) await sharedKey(target, agent);
        issuedAtMs.set(step.number, performance.now());
        const challenge = await requestChallenge(target.setup);
        let proof: Promise<Proof> | undefined;
        challenges.set(step.number, {
          jwt: challenge.jwt,
          proof: () => (proof ??= solvedFor(target, challenge)),
        });
        state = agentStateAfter(state, step, true);
        return undefined;
      }
      if (step.kind === "use") return use(step);
      const expected = expectedNow(step);
      const exchange = await requested(step);
      answers.push(exchange);
      requireAnswer(exchange, `step ${step.number}`);
      const token = bearerIn(exchange);
      const isAccepted = isSuccess(exchange);
      outcomes.set(step.number, isAccepted);
      const contradiction = contradictionOf(step, expected, exchange, isAccepted);
      if (contradiction !== undefined) return contradiction;
      if (isAccepted && token === undefined)
        throw controlRefused(
          `step ${step.number}`,
          "2xx with Authorization: Bearer <token>",
          exchange,
          "POW-02",
        );
      if (token !== undefined) tokens.set(step.number, token);
      issuedAtMs.set(step.number, performance.now());
      if (isAccepted && step.kind === "signup") newKey = apiKeyIn(exchange);
      noteChoice(step, isAccepted);
      state = agentStateAfter(state, step, isAccepted);
      return undefined;
    },
  };
}

async function solvedFor(target: Target, challenge: Challenge): Promise<Proof> {
  const { powHex, nonce } = await solve(target, challenge);
  return { powHex, nonce };
}

/** What a capability reaches: the account whose mailbox answers, if any. */
async function mailboxWith(
  target: Target,
  capability: string,
): Promise<{ readonly exchange: Exchange; readonly accountId?: string }> {
  const document = await followedSessionDocument(target, [bearer(capability)]);
  if (!isSuccess(document)) return { exchange: document };
  const { apiUrl, accountId } = mailSessionIn(target, document);
  const exchange = await postJmap(target, {
    url: apiUrl,
    headers: [bearer(capability), jsonContentType],
    body: jmapBody([["Mailbox/query", { accountId, filter: { role: "inbox" } }, "0"]]),
  });
  return methodResponses(exchange) === undefined ? { exchange } : { exchange, accountId };
}

function contradictionOf(
  { number }: AgentStep,
  expected: AgentExpectation,
  exchange: Exchange,
  isAccepted: boolean,
): Contradiction | undefined {
  if (expected.answer === "any" || (expected.answer === "accepted") === isAccepted) return undefined;
  const { requirement, answer } = expected;
  return { step: number, requirement, expected: answer, observed: summary(exchange), exchange };
}
