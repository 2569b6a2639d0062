import { economics, referenceCore, solverSpeeds, type Economics } from "../../suites/support/pow/cost.ts";
import { triesForShare } from "../../suites/support/pow/geometric-waits.ts";
import type { SpeedHere } from "./measured-speed.ts";
import { inWords, threeDigits } from "./quantities.ts";

/**
 * What a signup costs whoever solves, and what it costs whoever verifies.
 *
 * @param machine - processor of this machine, for the reader
 * @param difficulties - in bits, one column each
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
    ...columns.map(({ signups }) => inWords(signups[row]?.coreSeconds ?? Number.NaN)),
  ]);
  const fixed = ["where", "solver", "basis", "ms a hash", "x node"];
  const pad = fixed.slice(1).map(() => "");
  const each = (label: string, cell: (column: Economics) => string): string[] => [
    label,
    ...pad,
    ...columns.map(cell),
  ];
  return [
    "core time that a signup or login takes on average, by difficulty",
    "",
    ...inColumns([
      [...fixed, ...difficulties.map((bits) => `${bits} bits`)],
      ...rows,
      each("", () => ""),
      each("expected tries", ({ expectedTries }) => threeDigits(expectedTries)),
      each("half of all within", ({ difficultyBits }) => threeDigits(triesForShare(difficultyBits, 0.5))),
      each("95 % within", ({ difficultyBits }) => threeDigits(triesForShare(difficultyBits, 0.95))),
      each("solve / verify, this solver", ({ solveToVerify }) => threeDigits(solveToVerify.thisSolver)),
      each("solve / verify, fastest here", ({ solveToVerify }) => threeDigits(solveToVerify.fastestHere)),
    ]),
    "",
    `this machine: ${machine}; this solver on ${threadsInWords(speed)}`,
    `reference core: ${referenceCore.name}, no GPU; nothing here says what a GPU would need`,
    "estimated: node:crypto here divided by the ratio of the reference core, which this processor may not reach",
    `verifying takes one hash of node:crypto, ${speed.nodeCryptoMs.toFixed(1)} ms here, at every difficulty; a forged answer costs that too`,
  ].join("\n");
}

function threadsInWords({ threads, hashesPerSecond, shareWithoutCore }: SpeedHere): string {
  const rate = `${threads} ${threads === 1 ? "thread" : "threads"} did ${threeDigits(hashesPerSecond)} hashes/s`;
  const lost = Math.round(100 * shareWithoutCore);
  return lost < 5 ? rate : `${rate}, waiting ${lost} % of the time for a core that others used`;
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  // The label of a row without further text may run on into the empty columns beside it.
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
