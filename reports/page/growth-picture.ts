import { type Html, html } from "../html-text.ts";
import type { RunGrowth, RunGrowthLine } from "../run-format.ts";
import { joined } from "./text.ts";

const widthPx = 420;
const chartHeight = 140;
const left = 44;
const right = 10;
const top = 10;
/** Each line of the legend. */
const lineHeight = 18;

/** Colour is never alone: each line has a pattern. */
const patterns = ["", "7 4", "2 4"];

/** How much of what is possible was seen, over what was tried; the legend says where it ended. */
export function growthPicture({ over, lines }: RunGrowth): Html {
  const drawn = lines.filter(({ possible, points }) => possible > 0 && points.length > 0);
  const most = Math.max(1, ...drawn.flatMap(({ points }) => points.map(({ tried }) => tried)));
  const bottom = top + chartHeight;
  const heightPx = bottom + 26 + drawn.length * lineHeight;
  const words = drawn.map((line) => `${line.label}: ${endWords(line)}`);
  return html`<figure class="growth">
    <svg
      viewBox="0 0 ${widthPx} ${heightPx}"
      role="img"
      aria-label="${`After ${most} ${over}, of what is possible: ${words.join("; ")}.`}"
    >
      ${joined(
        [0, 0.5, 1].map((share) => {
          const y = bottom - share * chartHeight;
          return html`<line class="grid" x1="${left}" x2="${widthPx - right}" y1="${y}" y2="${y}"></line>
            <text class="end" x="${left - 6}" y="${y + 4}">${share * 100} %</text>`;
        }),
      )}
      <text x="${left}" y="${bottom + 16}">0</text>
      <text class="end" x="${widthPx - right}" y="${bottom + 16}">${most} ${over}</text>
      ${joined(drawn.map((line, at) => lineView(line, at, most)))}
      ${joined(
        drawn.map((line, at) => {
          const y = bottom + 32 + at * lineHeight;
          return html`<line
              class="line"
              x1="${left}"
              x2="${left + 28}"
              y1="${y}"
              y2="${y}"
              ${dashes(at)}
            ></line>
            <text x="${left + 34}" y="${y + 4}">${line.label}: ${endWords(line)}</text>`;
        }),
      )}
    </svg>
    <figcaption>Of what is possible, how much was seen after so many ${over}.</figcaption>
  </figure>`;
}

function lineView({ possible, points }: RunGrowthLine, at: number, most: number): Html {
  const scale = (widthPx - left - right) / most;
  const places = [{ tried: 0, seen: 0 }, ...points].map(({ tried, seen }) => {
    const y = top + chartHeight - (seen / possible) * chartHeight;
    return `${(left + tried * scale).toFixed(1)},${y.toFixed(1)}`;
  });
  return html`<polyline class="line" points="${places.join(" ")}" ${dashes(at)}></polyline>`;
}

function dashes(at: number): Html {
  return html`stroke-dasharray="${patterns[at % patterns.length] ?? ""}"`;
}

function endWords({ possible, points }: RunGrowthLine): string {
  const seen = points.at(-1)?.seen ?? 0;
  return `${seen} of ${possible} (${Math.floor((100 * seen) / possible)} %)`;
}
