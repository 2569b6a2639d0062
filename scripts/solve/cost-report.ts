import { counted } from "../../reports/format.ts";
import { economics, referenceCore, solverSpeeds, type Economics } from "../../suites/support/pow/cost.ts";
import { triesForShare } from "../../suites/support/pow/geometric-waits.ts";
import type { SpeedHere } from "./measured-speed.ts";
import { formatDuration, formatNumber } from "./quantities.ts";

/**
 * What a signup costs the client that solves, and the service that verifies.
 *
 * @param machine - name of this machine's processor
 * @param difficulties - in bits, one for each column
 */
export function costReport(speed: SpeedHere, machine: string, difficulties: readonly number[]): string {
  const { nodeCryptoMs, solverMs } = speed;
  const columns = difficulties.map((difficultyBits) =>
    economics({ difficultyBits, solverHashesPerSecond: 1000 / solverMs, scryptMs: nodeCryptoMs }),
  );
  const rows = solverSpeeds(speed).map(({ where, name, basis, hashMs, ratio }, row) => [
    where,
    name,
    basis,
    hashMs.toFixed(1),
    ratio.toFixed(2),
    ...columns.map(({ signups }) => formatDuration(signups[row]?.coreSeconds ?? Number.NaN)),
  ]);
  const fixed = ["where", "solver", "basis", "ms/hash", "x node:crypto"];
  const blanks = fixed.slice(1).map(() => "");
  const each = (label: string, cell: (column: Economics) => string): string[] => [
    label,
    ...blanks,
    ...columns.map(cell),
  ];
  return [
    "mean core time of a signup or login, by difficulty",
    "",
    ...formatTable([
      [...fixed, ...difficulties.map((bits) => `${bits} bits`)],
      ...rows,
      each("", () => ""),
      each("expected tries", ({ expectedTries }) => formatNumber(expectedTries)),
      each("50 % within", ({ difficultyBits }) => formatNumber(triesForShare(difficultyBits, 0.5))),
      each("95 % within", ({ difficultyBits }) => formatNumber(triesForShare(difficultyBits, 0.95))),
      each("solve / verify, this solver", ({ solveToVerify }) => formatNumber(solveToVerify.thisSolver)),
      each("solve / verify, fastest solver here", ({ solveToVerify }) =>
        formatNumber(solveToVerify.fastestHere),
      ),
    ]),
    "",
    `this machine: ${machine}; this solver on ${describeThreads(speed)}`,
    `reference core: ${referenceCore.name}, no GPU; these figures do not apply to GPUs`,
    "estimated: node:crypto on this machine, divided by the ratio of the reference core; other processors may not reach it",
    `verifying takes one node:crypto hash, ${speed.nodeCryptoMs.toFixed(1)} ms here, at any difficulty, also for a forged answer`,
  ].join("\n");
}

function describeThreads({ threads, hashesPerSecond, shareWithoutCore }: SpeedHere): string {
  const rate = `${counted(threads, "thread")} did ${formatNumber(hashesPerSecond)} hashes/s`;
  const waiting = Math.round(100 * shareWithoutCore);
  return waiting < 5 ? rate : `${rate}, and had no core for ${waiting} % of the time`;
}

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  // The label of a row without other text may extend into the empty columns beside it.
  const isLabel = (row: readonly string[]): boolean => row[1] === "";
  const widths = head.map((_, at) =>
    Math.max(...rows.filter((row) => at > 0 || !isLabel(row)).map((row) => (row[at] ?? "").length)),
  );
  const textColumns = 3;
  return rows.map((row) => {
    const cell = (at: number): string => {
      const text = row[at] ?? "";
      return at < textColumns ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
    };
    const firstNumber = isLabel(row) ? 5 : 0;
    const before = widths.slice(0, firstNumber).reduce((sum, width) => sum + width + 2, 0);
    const label = firstNumber === 0 ? "" : (row[0] ?? "").padEnd(before);
    const rest = head
      .map((_, at) => at)
      .slice(firstNumber)
      .map(cell);
    return `${label}${rest.join("  ")}`.trimEnd();
  });
}
