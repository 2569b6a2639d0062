import { interruptibleSolver } from "../../suites/support/pow/interruptible-solver.ts";
import { createSolver } from "../../suites/support/pow/solver.ts";
import { type LeftBehind, tidyUp } from "../../suites/support/judging/tidy-up.ts";
import { watchCreations } from "../../suites/support/target/creations.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { openTarget } from "../../suites/support/target/target.ts";
import { BlockedError, InconclusiveError, Violation } from "../../suites/support/verdict.ts";
import type { Exchange } from "../../suites/support/wire/exchange.ts";
import { addressProbes } from "./address-probes.ts";
import { agentProbes } from "./agent-probes.ts";
import { nodeProbes } from "./node-probes.ts";
import { clientDocumentProbes, oauthProbes } from "./oauth-probes.ts";
import type { Prerequisite } from "./prerequisites.ts";
import type { Patient, Probe } from "./probe.ts";
import { Problem } from "./problem.ts";

/** What became of one thing that a run needs. */
export interface Finding {
  readonly title: string;
  readonly state: "ok" | "missing" | "not tried";
  readonly text: string;
  /** For what is missing. */
  readonly fix?: string;
  readonly supplies: Prerequisite;
}

export interface Examination {
  readonly findings: readonly Finding[];
  readonly leftBehind: LeftBehind;
}

export interface ExamineOptions {
  readonly signal: AbortSignal;
  readonly onFinding?: (finding: Finding) => void;
  readonly onExchange?: (exchange: Exchange) => void;
}

const probesOf = (profile: Profile): readonly Probe[] => [
  ...addressProbes,
  ...oauthProbes,
  ...clientDocumentProbes(profile),
  ...nodeProbes(profile),
  ...agentProbes,
];

/** Tries what a run needs, with what a run's own preparation uses. */
export async function examine(profile: Profile, options: ExamineOptions): Promise<Examination> {
  const { signal, onFinding, onExchange } = options;
  const solver = createSolver();
  const creations = watchCreations(profile);
  const run = openTarget(profile, interruptibleSolver(solver, signal), signal, {
    onExchange(exchange) {
      creations.look(exchange);
      onExchange?.(exchange);
    },
  });
  const patient: Patient = { profile, target: run.targetFor(createEvidence()) };
  const probes = probesOf(profile);
  const findings = new Map<string, Finding>();
  try {
    // What waits for nothing is tried at once: an address that does not answer takes seconds.
    const started = new Map(
      probes.filter(({ after }) => after.length === 0).map((probe) => [probe, findingOf(probe, patient)]),
    );
    await Promise.allSettled(started.values());
    for (const probe of probes) {
      if (signal.aborted) break;
      const obstacle = probe.after.find((title) => findings.get(title)?.state !== "ok");
      const finding =
        obstacle === undefined
          ? await (started.get(probe) ?? findingOf(probe, patient))
          : notTried(probe, `it needs ${obstacle}`);
      findings.set(probe.title, finding);
      onFinding?.(finding);
    }
    return { findings: [...findings.values()], leftBehind: await tidyUp(run, creations.soFar()) };
  } finally {
    await run.close();
    await solver.close();
  }
}

async function findingOf(probe: Probe, patient: Patient): Promise<Finding> {
  const { title, supplies } = probe;
  try {
    return { title, supplies, state: "ok", text: await probe.attempt(patient) };
  } catch (error) {
    if (error instanceof InconclusiveError && error.code === "interrupted")
      return notTried(probe, "interrupted");
    const isExpected =
      error instanceof Problem ||
      error instanceof InconclusiveError ||
      error instanceof BlockedError ||
      error instanceof Violation;
    if (!isExpected) throw error;
    const fix = error instanceof Problem ? error.fix : probe.fix;
    return { title, supplies, state: "missing", text: error.message, fix };
  }
}

function notTried({ title, supplies }: Probe, text: string): Finding {
  return { title, supplies, state: "not tried", text };
}
