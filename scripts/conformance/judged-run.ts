import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../reports/run-format.ts";
import { startMailproof } from "../mailproof-process.ts";

/** A conformance run as its user sees it, for tests. */
export interface JudgedRun {
  readonly code: number | null;
  readonly printed: string;
  readonly peakMegabytes: number;
  readonly seconds: number;
  readonly run: Run;
  /** The text of all files that the run wrote. */
  readonly files: string;
}

/**
 * Runs the command line.
 *
 * @param folder - where the profile and the run are written
 */
export async function judgedRun(
  folder: string,
  profile: object,
  suites: readonly string[],
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<JudgedRun> {
  const place = mkdtempSync(join(folder, "run-"));
  const profilePath = join(place, "profile.json");
  writeFileSync(profilePath, JSON.stringify(profile));
  const startedAt = performance.now();
  const chosen = suites.flatMap((name) => ["--suite", name]);
  const { ended } = startMailproof(
    ["conformance", "--target", profilePath, "--out", place, ...chosen, ...options],
    env,
    [`--import=${join(import.meta.dirname, "../peak-memory.ts")}`],
  );
  const { code, out, err } = await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  const written = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\/[^/]+\.\w+$/u.test(name),
  );
  const textOf = (name: string): string => readFileSync(join(place, name), "utf8");
  const runFile = written.find((name) => name.endsWith("/run.json")) ?? "";
  return {
    code,
    printed: out + err,
    peakMegabytes: Number(/^peak memory: (\d+)$/mu.exec(err)?.[1]) / 1024,
    seconds,
    run: JSON.parse(textOf(runFile)) as Run,
    files: written.map(textOf).join("\n"),
  };
}
