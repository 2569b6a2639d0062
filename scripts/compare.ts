import { compareRuns, type Comparison } from "../reports/compare/comparison.ts";
import { renderHtml } from "../reports/compare/html.ts";
import { renderMarkdown } from "../reports/compare/markdown.ts";
import { renderTerminal } from "../reports/compare/terminal.ts";
import { toneOf } from "../reports/compare/words.ts";
import { printable } from "../reports/printable.ts";
import { readRun } from "./conformance/read-run.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { replaceFile } from "./run-folder/replace-file.ts";
import { UsageError } from "./usage-error.ts";

const renderers: Readonly<Record<string, (comparison: Comparison) => string>> = {
  terminal: renderTerminal,
  html: renderHtml,
  markdown: renderMarkdown,
  json: (comparison) => `${JSON.stringify(comparison, undefined, 2)}\n`,
};
const formats = Object.keys(renderers).join(", ");

export const usage = `mailproof compare A B [C]… [--format FORMAT] [--out FILE]

Shows what changed from run A to run B: what broke, what was fixed, what is new or gone, what is answered differently where
the document is silent, which routes became faster or slower, and what each run executed. With more than two runs, such as
of several implementations, it shows their requirements side by side. A run is a folder, as in reports/runs/<id>, or its
run.json.

  --format FORMAT   one of ${formats} (default: terminal)
  --out FILE        write it there instead of to standard output

A check got worse when it fails, when it warns and had passed before, or when it is no longer decided. Known results and
slower responses do not count. With more than two runs, each is compared with the first.

Exit codes: 0 nothing got worse · 1 something did · 2 usage, or a run cannot be read · 3 nothing that was judged got
worse, but a later run did not judge all that A did: it was interrupted, judged a selection, left some out, or has no such
checks`;

const codeOfTone = {
  bad: exitCodes.violated,
  warning: exitCodes.incomplete,
  good: exitCodes.conforms,
} as const;

/** @returns the exit code */
export function compare(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      format: { type: "string", default: "terminal" },
      out: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return Promise.resolve(exitCodes.conforms);
  }
  const render = Object.hasOwn(renderers, values.format) ? renderers[values.format] : undefined;
  if (render === undefined) throw new UsageError(`there is no format ${values.format}; there are ${formats}`);
  if (positionals.length < 2)
    throw new UsageError("compare needs two runs or more, such as reports/runs/<id> reports/runs/<id>");
  const runs = positionals.map((path) => {
    const run = readRun(path);
    if (!run.isComplete) console.error(`mailproof: ${printable(path)} is incomplete`);
    return run;
  });
  const comparison = compareRuns(runs);
  const text = render(comparison);
  if (values.out === undefined) process.stdout.write(text);
  else {
    replaceFile(values.out, [text]);
    console.log(`written: ${values.out}`);
  }
  return Promise.resolve(codeOfTone[toneOf(comparison)]);
}
