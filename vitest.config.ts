import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ExitCodeReporter } from "./scripts/conformance/exit-code-reporter.ts";

const serial = "**/*.serial.test.ts";
const faults = "**/*.faults.test.ts";
const hostile = "**/*.hostile.test.ts";
const full = "**/*.full.test.ts";
const suiteFile = /\/suites\/[a-z-]+\/suite\.ts$/u;
const host = fileURLToPath(new URL("scripts/conformance/host-suite.ts", import.meta.url));

/** Makes a test file of each suite's list of checks: one host serves them all. */
const hostSuites = {
  name: "mailproof:host-suites",
  enforce: "pre",
  transform: (code: string, id: string) =>
    suiteFile.test(id)
      ? `${code}
if (import.meta.vitest) (await import(${JSON.stringify(host)})).hostSuite(${JSON.stringify(id.split("/").at(-2))});`
      : undefined,
} as const;

export default defineConfig({
  test: {
    maxWorkers: "100%",
    // No test is about speed, and machines differ: a limit only keeps a hanging test from holding up the rest.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default", new ExitCodeReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{suites,fixtures,scripts,reports}/**/*.test.ts"],
          exclude: [serial, faults, full, hostile],
        },
      },
      {
        // Every deliberate defect of the reference service against the checks that catch it.
        extends: true,
        test: { name: "faults", include: [faults] },
      },
      {
        // The tool under disturbed networks, hostile targets and interruptions.
        extends: true,
        test: { name: "hostile", include: [hostile] },
      },
      {
        // Every deliberate defect and every permitted choice against every check: too long for each change, run nightly.
        extends: true,
        test: {
          name: "full",
          include: [full],
          globalSetup: "scripts/faults/measure-reach.setup.ts",
        },
      },
      {
        // Measures time, so nothing else may run beside it; what else the machine does is out of its hands.
        extends: true,
        test: {
          name: "load",
          include: [serial],
          retry: 1,
          maxWorkers: 1,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The checks themselves, against the target whose profile MAILPROOF_TARGET names.
        extends: true,
        plugins: [hostSuites],
        test: {
          name: "conformance",
          include: ["suites/*/suite.ts"],
          includeSource: ["suites/*/suite.ts"],
          // One process and one target for all suites, so that they share clients and grants as on the command line.
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
