import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * Prints a line for each test that failed, passed only when it was tried again, or was skipped for a reason: they are easily
 * missed among thousands, and .ci/run repeats them where its log ends.
 */
export class ClosingLinesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const { message } of module.errors())
        console.log(`failed: ${module.relativeModuleId}: ${oneLine(message)}`);
      for (const test of module.children.allTests()) {
        const line = closingLine(test);
        if (line !== undefined) console.log(line);
      }
    }
  }
}

function closingLine(test: TestCase): string | undefined {
  const result = test.result();
  const name = `${test.module.relativeModuleId} > ${test.fullName}`;
  const reason = oneLine(result.errors?.[0]?.message ?? "");
  if (result.state === "failed") return `failed: ${name}: ${reason}`;
  if (result.state === "skipped")
    return result.note === undefined ? undefined : `skipped: ${test.name}, since ${oneLine(result.note)}`;
  return test.diagnostic()?.flaky === true ? `flaky: ${name}: ${reason}` : undefined;
}

/** Without the colon before a list on the lines below. */
function oneLine(text: string): string {
  return text.replace(/:?\n.*$/su, "");
}
