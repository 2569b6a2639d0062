import { printableText } from "../reports/printable.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { exitCodes } from "./exit-codes.ts";
import { exampleLines } from "./explain/example.ts";
import { explanation } from "./explain/explanation.ts";
import { findSubject } from "./explain/find-subject.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof explain ID [--example] [--checks MODULE]…

Explains a check (REDIR-08/upper-case-host), a requirement (REDIR-08) or a reading of the document (C-01): what it says and
where, how it is checked, which reading is taken, and how implementations get it wrong, as shown by the deliberate defects
that its checks catch. Also explains such a defect by its id (redirect-uri/prefix).

  --example         for a check: run it on the reference service, and show what was sent and answered
  --checks MODULE   a JavaScript or TypeScript module with checks of your own; may be repeated

Exit codes: 0 · 2 there is no such id`;

/** @returns the exit code */
export async function explain(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      example: { type: "boolean", default: false },
      checks: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0) throw new UsageError("explain needs one id, such as REDIR-08");
  const catalogue = await loadOwnSuites(values.checks);
  const subject = findSubject(id, catalogue);
  if (values.example && subject.kind !== "check")
    throw new UsageError(`--example needs a check; ${id} is a ${subject.kind}`);
  console.log(printableText(explanation(subject, catalogue).join("\n")));
  if (values.example && subject.kind === "check")
    console.log(printableText((await exampleLines(subject.check, catalogue)).join("\n")));
  return exitCodes.conforms;
}
