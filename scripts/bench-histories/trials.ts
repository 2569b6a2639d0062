import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const trialSchema = z.strictObject({
  fault: z.string(),
  seed: z.int(),
  /** The check that found it; absent where none did. */
  check: z.string().optional(),
  /** How many steps its story has. */
  steps: z.int().optional(),
  seconds: z.number(),
});

/** One fault, judged with one seed. */
export type Trial = z.infer<typeof trialSchema>;

/** The trials of a file, one JSON object a line; none where there is no file. */
export function readTrials(path: string): Trial[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => trialSchema.parse(JSON.parse(line)));
}

/** A line is written at once, so that several processes can add to a file. */
export function appendTrial(path: string, trial: Trial): void {
  appendFileSync(path, `${JSON.stringify(trial)}\n`);
}

export function isTried(trials: readonly Trial[], fault: string, seed: number): boolean {
  return trials.some((trial) => trial.fault === fault && trial.seed === seed);
}
