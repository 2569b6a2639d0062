import { counted } from "../../reports/format.ts";
import { leftBehindWords } from "../../reports/left-behind.ts";
import { printable } from "../../reports/printable.ts";
import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import type { LeftOut } from "../../suites/support/judging/left-out.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import type { Examination, Finding } from "./examine.ts";
import { checksThatNeed } from "./prerequisites.ts";

const marks = { ok: "✓", missing: "✗", "not tried": "·" } as const;
const titleWidth = 15;
const mostRequirements = 12;

/** @param checks - those that a run with this profile judges */
export function renderFinding(finding: Finding, checks: readonly Check[]): string {
  const { state, title, text, fix, supplies } = finding;
  const lead = `${marks[state]} ${title.padEnd(titleWidth)}`;
  if (state === "ok") return printable(`${lead}${text}`);
  const indent = " ".repeat(lead.length);
  const blocked = checksThatNeed(supplies, checks);
  return [
    `${lead}${state === "not tried" ? `not tried: ${text}` : text}`,
    ...(fix === undefined ? [] : [`${indent}fix: ${fix}`]),
    ...(state === "missing" && blocked.length > 0
      ? [`${indent}blocks ${blockedWords(blocked, checks)}`]
      : []),
  ]
    .map(printable)
    .join("\n");
}

function blockedWords(blocked: readonly Check[], checks: readonly Check[]): string {
  if (blocked.length === checks.length) return `all ${counted(checks.length, "check")}`;
  return `${blocked.length} of ${counted(checks.length, "check")}: ${requirementWords(blocked)}`;
}

/** The requirements that checks decide, the first dozen by name. */
export function requirementWords(checks: readonly Check[]): string {
  const requirements = [...new Set(checks.map(({ id }) => requirementOf(id)))];
  const shown = requirements.slice(0, mostRequirements).join(", ");
  const more = requirements.length - mostRequirements;
  return more > 0 ? `${shown} and ${more} more requirements` : shown;
}

/** What the findings come to. */
export function renderSummary(
  { findings, leftBehind }: Examination,
  judged: readonly Check[],
  leftOut: readonly LeftOut[],
): string {
  const missing = findings.filter(({ state }) => state === "missing");
  const blocked = new Set(
    findings
      .filter(({ state }) => state !== "ok")
      .flatMap(({ supplies }) => checksThatNeed(supplies, judged))
      .map(({ id }) => id),
  );
  const verdict =
    missing.length === 0 && blocked.size === 0
      ? `everything that a run needs is there: ${counted(judged.length, "check")} can be judged`
      : `${counted(missing.length, "thing")} that a run needs ${missing.length === 1 ? "is" : "are"} missing: ${blocked.size} of ${counted(judged.length, "check")} cannot be judged`;
  return [
    "",
    verdict,
    ...leftOut.map(
      ({ unlock, checks }) =>
        `${counted(checks.length, "check")} more with ${unlockWords(unlock)} (${requirementWords(checks)})`,
    ),
    `left behind: ${leftBehindWords(leftBehind)}`,
  ].join("\n");
}
