import { printableText } from "../reports/printable.ts";
import { ProfileError } from "../suites/support/target/profile.ts";
import { errorText } from "./error-text.ts";
import { exitCodes } from "./exit-codes.ts";
import { surviveLostOutput } from "./standard-output.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof COMMAND

  init          write a profile of a target
  doctor        try what a run needs, and say what is missing
  conformance   judge a target, or the embedded reference service
  load          put a target, or the embedded reference service, under load
  report        make the reports of a run from its journal, such as after it was killed
  faults        show which checks catch which deliberate defect of the reference service
  mutants       show which changes of the reference service, made by machine, no check notices
  serve         run the reference service
  list          list the suites and their checks
  schema        print the JSON Schema of profiles
  solve         solve a proof-of-work challenge, or explain a wrong solution

mailproof COMMAND --help says more.`;

type Command = (args: string[]) => Promise<number>;

// Loaded when called: help must not wait for what it does not need.
const commands: Record<string, () => Promise<Command>> = {
  init: async () => (await import("./init.ts")).init,
  doctor: async () => (await import("./doctor.ts")).doctor,
  conformance: async () => (await import("./conformance.ts")).conformance,
  load: async () => (await import("./load.ts")).load,
  report: async () => (await import("./report.ts")).report,
  faults: async () => (await import("./faults.ts")).faults,
  mutants: async () => (await import("./mutants.ts")).mutants,
  serve: async () => (await import("./serve.ts")).serve,
  list: async () => (await import("./list.ts")).list,
  schema: async () => (await import("./schema.ts")).schema,
  solve: async () => (await import("./solve.ts")).solve,
};

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(usage);
    return name === undefined ? exitCodes.usage : exitCodes.conforms;
  }
  const load = commands[name];
  if (load === undefined) throw new UsageError(`there is no command ${name}\n\n${usage}`);
  return (await load())(args);
}

function isUsageProblem(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof ProfileError) return true;
  return error instanceof TypeError && String(Reflect.get(error, "code")).startsWith("ERR_PARSE_ARGS");
}

function exitCodeOfFailure(error: unknown): number {
  if (isUsageProblem(error)) {
    console.error(printableText(`mailproof: ${error.message}`));
    return exitCodes.usage;
  }
  console.error(`mailproof: a defect of mailproof itself: ${errorText(error)}`);
  return exitCodes.defect;
}

surviveLostOutput();
// Until the command has a result. Node's own exit codes would read as verdicts: 1 after an exception, and 0 when nothing is
// left that could continue.
process.exitCode = exitCodes.defect;
let isOver = false;
process.once("uncaughtException", (error) => {
  isOver = true;
  process.exit(exitCodeOfFailure(error));
});
process.once("exit", (code) => {
  if (!isOver && code === exitCodes.defect)
    console.error("mailproof: a defect of mailproof itself: the command ended without a result");
});

// No await at the top level: a module that is loaded by `require` cannot have one.
void main(process.argv.slice(2))
  .catch(exitCodeOfFailure)
  .then((code) => {
    isOver = true;
    process.exitCode = code;
  });
