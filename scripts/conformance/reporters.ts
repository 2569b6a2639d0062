import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { renderBadge } from "../../reports/badge.ts";
import { renderCtrf } from "../../reports/ctrf.ts";
import { renderGithub } from "../../reports/github.ts";
import { renderHar } from "../../reports/har.ts";
import { renderJunit } from "../../reports/junit.ts";
import { renderMarkdown } from "../../reports/markdown.ts";
import { renderPage } from "../../reports/page/render-page.ts";
import type { Run } from "../../reports/run-format.ts";
import { renderSarif } from "../../reports/sarif.ts";
import { type TerminalStyle, terminalStyle } from "../../reports/terminal-style.ts";
import { renderTerminal } from "../../reports/terminal.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { replaceFile, requireReplaceable } from "../run-folder/replace-file.ts";
import { UsageError } from "../usage-error.ts";
import { runName } from "./read-run.ts";
import { runJson } from "./run-json.ts";

/** A form in which a run is shown. */
interface Reporter {
  /** Where it goes in the run folder; what has no file is printed. */
  readonly file?: string;
  render(run: Run, style: TerminalStyle): Iterable<string>;
}

const reporters = {
  terminal: { render: (run, style) => [renderTerminal(run, style)] },
  html: { file: "report.html", render: renderPage },
  junit: { file: "junit.xml", render: (run) => [renderJunit(run)] },
  github: { render: (run) => [renderGithub(run)] },
  markdown: { file: "summary.md", render: (run) => [renderMarkdown(run)] },
  sarif: { file: "mailproof.sarif", render: (run) => [renderSarif(run)] },
  har: { file: "problems.har", render: (run) => [renderHar(run)] },
  ctrf: { file: "ctrf.json", render: (run) => [renderCtrf(run)] },
  badge: { file: "badge.svg", render: (run) => [renderBadge(run)] },
  json: { file: runName, render: runJson },
} as const satisfies Readonly<Record<string, Reporter>>;

export type ReporterName = keyof typeof reporters;

export const reporterNames = Object.keys(reporters) as ReporterName[];

/** What `--reporter` asked for. */
export interface ChosenReporter {
  readonly name: ReporterName;
  /** In place of where it goes by itself. */
  readonly file?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param options - each `NAME` or `NAME=FILE`; none for what a run shows by itself
 * @throws {UsageError} naming what there is
 * @throws {OutputError} for a file that cannot be written
 */
export function chooseReporters(options: readonly string[], environment: Environment): ChosenReporter[] {
  if (options.length > 0) return options.map(parseOption);
  const isOnGithub = environment["GITHUB_ACTIONS"] === "true";
  return [
    { name: "terminal" },
    { name: "junit" },
    { name: "html" },
    ...(isOnGithub ? [{ name: "github" } as const] : []),
  ];
}

function parseOption(option: string): ChosenReporter {
  const [name = "", ...rest] = option.split("=");
  if (!isReporter(name))
    throw new UsageError(
      `--reporter ${option}: there is no reporter ${name}; there are ${reporterNames.join(", ")}`,
    );
  if (rest.length === 0) return { name };
  const file = rest.join("=");
  if (file === "") throw new UsageError(`--reporter ${option}: give a file after the =`);
  // Now, and not after everything has been judged.
  requireReplaceable(file);
  return { name, file };
}

function isReporter(name: string): name is ReporterName {
  return Object.hasOwn(reporters, name);
}

/**
 * Writes the reports that have a file.
 *
 * @returns the paths
 * @throws {OutputError}
 */
export function writeReporters(run: Run, folder: string, chosen: readonly ChosenReporter[]): string[] {
  return chosen.flatMap(({ name, file }) => {
    const reporter: Reporter = reporters[name];
    const path = file ?? (reporter.file === undefined ? undefined : join(folder, reporter.file));
    if (path === undefined) return [];
    replaceFile(path, reporter.render(run, {}));
    return [path];
  });
}

/** Prints the reports that have none. */
export function printReporters(
  run: Run,
  chosen: readonly ChosenReporter[],
  environment: Environment = process.env,
): void {
  const style = terminalStyle(process.stdout, environment);
  for (const { name, file } of chosen) {
    const reporter: Reporter = reporters[name];
    if (reporter.file !== undefined || file !== undefined) continue;
    for (const text of reporter.render(run, style)) if (text !== "") console.log(text.replace(/\n$/u, ""));
    if (name === "github") addStepSummary(run, environment["GITHUB_STEP_SUMMARY"] ?? "");
  }
}

function addStepSummary(run: Run, path: string): void {
  if (path === "") return;
  onFileSystem(`write to GITHUB_STEP_SUMMARY ${path}`, () => appendFileSync(path, renderMarkdown(run)));
}
