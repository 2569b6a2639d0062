import type { Reporter, TestModule } from "vitest/node";

/** Prints a line for each test that was skipped for a reason, which .ci/run repeats in its closing line. */
export class SkippedTestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const result = test.result();
        if (result.state === "skipped" && result.note !== undefined)
          console.log(`skipped: ${test.name}, since ${firstLineOf(result.note)}`);
      }
    }
  }
}

/** Without the colon before a list on the lines below. */
function firstLineOf(note: string): string {
  return note.replace(/:?\n.*$/su, "");
}
