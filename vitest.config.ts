import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ExitCodeReporter } from "./scripts/conformance/exit-code-reporter.ts";
import { ClosingLinesReporter } from "./scripts/closing-lines-reporter.ts";

const serial = "**/*.serial.test.ts";
const faults = "**/*.faults.test.ts";
const hostile = "**/*.hostile.test.ts";
const guard = "**/*.guard.test.ts";
const full = "**/*.full.test.ts";
const nightly = "**/*.nightly.test.ts";
const packaged = "**/*.package.test.ts";
const long = [serial, faults, guard, full, hostile, nightly, packaged];
// These change what belongs to the whole process, such as its environment and its clock, or share a database in a file.
const needsOwnModules = [
  "fixtures/service/{nodes,store}/**/*.test.ts",
  "fixtures/service/restart.test.ts",
  "fixtures/service/thread-pool.test.ts",
  "suites/support/load/steps/renewed-capability.test.ts",
  "suites/support/pow/solver-lifetime.test.ts",
  "suites/support/target/profile-secrets.test.ts",
  "suites/support/target/profile.test.ts",
  "scripts/conformance/{consent-pages,host-suite,reporters,resend,strangers,unseen-drivers}.test.ts",
  "scripts/{init/init,pipelines/pipelines,start-target/start-target,story/play-story}.test.ts",
];
// Files that share modules are dealt out to the processes beforehand: with these, one process would get most of the work.
const takesLong = [
  "fixtures/faults/load/serve-load-fault.test.ts",
  "scripts/conformance/{early-end,rerun}.test.ts",
  "scripts/{command-line,fixed-defects,load,suites}.test.ts",
  "scripts/mutants/service-mutants.test.ts",
  "scripts/start-target/with-target.test.ts",
];
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
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    // The closing lines of a run name what was found, not how many.
    chaiConfig: { truncateThreshold: 500 },
    reporters: ["default", new ExitCodeReporter(), new ClosingLinesReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [...needsOwnModules, ...takesLong],
          exclude: long,
        },
      },
      {
        // To load what a file imports costs more than most of these tests: files share it.
        extends: true,
        test: {
          name: "unit-shared",
          include: ["{scripts,suites,fixtures,reports}/**/*.test.ts"],
          exclude: [...long, ...needsOwnModules, ...takesLong],
          isolate: false,
        },
      },
      {
        // Every deliberate defect of the reference service against the checks that are named for it.
        extends: true,
        test: { name: "faults", include: [faults] },
      },
      {
        // The tool under disturbed networks, hostile targets and interruptions.
        extends: true,
        test: { name: "hostile", include: [hostile] },
      },
      {
        // All checks against what refuses everything, accepts everything, or makes a few permitted choices.
        extends: true,
        test: { name: "guards", include: [guard] },
      },
      {
        // The package as its users install it, and the image that is built from it: one after the other, since each packs.
        extends: true,
        test: {
          name: "package",
          include: [packaged],
          fileParallelism: false,
          // Node.js cannot load it as it is published: its JSON is imported without an attribute.
          server: { deps: { inline: [/@actions\/workflow-parser/u] } },
        },
      },
      {
        // Every deliberate defect against every check that can reach it: too long for each change.
        extends: true,
        test: {
          name: "full",
          include: [full],
          globalSetup: "scripts/faults/measure-reach.setup.ts",
        },
      },
      {
        // Every permitted choice, alone and in groups: hours.
        extends: true,
        test: { name: "nightly", include: [nightly] },
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
