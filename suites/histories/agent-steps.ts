import type { AgentAction, AgentName, AgentState } from "./agent-model.ts";
import type { Candidate } from "./next-step.ts";

/** Requests of agents that differ in what they are likely to break. */
export type AgentKind =
  | "ask"
  | "sign up"
  | "log in"
  | "replay a challenge"
  | "present an unknown key"
  | "present a wrong proof"
  | "mint"
  | "use"
  | "wait";

export interface AgentTheme {
  /** Proofs of work are what a life costs. */
  readonly mostChallenges: number;
  /** An agent may sign up: of them a target keeps something for ever. */
  readonly maySignUp?: true;
  /** Seconds that may pass on the target's clock between two steps. */
  readonly waits?: readonly number[];
  /** Sequences that are dangerous and seldom drawn: each life begins with another of them, one with none. */
  readonly motifs: readonly (readonly AgentAction[])[];
  readonly weights: Readonly<Partial<Record<AgentKind, number>>>;
}

const agents = ["first", "second"] as const satisfies readonly AgentName[];

/** What agents can do next. */
export function agentCandidates(
  state: AgentState,
  { mostChallenges, maySignUp, waits = [] }: AgentTheme,
): Candidate<AgentAction, AgentKind>[] {
  const named: readonly AgentName[] = state.hasSignedUp ? [...agents, "new"] : agents;
  const unspent = [...state.challenges].filter(([, { state: now }]) => now === "unspent" || now === "tried");
  const asks: Candidate<AgentAction, AgentKind>[] =
    state.challenges.size < mostChallenges ? [{ action: { kind: "challenge" }, weighed: "ask" }] : [];
  const signups = unspent
    .filter(() => maySignUp === true && !state.hasSignedUp)
    .map(([challenge]): Candidate<AgentAction, AgentKind> => ({
      action: { kind: "signup", challenge },
      weighed: "sign up",
    }));
  const logins = [...state.challenges].flatMap(([challenge, { state: now }]) =>
    named.flatMap((agent): Candidate<AgentAction, AgentKind>[] => [
      {
        action: { kind: "login", challenge, agent, flaw: "none" },
        weighed: now === "unspent" || now === "tried" ? "log in" : "replay a challenge",
      },
    ]),
  );
  const flawed = [...state.challenges.keys()].flatMap((challenge): Candidate<AgentAction, AgentKind>[] => [
    {
      action: { kind: "login", challenge, agent: "first", flaw: "key" },
      weighed: "present an unknown key",
    },
    {
      action: { kind: "login", challenge, agent: "first", flaw: "proof" },
      weighed: "present a wrong proof",
    },
  ]);
  const mints = [...state.sessions.keys()].map((session): Candidate<AgentAction, AgentKind> => ({
    action: { kind: "capability", session },
    weighed: "mint",
    grant: session,
  }));
  const uses = [...state.capabilities].map(
    ([capability, { session }]): Candidate<AgentAction, AgentKind> => ({
      action: { kind: "use", capability },
      weighed: "use",
      grant: session,
    }),
  );
  const pauses = waits
    .filter(() => state.sessions.size > 0)
    .map((seconds): Candidate<AgentAction, AgentKind> => ({
      action: { kind: "wait", seconds },
      weighed: "wait",
    }));
  return [...asks, ...signups, ...logins, ...flawed, ...mints, ...uses, ...pauses];
}
