import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { startService } from "../../fixtures/service/service.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { followChecks } from "../faults/check-context.ts";
import { judgeService } from "../faults/judge-service.ts";
import { atStart, reachOf } from "../faults/reach.ts";
import { instrumentedService } from "./service-mutants.ts";

/** Where checks come to in the service, measured on the service with no mutant active. */
export interface MutantReach {
  /** Mutant id → the checks that execute its code; a mutant that none of them executes is missing. */
  readonly checksOf: Readonly<Record<string, readonly string[]>>;
  /** Mutants of code that runs when it is imported. */
  readonly isStatic: (mutantId: string) => boolean;
  /** How often the mutant's code was executed. */
  readonly hits: (mutantId: string) => number;
  /** Checks that decide nothing about the unchanged service: with few bits, some find too little to judge. */
  readonly undecided: readonly string[];
}

const serviceModule = z.object({ startService: z.custom<typeof startService>() });

type Hits = Record<string, number>;

/** The counts of the instrumented code: by what it was run for, and `static` for what ran before anything else. */
interface Counts {
  readonly static: Hits;
  readonly perTest: Record<string, Hits>;
}

/** Runs all checks against the instrumented service, which {@link instrumentService} has written, once in this process. */
export async function measureMutantReach(checks: readonly Check[]): Promise<MutantReach> {
  const context = followChecks();
  const counts: Counts = { static: {}, perTest: {} };
  // Until the service starts, code runs because it is imported.
  let phase: string | undefined;
  const switches = { mutantCoverage: counts };
  Object.defineProperty(switches, "currentTestId", { get: () => context.current() ?? phase });
  Object.assign(globalThis, { __stryker__: switches });
  try {
    const { startService: start } = serviceModule.parse(
      await import(pathToFileURL(instrumentedService).href),
    );
    phase = atStart;
    const followed = checks.map((check) => context.followed(check));
    const onStarted = (): void => void (phase = "beside the checks");
    const results = await judgeService({ start, onStarted }, followed);
    return {
      checksOf: reachOf(namesByMutant(counts.perTest), checks, context),
      isStatic: (id) => id in counts.static,
      hits: (id) => Object.values(counts.perTest).reduce((sum, hits) => sum + (hits[id] ?? 0), 0),
      undecided: results.filter(({ verdict }) => verdict === "inconclusive").map(({ id }) => id),
    };
  } finally {
    context.stop();
  }
}

function namesByMutant(perTest: Counts["perTest"]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const [name, hits] of Object.entries(perTest))
    for (const id of Object.keys(hits)) names.set(id, (names.get(id) ?? new Set()).add(name));
  return names;
}
