import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SolverRequest } from "../search/process-messages.ts";
import { candidateForms } from "./calibrate.ts";
import { kernelFlags } from "./v8-flags.ts";

test("with the flags, kernels of every form give the known answers", () => {
  const urlOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { supportedForms, supportedVectors, matchesKnownAnswer } from ${urlOf("./known-answers.ts")};
    import { scryptPlan } from ${urlOf("./round-plan.ts")};
    import { isOptimizedAtOnce } from ${urlOf("./v8-flags.ts")};
    const cases = supportedVectors.flatMap((vector) => supportedForms.map((form) => ({ vector, form })));
    const wrong = cases.filter(({ vector, form }) => !matchesKnownAnswer(vector, form, scryptPlan));
    console.log(JSON.stringify({ isOptimizedAtOnce, cases: cases.length, wrong }));`;
  const printed = execFileSync(process.execPath, [...kernelFlags, "--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual({ isOptimizedAtOnce: kernelFlags.length > 0, cases: 16, wrong: [] });
});

test("in the solver process V8 revectorizes both row functions of every wide form", async () => {
  const directory = mkdtempSync(join(tmpdir(), "mailproof-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const tracePath = join(directory, "trace");
  // Compiling on a single thread keeps the lines of the trace whole.
  const trace = ["--trace-wasm-revectorize", "--wasm-num-compilation-tasks=0"];
  const child = fork(new URL("../search/process-entry.ts", import.meta.url), ["1"], {
    execArgv: process.arch === "x64" ? [...kernelFlags, ...trace] : [],
    serialization: "advanced",
    stdio: ["ignore", openSync(tracePath, "w"), "inherit", "ipc"],
  });
  const search = {
    id: 0,
    jti: "4f6a",
    saltHexText: "9f86",
    accept: { kind: "at-least", bits: 0 },
    recipe: "document",
    from: 0n,
    prefix: "",
    suffix: "",
    limitTries: 1,
  } as const;
  child.send({ kind: "begin", search } satisfies SolverRequest);
  await once(child, "message");
  child.disconnect();
  await once(child, "exit");
  // These functions differ in their number of nodes, so a function that is compiled twice counts once.
  const revectorized = new Set(readFileSync(tracePath, "utf8").match(/Decide to vectorize, [1-9]\d* revec/g));
  const wideForms = candidateForms.filter(({ width }) => width === 2);
  expect(revectorized.size).toBe(kernelFlags.length > 0 && hasAvx2() ? 2 * wideForms.length : 0);
});

/** Assumed where the system does not tell. */
function hasAvx2(): boolean {
  return process.platform !== "linux" || readFileSync("/proc/cpuinfo", "utf8").includes(" avx2 ");
}
