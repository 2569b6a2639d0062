import { commands } from "../commands.ts";
import { runCommandLine } from "../run-command-line.ts";

const needsSources = (name: string): string =>
  `${name} is a command for contributors: it needs the sources of mailproof, and runs in a clone of its repository`;

runCommandLine(commands, {
  faults: needsSources("faults"),
  mutants: needsSources("mutants"),
  diagnosis: needsSources("diagnosis"),
});
