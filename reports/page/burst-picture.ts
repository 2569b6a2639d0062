import { type Html, html } from "../load/html-text.ts";
import type { RunBar } from "../run-format.ts";
import { joined } from "./text.ts";

const widthPx = 640;
const laneHeight = 26;
const labelWidth = 150;
const barHeight = 16;
/** A bar of no length would not be seen. */
const leastBar = 3;

/** Colour is never alone: each outcome has a sign. */
const outcomes = {
  accepted: { sign: "✓", className: "accepted" },
  refused: { sign: "✗", className: "refused" },
  "no answer": { sign: "…", className: "unanswered" },
} as const satisfies Record<RunBar["outcome"], { sign: string; className: string }>;

/** A lane for each request, from its first byte to the last of its answer; what followed the burst stands below a line. */
export function burstPicture(bars: readonly RunBar[], reason: string): Html {
  const end = Math.max(1, ...bars.map(({ toMs }) => toMs));
  const scale = (widthPx - labelWidth - 24) / end;
  const heightPx = bars.length * laneHeight + 24;
  const together = bars.filter(({ isAfterwards }) => isAfterwards !== true).length;
  const boundary = together * laneHeight;
  return html`<figure class="burst">
    <svg
      viewBox="0 0 ${widthPx} ${heightPx}"
      role="img"
      aria-label="${`${together} simultaneous requests and ${bars.length - together} afterwards, as bars over ${Math.round(end)} milliseconds; the sentences above say the same.`}"
    >
      ${joined(bars.map((bar, at) => lane(bar, at, scale)))}
      <line class="boundary" x1="0" x2="${widthPx}" y1="${boundary}" y2="${boundary}"></line>
      <text x="${labelWidth}" y="${heightPx - 8}">0 ms</text>
      <text class="last" x="${widthPx - 24}" y="${heightPx - 8}">${Math.round(end)} ms</text>
    </svg>
    <figcaption>
      Each lane is one connection; ✓ accepted, ✗ refused, … no answer. A thick frame marks the answers that
      contradict one another. ${reason}
    </figcaption>
  </figure>`;
}

function lane(bar: RunBar, at: number, scale: number): Html {
  const { sign, className } = outcomes[bar.outcome];
  const x = labelWidth + bar.fromMs * scale;
  const length = Math.max(leastBar, (bar.toMs - bar.fromMs) * scale);
  const y = at * laneHeight;
  const marked = bar.isContradiction === true ? " contradiction" : "";
  return html`<g>
    <text x="0" y="${y + 17}">${bar.step}. ${bar.label} ${sign}</text>
    <rect
      class="${className}${marked}"
      x="${x.toFixed(1)}"
      y="${y + 5}"
      width="${length.toFixed(1)}"
      height="${barHeight}"
    ></rect>
  </g>`;
}
