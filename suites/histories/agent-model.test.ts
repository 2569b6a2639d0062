import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { agentLifeCases } from "./agent-lives.checks.ts";
import { liveAsAgents, shorteningOfAgents } from "./agent-live.ts";
import {
  type AgentAction,
  type AgentName,
  type AgentState,
  agentStateAfter,
  type AgentStep,
  expectationOfAgent,
  nothingIssued,
} from "./agent-model.ts";
import type { AgentPlay } from "./agent-play.ts";
import { agentStoryOf } from "./agent-story.ts";
import { newCoverage } from "./next-step.ts";

const asked: AgentAction = { kind: "challenge" };

function login(challenge: number, more: Partial<Extract<AgentAction, { kind: "login" }>> = {}): AgentAction {
  return { kind: "login", challenge, agent: "first", flaw: "none", ...more };
}

/** The state after these actions, each answered as the document says, and accepted where it says nothing. */
function after(...actions: readonly AgentAction[]): AgentState {
  return actions.reduce<AgentState>((state, action, at) => {
    const { answer } = expectationOfAgent(state, action);
    return agentStateAfter(state, { ...action, number: at + 1 }, answer !== "refused");
  }, nothingIssued);
}

const mint: AgentAction = { kind: "capability", session: 2 };
const use: AgentAction = { kind: "use", capability: 3 };

function wait(minutes: number): AgentAction {
  return { kind: "wait", seconds: minutes * 60 };
}

test.for<[name: string, before: readonly AgentAction[], next: AgentAction, expected: string]>([
  ["a login with a fresh challenge", [asked], login(1), "accepted POW-11"],
  ["a signup with a fresh challenge", [asked], { kind: "signup", challenge: 1 }, "accepted POW-08"],
  ["a spent challenge", [asked, login(1)], login(1, { agent: "second" }), "refused POW-34"],
  ["a signup with a spent challenge", [asked, login(1)], { kind: "signup", challenge: 1 }, "refused POW-35"],
  ["an unknown key", [asked], login(1, { flaw: "key" }), "refused POW-44"],
  ["a wrong digest", [asked], login(1, { flaw: "proof" }), "any"],
  ["a wrong digest with a spent challenge", [asked, login(1)], login(1, { flaw: "proof" }), "refused POW-34"],
  ["a challenge of a refused login", [asked, login(1, { flaw: "key" })], login(1), "any"],
  ["the older of two challenges", [asked, asked], login(1), "any"],
  ["a challenge some minutes later", [asked, wait(4)], login(1), "any"],
  ["a session", [asked, login(1)], mint, "accepted POW-49"],
  ["a session within its hour", [asked, login(1), wait(50)], mint, "accepted POW-49"],
  ["a session after its hour", [asked, login(1), wait(66)], mint, "refused POW-53"],
  ["a session whose agent is back", [asked, login(1), asked, login(3)], mint, "any"],
  ["a session whose challenge was presented again", [asked, login(1), login(1)], mint, "any"],
  [
    "a session beside another's",
    [asked, login(1), asked, login(3, { agent: "second" })],
    mint,
    "accepted POW-49",
  ],
  ["a capability", [asked, login(1), mint], use, "accepted POW-59"],
  ["a capability after four minutes", [asked, login(1), mint, wait(4)], use, "refused POW-51"],
])("the document about %s", ([, before, next, expected]) => {
  const expectation = expectationOfAgent(after(...before), next);
  expect(expectation.answer === "any" ? "any" : `${expectation.answer} ${expectation.requirement}`).toBe(
    expected,
  );
});

interface Choices {
  readonly newChallenge: "leaves the older" | "voids the older";
  readonly refusedRequest: "spends the challenge" | "keeps the challenge";
  readonly newLogin: "leaves the older sessions" | "ends the older sessions";
  readonly replay: "changes nothing" | "ends the session";
  readonly challengeSeconds: number;
}

const anyChoices: fc.Arbitrary<Choices> = fc.record({
  newChallenge: fc.constantFrom("leaves the older", "voids the older"),
  refusedRequest: fc.constantFrom("spends the challenge", "keeps the challenge"),
  newLogin: fc.constantFrom("leaves the older sessions", "ends the older sessions"),
  replay: fc.constantFrom("changes nothing", "ends the session"),
  challengeSeconds: fc.constantFrom(60, 3600),
});

interface Session {
  readonly agent: AgentName;
  readonly challenge: number;
  readonly openedAt: number;
  hasEnded: boolean;
}

