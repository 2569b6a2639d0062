import { commands, type CommandEntry } from "./commands.ts";
import { runCommandLine } from "./run-command-line.ts";

/** The commands of whoever changes mailproof. They need its sources, which the package does not hold. */
const contributorCommands: Readonly<Record<string, CommandEntry>> = {
  faults: {
    does: "show which checks catch which deliberate defect of the reference service",
    load: async () => (await import("./faults.ts")).faults,
  },
  mutants: {
    does: "change the reference service automatically, and show which changes no check notices",
    load: async () => (await import("./mutants.ts")).mutants,
  },
  diagnosis: {
    does: "make the dictionary that reports look failures up in",
    load: async () => (await import("./diagnosis.ts")).diagnosis,
  },
};

runCommandLine({ ...commands, ...contributorCommands });
