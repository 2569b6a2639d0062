/**
 * What the document promises an agent, from the challenge to the mailbox. Pure: "States and transitions", session JWT and
 * capability JWT; "Authentication", proof-of-work path; "Endpoints", PoW-path endpoints: "Each session request consumes one
 * challenge". Keys are never replaced: the document has no way to.
 */

/** Two that exist before, and one that may sign up. */
export type AgentName = "first" | "second" | "new";

/** What is wrong with a session request; `key`: nobody has it; `proof`: zeros in place of the digest. */
export type Flaw = "none" | "key" | "proof";

/** One request of an agent. What it presents goes by the number of the step that issued it. */
export type AgentAction =
  | { readonly kind: "challenge" }
  | { readonly kind: "signup"; readonly challenge: number }
  | {
      readonly kind: "login";
      readonly challenge: number;
      readonly agent: AgentName;
      readonly flaw: Flaw;
    }
  | { readonly kind: "capability"; readonly session: number }
  /** Reads the session document and the mailbox. */
  | { readonly kind: "use"; readonly capability: number }
  /** Time passes on the target's clock. */
  | { readonly kind: "wait"; readonly seconds: number };

export type AgentStep = AgentAction & { readonly number: number };

interface Challenge {
  /** `tried`: a flawed request presented it. */
  readonly state: "unspent" | "tried" | "spent by a signup" | "spent by a login";
  /** Seconds on the target's clock since it was issued. */
  readonly age: number;
}

interface Session {
  readonly agent: AgentName;
  readonly challenge: number;
  readonly age: number;
  /** Its agent has logged in again since, or its challenge was presented once more. */
  readonly isDoubtful: boolean;
}

interface Capability {
  readonly session: number;
  readonly age: number;
}

/** Each by the number of the step that issued it. */
export interface AgentState {
  readonly challenges: ReadonlyMap<number, Challenge>;
  readonly sessions: ReadonlyMap<number, Session>;
  readonly capabilities: ReadonlyMap<number, Capability>;
  readonly hasSignedUp: boolean;
}

export const nothingIssued: AgentState = {
  challenges: new Map(),
  sessions: new Map(),
  capabilities: new Map(),
  hasSignedUp: false,
};

export type AgentExpectation =
  { readonly answer: "accepted" | "refused"; readonly requirement: string } | { readonly answer: "any" };

const any: AgentExpectation = { answer: "any" };
const refused = (requirement: string): AgentExpectation => ({ answer: "refused", requirement });
const accepted = (requirement: string): AgentExpectation => ({ answer: "accepted", requirement });

/** From when on something may have expired, and when it has: "Limits", with what clocks may differ by (C-39). */
const lifetimes = {
  session: { mayHaveEnded: 3600 - 120, hasEnded: 3600 + 300 },
  capability: { mayHaveEnded: 60, hasEnded: 120 + 60 },
} as const;

/** @throws {TypeError} for a step that names what does not exist */
export function expectationOfAgent(state: AgentState, step: AgentAction): AgentExpectation {
  switch (step.kind) {
    case "challenge":
      return accepted("POW-01");
    case "signup":
    case "login":
      return expectedOfSession(state, step);
    case "capability":
      return expectedOfCapability(of(state.sessions, step.session));
    case "use":
      return expectedOfUse(state, of(state.capabilities, step.capability));
    case "wait":
      return any;
  }
}

function expectedOfSession(
  { challenges }: AgentState,
  step: Extract<AgentAction, { kind: "signup" | "login" }>,
): AgentExpectation {
  const { state, age } = of(challenges, step.challenge);
  if (state === "spent by a signup" || state === "spent by a login")
    return refused(state === `spent by a ${step.kind}` ? "POW-34" : "POW-35");
  if (step.kind === "login" && step.flaw === "key") return refused("POW-44");
  // The nonce is right, so that a target may compute the digest and ignore the one that is sent (C-85).
  if (step.kind === "login" && step.flaw === "proof") return any;
  // Left open: whether a refused request spends the challenge (POW-39), a newer one voids it (C-92), how long it lives (C-47).
  const isNewest = step.challenge === Math.max(...challenges.keys());
  if (state === "tried" || !isNewest || age > 0) return any;
  return accepted(step.kind === "signup" ? "POW-08" : "POW-11");
}

