import packageJson from "../package.json" with { type: "json" };
import { printableText } from "../reports/printable.ts";
import { ProfileError } from "../suites/support/target/profile-error.ts";
import type { CommandEntry } from "./commands.ts";
import { errorText } from "./error-text.ts";
import { exitCodes } from "./exit-codes.ts";
import { nearestName } from "./nearest-name.ts";
import { surviveLostOutput } from "./standard-output.ts";
import { UsageError } from "./usage-error.ts";

type Commands = Readonly<Record<string, CommandEntry>>;

/**
 * Runs the command that the process's arguments name, and sets the exit code.
 *
 * @param missing - by the name of a command that exists elsewhere: where
 */
export function runCommandLine(commands: Commands, missing: Readonly<Record<string, string>> = {}): void {
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

  // Not awaited: a module that is loaded by `require` cannot have an await at its top level.
  void runCommand(commands, missing, process.argv.slice(2))
    .catch(exitCodeOfFailure)
    .then((code) => {
      isOver = true;
      process.exitCode = code;
    });
}

async function runCommand(
  commands: Commands,
  missing: Readonly<Record<string, string>>,
  [name, ...args]: string[],
): Promise<number> {
  const usage = usageOf(commands);
  const [subject] = args;
  if (name === "help" && subject !== undefined) return runCommand(commands, missing, [subject, "--help"]);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    console.log(usage);
    return name === undefined ? exitCodes.usage : exitCodes.conforms;
  }
  if (name === "--version" || name === "-V" || name === "version") {
    console.log(packageJson.version);
    return exitCodes.conforms;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return (await command.load())(args);
  const elsewhere = Object.hasOwn(missing, name) ? missing[name] : undefined;
  if (elsewhere !== undefined) throw new UsageError(elsewhere);
  const near = nearestName(name, Object.keys(commands));
  const advice = near === undefined ? "" : `; did you mean ${near}?`;
  throw new UsageError(`there is no command ${name}${advice}\n\n${usage}`);
}

function usageOf(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(width)}   ${does}`);
  return [
    "mailproof COMMAND",
    "",
    ...lines,
    "",
    "mailproof COMMAND --help shows the options of a command; mailproof --version shows the version.",
  ].join("\n");
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
