import type { Reporter, TestModule } from "vitest/node";
import { exitCodeOf } from "../exit-codes.ts";
import type { HostedRun } from "./host-suite.ts";

/** Ends vitest with the exit code that the command line gives the same verdicts. */
export class ExitCodeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const runs = modules.flatMap((module) =>
      [...module.children.suites()].flatMap((suite) => suite.meta().hostedRun ?? []),
    );
    // A suite whose run is missing broke before it judged anything: vitest says why, with its own exit code.
    if (runs.length === 0 || runs.length < modules.length) return;
    const code = exitCodeOf(together(runs));
    // vitest sets its own code after its reporters.
    process.once("exit", () => {
      process.exitCode = code;
    });
  }
}

function together(runs: readonly HostedRun[]): HostedRun {
  return {
    checks: runs.flatMap(({ checks }) => checks),
    knownProblems: runs.flatMap(({ knownProblems }) => knownProblems),
    isComplete: runs.every(({ isComplete }) => isComplete),
  };
}