/** A service in memory, written without the model. */
function simulatedAgents(choices: Choices): (step: AgentStep) => boolean {
  const challenges = new Map<number, { issuedAt: number; isSpent: boolean }>();
  const sessions = new Map<number, Session>();
  const capabilities = new Map<number, { mintedAt: number; session: number }>();
  let now = 0;

  function open(step: Extract<AgentStep, { kind: "signup" | "login" }>): boolean {
    const challenge = challenges.get(step.challenge);
    if (choices.replay === "ends the session" && challenge?.isSpent === true)
      for (const session of sessions.values()) session.hasEnded ||= session.challenge === step.challenge;
    if (challenge === undefined || challenge.isSpent) return false;
    if (now - challenge.issuedAt > choices.challengeSeconds) return false;
    const isRight = step.kind === "signup" || step.flaw === "none";
    challenge.isSpent = isRight || choices.refusedRequest === "spends the challenge";
    if (!isRight) return false;
    const agent = step.kind === "signup" ? "new" : step.agent;
    if (choices.newLogin === "ends the older sessions")
      for (const session of sessions.values()) session.hasEnded ||= session.agent === agent;
    sessions.set(step.number, { agent, challenge: step.challenge, openedAt: now, hasEnded: false });
    return true;
  }

  return (step) => {
    switch (step.kind) {
      case "challenge":
        if (choices.newChallenge === "voids the older")
          for (const challenge of challenges.values()) challenge.isSpent = true;
        challenges.set(step.number, { issuedAt: now, isSpent: false });
        return true;
      case "signup":
      case "login":
        return open(step);
      case "capability": {
        const session = sessions.get(step.session);
        if (session === undefined || session.hasEnded || now - session.openedAt > 3600) return false;
        capabilities.set(step.number, { mintedAt: now, session: step.session });
        return true;
      }
      case "use": {
        const capability = capabilities.get(step.capability);
        const session = sessions.get(capability?.session ?? 0);
        return capability !== undefined && session?.hasEnded === false && now - capability.mintedAt <= 120;
      }
      case "wait":
        now += step.seconds;
        return true;
    }
  };
}

function playOn(answer: (step: AgentStep) => boolean): AgentPlay {
  let state = nothingIssued;
  return {
    answers: [],
    outcomes: new Map(),
    get state() {
      return state;
    },
    take(step) {
      const expected = expectationOfAgent(state, step);
      const isAccepted = answer(step);
      if (expected.answer !== "any" && (expected.answer === "accepted") !== isAccepted)
        return Promise.resolve({
          step: step.number,
          requirement: expected.requirement,
          expected: expected.answer,
          observed: "the opposite",
          exchange: {} as Exchange,
        });
      state = agentStateAfter(state, step, isAccepted);
      return Promise.resolve(undefined);
    },
  };
}

test.for(agentLifeCases)("no choice is accused in lives of agents, $slug", async ({ theme, mostSteps }) => {
  await fc.assert(
    fc.asyncProperty(anyChoices, fc.nat(), async (choices, seed) => {
      const play = playOn(simulatedAgents(choices));
      const motif = theme.motifs[seed % (theme.motifs.length + 1)];
      const options = { seed, motif, mostSteps, coverage: newCoverage() };
      const { contradiction } = await liveAsAgents(play, { ...theme, maySignUp: true }, options);
      expect(contradiction).toBeUndefined();
    }),
    { ...propertySettings, numRuns: 500 },
  );
});

test("a spent challenge that comes back is told as a short story", () => {
  const steps: readonly AgentStep[] = [
    { kind: "challenge", number: 1 },
    { kind: "login", challenge: 1, agent: "first", flaw: "none", number: 2 },
    { kind: "capability", session: 2, number: 3 },
    { kind: "login", challenge: 1, agent: "second", flaw: "none", number: 4 },
  ];
  const contradiction = {
    step: 4,
    requirement: "POW-34",
    expected: "refused",
    observed: "200",
    exchange: {} as Exchange,
  };
  const kept = shorteningOfAgents.relevant({ steps, answers: [], contradiction });
  expect(kept.map(({ number }) => number)).toEqual([1, 2, 4]);
  expect(agentStoryOf({ steps: kept, answers: [], contradiction })).toEqual([
    "1. A challenge is issued and solved.",
    "2. The first agent logs in with the challenge of step 1.",
    "3. The second agent logs in with the challenge of step 1.",
    "Expected that to be refused.",
  ]);
});
