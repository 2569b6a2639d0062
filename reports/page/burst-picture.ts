import { empty, type Html, html } from "../html-text.ts";
import type { RunBar } from "../run-format.ts";
import { joined } from "./text.ts";

const widthPx = 640;
const laneHeight = 26;
const labelWidth = 150;
const barHeight = 16;
const shareOfBurst = 0.7;
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
  const burstEnd = Math.max(
    1,
    ...bars.filter(({ isAfterwards }) => isAfterwards !== true).map(({ toMs }) => toMs),
  );
  const place = placesOf(burstEnd, end);
  const heightPx = bars.length * laneHeight + 24;
  const together = bars.filter(({ isAfterwards }) => isAfterwards !== true).length;
  const boundary = together * laneHeight;
  return html`<figure class="burst">
    <svg
      viewBox="0 0 ${widthPx} ${heightPx}"
      role="img"
      aria-label="${`${together} simultaneous requests and ${bars.length - together} afterwards, as bars over ${Math.round(end)} milliseconds; the sentences above say the same.`}"
    >
      ${joined(bars.map((bar, at) => lane(bar, at, place)))}
      <line class="boundary" x1="0" x2="${widthPx}" y1="${boundary}" y2="${boundary}"></line>
      <text x="${labelWidth}" y="${heightPx - 8}">0 ms</text>
      ${
        end > burstEnd
          ? html`<line
                class="boundary"
                x1="${place(burstEnd)}"
                x2="${place(burstEnd)}"
                y1="0"
                y2="${heightPx - 22}"
              ></line>
              <text class="last" x="${place(burstEnd)}" y="${heightPx - 8}">${Math.round(burstEnd)} ms</text>`
          : empty
      }
      <text class="last" x="${widthPx - 24}" y="${heightPx - 8}">${Math.round(end)} ms</text>
    </svg>
    <figcaption>
      Each lane is one connection; ✓ accepted, ✗ refused, … no answer. A thick frame marks the answers that
      contradict one another. What followed the burst stands right of the upright line, on a scale of its own.
      ${reason}
    </figcaption>
  </figure>`;
}

/** Where a moment stands: waits may make what followed a hundred times as long as the burst, so it has a scale of its own. */
function placesOf(burstEnd: number, end: number): (ms: number) => number {
  const width = widthPx - labelWidth - 24;
  const ofBurst = end > burstEnd ? width * shareOfBurst : width;
  return (ms) =>
    ms <= burstEnd
      ? labelWidth + (ms / burstEnd) * ofBurst
      : labelWidth + ofBurst + ((ms - burstEnd) / (end - burstEnd)) * (width - ofBurst);
}

function lane(bar: RunBar, at: number, place: (ms: number) => number): Html {
  const { sign, className } = outcomes[bar.outcome];
  const x = place(bar.fromMs);
  const length = Math.max(leastBar, place(bar.toMs) - x);
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
