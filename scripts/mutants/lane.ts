import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { startService } from "../../fixtures/service/service.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { type Symptom, type Symptoms, symptomOf } from "../diagnosis/symptom.ts";
import { judgeService } from "../faults/judge-service.ts";
import { suites } from "../suites.ts";
import { instrumentedService } from "./service-mutants.ts";

/** One mutant to judge, as the lane's parent sends it. */
export interface Task {
  readonly mutantId: string;
  readonly checkIds: readonly string[];
  /** Checks that decide nothing about the unchanged service either. */
  readonly undecidedAnyway: readonly string[];
  /** Executions of the mutant after which the service throws, so that a loop without end is left. */
  readonly hitLimit: number;
  /** Judge by all of the checks, not until the first that notices. */
  readonly isThorough?: true;
}

export type Noticed = {
  readonly how: "fail" | "warn" | "undecided";
  readonly check: string;
  /** Of a thorough task: what every check that noticed it saw. */
  readonly symptoms?: Symptoms;
};

/** What the checks made of a mutant. `not judged`: none of them came to an end, as when the service's first answer is late. */
export type Outcome = Noticed | { readonly how: "unnoticed" | "not judged" | "service does not start" };

const task = z.object({
  mutantId: z.string(),
  checkIds: z.array(z.string()),
  undecidedAnyway: z.array(z.string()),
  hitLimit: z.number(),
  isThorough: z.literal(true).optional(),
});

const switches: { activeMutant?: string; hitCount?: number; hitLimit?: number } = {};
// The instrumented code looks here, also while it is imported.
Object.assign(globalThis, { __stryker__: switches });

/** A child process that judges one mutant after another: a mutant may block its event loop for ever. */
async function main(): Promise<void> {
  // Mutants break promises that nobody waits for; what that does to answers is for the checks to see.
  process.on("uncaughtException", () => {});
  process.on("unhandledRejection", () => {});
  // A mutant of code that runs while it is imported is active from the start.
  const activeFromStart = process.env["MAILPROOF_MUTANT"];
  if (activeFromStart !== undefined) switches.activeMutant = activeFromStart;
  const start = await importService();
  process.on("message", (message) => {
    const next = task.parse(message);
    void outcomeOf(next, start).then((outcome) => process.send?.(outcome));
  });
  process.send?.("ready");
}

type StartService = typeof startService;

async function importService(): Promise<StartService | undefined> {
  const module = z.object({ startService: z.custom<StartService>((value) => typeof value === "function") });
  try {
    return module.parse(await import(pathToFileURL(instrumentedService).href)).startService;
  } catch {
    // A mutant of code that runs while it is imported.
    return undefined;
  }
}

async function outcomeOf(
  { mutantId, checkIds, undecidedAnyway, hitLimit, isThorough }: z.infer<typeof task>,
  start: StartService | undefined,
): Promise<Outcome> {
  Object.assign(switches, { activeMutant: mutantId, hitCount: 0, hitLimit });
  if (start === undefined) return { how: "service does not start" };
  let noticed: Noticed | undefined;
  let undecided: Noticed | undefined;
  let isJudged = false;
  const symptoms: Record<string, Symptom> = {};
  const enough = new AbortController();
  const onResult = (result: CheckResult): void => {
    const { id, verdict, check } = result;
    process.send?.("judging");
    isJudged = true;
    if (enough.signal.aborted) return;
    if (verdict === "fail" || verdict === "warn") {
      noticed ??= { how: verdict, check: id, ...(isThorough && { symptoms }) };
      symptoms[id] = symptomOf(result, verdict);
      if (isThorough === undefined) enough.abort();
    } else if (verdict === "inconclusive" && !check.last && !undecidedAnyway.includes(id)) {
      undecided ??= { how: "undecided", check: id };
    }
  };
  const wanted = new Set(checkIds);
  const checks = suites.flatMap((suite) => suite.checks).filter(({ id }) => wanted.has(id));
  let isStarted = false;
  try {
    const onStarted = (): void => void (isStarted = true);
    await judgeService({ start, onStarted }, checks, { onResult, signal: enough.signal });
  } catch {
    // Also when the service does not stop: its mutant is found or not found by then.
    if (!isStarted) return { how: "service does not start" };
  }
  return noticed ?? undecided ?? { how: isJudged ? "unnoticed" : "not judged" };
}

await main();
