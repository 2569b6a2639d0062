import { check, type Check } from "../support/judging/check.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { liveAsAgents, replayAgentHistory, shorteningOfAgents } from "./agent-live.ts";
import type { AgentAction, AgentStep, Flaw } from "./agent-model.ts";
import { startAgentPlay } from "./agent-play.ts";
import type { AgentTheme } from "./agent-steps.ts";
import { agentStoryOf } from "./agent-story.ts";
import { followCoverage } from "./coverage.checks.ts";
import { type Lives, livesUntilBroken, violationOf } from "./lives.ts";
import { newCoverage } from "./next-step.ts";
import { playableLife } from "./playable.ts";
import { isLonger } from "./settings.ts";

interface AgentCase {
  readonly slug: string;
  /** Reads after "In random histories of agents". */
  readonly words: string;
  readonly theme: AgentTheme;
  readonly lives: number;
  readonly mostSteps: number;
  /** At most so many pass on the target's clock. */
  readonly waitSeconds?: number;
  /** An agent may sign up in one of them. */
  readonly mayBeNew?: true;
}

const minute = 60;

const loggedIn: readonly AgentAction[] = [
  { kind: "challenge" },
  { kind: "login", challenge: 1, agent: "first", flaw: "none" },
];
const again = { kind: "login", challenge: 1, agent: "first", flaw: "none" } as const;
const mint: AgentAction = { kind: "capability", session: 2 };

function flawed(flaw: Flaw): AgentAction {
  return { ...again, flaw };
}

function wait(minutes: number): AgentAction {
  return { kind: "wait", seconds: minutes * minute };
}

export const agentLifeCases: readonly AgentCase[] = [
  {
    slug: "agents",
    words: "",
    mayBeNew: true,
    lives: 5,
    mostSteps: 10,
    theme: {
      mostChallenges: 4,
      motifs: [
        [...loggedIn, flawed("key"), again],
        [...loggedIn, { ...again, agent: "second" }, mint, { kind: "use", capability: 4 }],
        [...loggedIn, again, again, again],
        [...loggedIn, flawed("proof"), again, flawed("key"), again],
      ],
      weights: {
        ask: 4,
        "log in": 6,
        "replay a challenge": 1.5,
        "present an unknown key": 0.8,
        "present a wrong proof": 0.5,
        mint: 2,
        use: 1.5,
      },
    },
  },
  {
    slug: "time",
    words: " over hours",
    lives: 4,
    mostSteps: 6,
    waitSeconds: 24 * 60 * minute,
    theme: {
      mostChallenges: 3,
      motifs: [
        [...loggedIn, mint, mint, mint, mint, wait(40), mint, wait(30), mint],
        [...loggedIn, mint, { kind: "use", capability: 3 }, wait(4), mint, { kind: "use", capability: 3 }],
        [...loggedIn, wait(70), mint, { kind: "challenge" }, mint],
      ],
      waits: [4 * minute, 30 * minute, 70 * minute],
      weights: { ask: 4, "log in": 6, "present a wrong proof": 0, mint: 3, use: 2, wait: 1.5 },
    },
  },
];

async function livesOf(
  target: Target,
  { slug, theme, lives, mostSteps, mayBeNew }: AgentCase,
): Promise<Lives<AgentStep>> {
  const coverage = newCoverage();
  const hasLived = followCoverage(target, coverage);
  let sessions = 0;
  const lived = await livesUntilBroken(target, lives, {
    async live(round) {
      const seed = propertySettings.seed + round * 7919 + slug.length;
      const play = startAgentPlay(target.setup);
      // Of an agent something stays for ever, so that one life alone, of a longer run, may have a new one.
      const ofRound: AgentTheme =
        round === 0 && mayBeNew === true && isLonger() ? { ...theme, maySignUp: true } : theme;
      const motif = theme.motifs[round % (theme.motifs.length + 1)];
      const history = await liveAsAgents(play, ofRound, { seed, motif, mostSteps, coverage });
      hasLived();
      sessions += play.state.sessions.size;
      return history;
    },
    replayHistory: (on, steps) => replayAgentHistory(startAgentPlay(on), steps),
    shortening: shorteningOfAgents,
  });
  if (sessions > 0 || lived.broken !== undefined) return lived;
  throw new InconclusiveError(
    "precondition-missing",
    "no challenge was solved in time, so that no agent had a session",
  );
}

/** Document, "States and transitions", session and capability JWT; "Authentication", proof-of-work path. */
export const agentLifeChecks: readonly Check[] = agentLifeCases.map((one) =>
  check({
    id: `LIFE-04/${one.slug}`,
    claim: `In random histories of agents${one.words}, every response is one that the document allows.`,
    ...(one.waitSeconds !== undefined && { waitSeconds: one.waitSeconds }),
    act: (target) => livesOf(target, one),
    assert({ broken }) {
      if (broken !== undefined)
        throw violationOf(broken, agentStoryOf(broken), playableLife("agents", broken.steps));
    },
  }),
);
