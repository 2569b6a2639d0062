import { createHash } from "node:crypto";
import type { Log, ReportingDescriptor, Result } from "sarif";
import type { Severity } from "./finding-format.ts";
import { printable, printableText } from "./printable.ts";
import { factLines } from "./problem.ts";
import { type ReportedProblem, reportedProblems } from "./reported-problem.ts";
import type { Run } from "./run-format.ts";
import { counted } from "./format.ts";
import { someIds } from "./totals.ts";

// GitHub keeps 1,024 characters of a description.
const longestDescription = 1000;

/** As GitHub reads them: above 9 critical, from 7 high, from 4 medium. */
const securitySeverities: Readonly<Record<Severity, string>> = {
  "account takeover": "9.5",
  "mail sent in another's name": "8.8",
  "mail read by others": "8.5",
  "denial of service": "6.5",
  interoperability: "3.0",
};

/**
 * A run as SARIF 2.1.0, a result for each problem. Code scanning wants a place in the repository for each: the profile, or a
 * name for it where the run had none.
 */
export function renderSarif(run: Run): string {
  const problems = reportedProblems(run);
  const rules = new Map(problems.map((problem) => [problem.rule, ruleOf(problem)]));
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "mailproof",
            semanticVersion: run.suite.version,
            rules: [...rules.values()],
          },
        },
        // Several targets of one repository do not take each other's place.
        automationDetails: { id: `mailproof/${uriPath(run.target.authUrl)}/` },
        results: problems.map((problem) => resultOf(problem, run)),
        invocations: [{ executionSuccessful: run.isComplete }],
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 1)}\n`;
}

function ruleOf({
  rule,
  headline,
  consequence,
  severity,
  cause,
  mend,
  section,
}: ReportedProblem): ReportingDescriptor {
  const help = [`Section: ${section}.`, cause, mend].filter((text) => text !== undefined).join("\n\n");
  return {
    id: rule,
    shortDescription: { text: described(headline) },
    fullDescription: { text: described(consequence ?? headline) },
    help: { text: printableText(help) },
    ...(severity !== undefined && {
      properties: { tags: ["security"], "security-severity": securitySeverities[severity] },
    }),
  };
}

function resultOf({ rule, headline, checks }: ReportedProblem, run: Run): Result {
  const [first] = checks;
  const lines = [
    headline,
    ...factLines(first),
    `${counted(checks.length, "check")} failed: ${someIds(checks.map(({ id }) => id))}`,
  ];
  return {
    ruleId: rule,
    level: "error",
    message: { text: lines.map(printable).join("\n") },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: profilePath(run) },
          region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
        },
      },
    ],
    partialFingerprints: {
      primaryLocationLineHash: createHash("sha256").update(`${run.target.authUrl} ${rule}`).digest("hex"),
    },
  };
}

/** Relative, as code scanning needs it. */
function profilePath({ environment: { flags } }: Run): string {
  const at = flags.findIndex((flag) => flag === "--target" || flag.startsWith("--target="));
  const path =
    (flags[at]?.startsWith("--target=") ? flags[at].slice("--target=".length) : flags[at + 1]) ?? "";
  const isInside = at >= 0 && path !== "" && !/^(?:[/\\]|[A-Za-z]:)/u.test(path) && !path.includes("..");
  return uriPath(isInside ? path.replace(/^\.\//u, "") : "profile.json");
}

/** Spaces and the like, which make GitHub refuse the whole file, are escaped. */
function uriPath(path: string): string {
  return path
    .replaceAll("\\", "/")
    .split("/")
    .map((part) => encodeURIComponent(part.toWellFormed()))
    .join("/");
}

function described(text: string): string {
  return printable(text).slice(0, longestDescription).toWellFormed();
}