function expectedOfCapability({ age, isDoubtful }: Session): AgentExpectation {
  if (age > lifetimes.session.hasEnded) return refused("POW-53");
  // Whether a login ends the older sessions of its agent is left open (C-92), and so is what a replay does to a session.
  return isDoubtful || age > lifetimes.session.mayHaveEnded ? any : accepted("POW-49");
}

function expectedOfUse({ sessions }: AgentState, { session, age }: Capability): AgentExpectation {
  if (age > lifetimes.capability.hasEnded) return refused("POW-51");
  return of(sessions, session).isDoubtful || age > lifetimes.capability.mayHaveEnded
    ? any
    : accepted("POW-59");
}

/** Whose inbox a capability reaches, if any. */
export function agentOfCapability({ capabilities, sessions }: AgentState, capability: number): AgentName {
  return of(sessions, of(capabilities, capability).session).agent;
}

export function agentStateAfter(state: AgentState, step: AgentStep, isAccepted: boolean): AgentState {
  switch (step.kind) {
    case "challenge":
      return isAccepted
        ? { ...state, challenges: entered(state.challenges, step.number, { state: "unspent", age: 0 }) }
        : state;
    case "signup":
    case "login":
      return afterSession(state, step, isAccepted);
    case "capability":
      return isAccepted
        ? {
            ...state,
            capabilities: entered(state.capabilities, step.number, { session: step.session, age: 0 }),
          }
        : state;
    case "use":
      return state;
    case "wait":
      return {
        ...state,
        challenges: older(state.challenges, step.seconds),
        sessions: older(state.sessions, step.seconds),
        capabilities: older(state.capabilities, step.seconds),
      };
  }
}

function afterSession(
  state: AgentState,
  step: Extract<AgentStep, { kind: "signup" | "login" }>,
  isAccepted: boolean,
): AgentState {
  const challenge = of(state.challenges, step.challenge);
  if (!isAccepted) {
    if (challenge.state !== "unspent")
      return { ...state, sessions: doubted(state, (session) => session.challenge === step.challenge) };
    return {
      ...state,
      challenges: entered(state.challenges, step.challenge, { ...challenge, state: "tried" }),
    };
  }
  const agent = step.kind === "signup" ? "new" : step.agent;
  const sessions = doubted(state, (session) => session.agent === agent);
  return {
    ...state,
    hasSignedUp: state.hasSignedUp || step.kind === "signup",
    challenges: entered(state.challenges, step.challenge, { ...challenge, state: `spent by a ${step.kind}` }),
    sessions: entered(sessions, step.number, {
      agent,
      challenge: step.challenge,
      age: 0,
      isDoubtful: false,
    }),
  };
}

function doubted(
  { sessions }: AgentState,
  isConcerned: (session: Session) => boolean,
): ReadonlyMap<number, Session> {
  return new Map(
    [...sessions].map(([number, session]) => [
      number,
      isConcerned(session) ? { ...session, isDoubtful: true } : session,
    ]),
  );
}

/** Whether all that a step names exists. */
export function isPossibleForAgent(state: AgentState, step: AgentAction): boolean {
  switch (step.kind) {
    case "challenge":
    case "wait":
      return true;
    case "signup":
      return state.challenges.has(step.challenge);
    case "login":
      return state.challenges.has(step.challenge) && (step.agent !== "new" || state.hasSignedUp);
    case "capability":
      return state.sessions.has(step.session);
    case "use":
      return state.capabilities.has(step.capability);
  }
}

function of<Item>(items: ReadonlyMap<number, Item>, number: number): Item {
  const found = items.get(number);
  if (found === undefined) throw new TypeError(`step ${number} issued nothing of the kind`);
  return found;
}

function entered<Item>(
  items: ReadonlyMap<number, Item>,
  number: number,
  item: Item,
): ReadonlyMap<number, Item> {
  return new Map([...items, [number, item]]);
}

function older<Item extends { readonly age: number }>(
  items: ReadonlyMap<number, Item>,
  seconds: number,
): ReadonlyMap<number, Item> {
  return new Map([...items].map(([number, item]) => [number, { ...item, age: item.age + seconds }]));
}
