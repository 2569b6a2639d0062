import type { Trial } from "./trials.ts";
import { wilsonInterval } from "../wilson-interval.ts";

/** What the seeds have found of one fault. */
interface Row {
  readonly fault: string;
  readonly found: readonly Trial[];
  readonly missed: readonly Trial[];
}

/**
 * A Markdown table: of each fault how many seeds find it, the weakest first, and above it what all of them come to.
 *
 * @param heading - what was done, before the table
 */
export function foundTable(heading: string, trials: readonly Trial[]): string {
  const rows = rowsOf(trials);
  const shares = rows.map(shareOf);
  const steps = trials.flatMap((trial) => trial.steps ?? []);
  const seconds = trials.map((trial) => trial.seconds);
  const found = trials.filter(({ check }) => check !== undefined).length;
  return [
    heading,
    "",
    `${rows.length} defects, ${trials.length} trials, ${found} found. Weakest ${percent(Math.min(...shares))}, median ${percent(median(shares))}; ${rows.filter((row) => shareOf(row) < 0.95).length} below 95 %. ${lengthOf(steps)}A trial takes ${median(seconds).toFixed(1)} s.`,
    "",
    ...aligned([columns.map(({ title }) => title), ...rows.map(cellsOf)]),
    "",
  ].join("\n");
}

/** Nothing where no story was shortened. */
function lengthOf(steps: readonly number[]): string {
  if (steps.length === 0) return "";
  return `A story has ${median(steps)} steps in the median (90 % have at most ${quantile(steps, 0.9)}). `;
}

const columns = [
  { title: "defect" },
  { title: "found by", isNumber: true },
  { title: "95 % interval", isNumber: true },
  { title: "steps (median)", isNumber: true },
  { title: "seconds (median)", isNumber: true },
  { title: "first found by" },
  { title: "missed by the seeds" },
] as const satisfies readonly { title: string; isNumber?: true }[];

/** As Prettier aligns a table, so that what is generated is what is committed. */
function aligned([titles = [], ...rows]: readonly (readonly string[])[]): string[] {
  const widths = columns.map((_, at) =>
    Math.max(3, ...[titles, ...rows].map((cells) => cells[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const padded = (cells: readonly string[]): string =>
    line(
      columns.map((column, at) => {
        const [cell = "", width = 0] = [cells[at], widths[at]];
        return "isNumber" in column ? cell.padStart(width) : cell.padEnd(width);
      }),
    );
  const rule = columns.map((column, at) =>
    "isNumber" in column ? `${"-".repeat((widths[at] ?? 0) - 1)}:` : "-".repeat(widths[at] ?? 0),
  );
  return [padded(titles), line(rule), ...rows.map(padded)];
}

function rowsOf(trials: readonly Trial[]): Row[] {
  const faults = [...new Set(trials.map(({ fault }) => fault))];
  return faults
    .map((fault) => {
      const own = trials.filter((trial) => trial.fault === fault);
      return {
        fault,
        found: own.filter(({ check }) => check !== undefined),
        missed: own.filter(({ check }) => check === undefined),
      };
    })
    .toSorted((a, b) => shareOf(a) - shareOf(b) || a.fault.localeCompare(b.fault, "en"));
}

function shareOf({ found, missed }: Row): number {
  return found.length / (found.length + missed.length);
}

function cellsOf({ fault, found, missed }: Row): string[] {
  const all = found.length + missed.length;
  const steps = found.flatMap((trial) => trial.steps ?? []);
  const seconds = [...found, ...missed].map((trial) => trial.seconds);
  return [
    fault,
    `${found.length} of ${all}`,
    intervalText(found.length, all),
    steps.length === 0 ? "–" : String(median(steps)),
    median(seconds).toFixed(1),
    checksOf(found),
    missed
      .map(({ seed }) => seed)
      .toSorted((a, b) => a - b)
      .join(" "),
  ];
}

function checksOf(found: readonly Trial[]): string {
  const checks = found.flatMap(({ check }) => check ?? []);
  return [...new Set(checks)]
    .map((id) => ({ id, times: checks.filter((other) => other === id).length }))
    .toSorted((a, b) => b.times - a.times || a.id.localeCompare(b.id, "en"))
    .map(({ id, times }) => `${id} ${times}`)
    .join(", ");
}

function percent(share: number): string {
  return `${Math.floor(100 * share)} %`;
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? NaN;
}

/** Rounded outwards, as `87–98 %`. */
function intervalText(hits: number, tries: number): string {
  const { from, to } = wilsonInterval(hits, tries);
  return `${Math.max(0, Math.floor(100 * from))}–${Math.min(100, Math.ceil(100 * to))} %`;
}
