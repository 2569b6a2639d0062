/** A bar of the chart. */
export interface Bar {
  label: string;
  hashesPerSecond: number;
  /** Shown after the speed. */
  note: string;
}

const rowHeight = 30;
const labelWidth = 240;
const barWidth = 420;
const noteWidth = 170;

/** An SVG document with horizontal bars, which follows the reader's colour scheme. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(...bars.map((bar) => bar.hashesPerSecond));
  const rows = bars.map(({ label, hashesPerSecond, note }, index) => {
    const top = 44 + index * rowHeight;
    const width = (barWidth * hashesPerSecond) / most;
    return [
      `<text x="${labelWidth - 10}" y="${top + 15}" text-anchor="end">${escape(label)}</text>`,
      `<rect x="${labelWidth}" y="${top}" width="${width.toFixed(1)}" height="21" rx="2"/>`,
      `<text x="${(labelWidth + width + 8).toFixed(1)}" y="${top + 15}">${hashesPerSecond.toFixed(1)} H/s ${escape(note)}</text>`,
    ].join("\n  ");
  });
  const [width, height] = [labelWidth + barWidth + noteWidth, 60 + bars.length * rowHeight];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
  <style>
    text { font: 13px sans-serif; fill: #222 } rect { fill: #2f6f9f }
    @media (prefers-color-scheme: dark) { text { fill: #ddd } rect { fill: #6fb1e0 } }
  </style>
  <text x="10" y="24" font-weight="bold">${escape(title)}</text>
  ${rows.join("\n  ")}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
