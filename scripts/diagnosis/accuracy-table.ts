import { wilsonInterval } from "../wilson-interval.ts";
import type { Accuracy, CalibrationRow } from "./accuracy.ts";
import type { Share } from "./measure.ts";

/** Two tables in Markdown, as `fixtures/diagnosis/README.md` shows them. */
export function accuracyTable({ rows, defect, rule }: Accuracy): string {
  const main = rows.map(({ what, share }) => [what, String(share.of), ...figures(share)]);
  const said = (name: string, parts: readonly CalibrationRow[]): string[][] =>
    parts.map(({ from, to, said: mean, right }) => [
      `${name}: ${percent(from)} to ${percent(to)}`,
      String(right.of),
      percent(mean),
      ...figures(right),
    ]);
  return [
    table(["measured on", "n", "right", "95 % interval (Wilson)"], main),
    table(
      ["confidence", "n", "said on average", "right", "95 % interval (Wilson)"],
      [...said("this defect", defect), ...said("this rule", rule)],
    ),
  ].join("\n\n");
}

function figures({ right, of }: Share): string[] {
  const { from, to } = wilsonInterval(right, of);
  return [percent(of === 0 ? 1 : right / of), `${percent(from)} to ${percent(to)}`];
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}
