import { LineChart, type LineSeriesOption } from "echarts/charts";
import {
  GridComponent,
  type GridComponentOption,
  MarkAreaComponent,
  MarkLineComponent,
} from "echarts/components";
import { type ComposeOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { escapeHtml, type Html } from "./html-text.ts";

export type ChartOption = ComposeOption<LineSeriesOption | GridComponentOption>;

export interface Chart {
  /** Unique in its page. */
  readonly id: string;
  /** What it shows, for whoever cannot see it. */
  readonly label: string;
  readonly height: number;
  readonly option: ChartOption;
}

export const chartWidth = 760;

use([LineChart, GridComponent, MarkAreaComponent, MarkLineComponent, SVGRenderer]);

/** An SVG that scales with the page and takes its colours from the page's custom properties. */
export function drawChart({ id, label, height, option }: Chart): Html {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: chartWidth, height });
  try {
    // A palette of its own would show where an option names no colour.
    chart.setOption({ animation: false, color: ["var(--ink)"], ...option });
    const svg = chart.renderToSVGString();
    const markup = svg
      .replace(
        /^<svg [^>]*>/u,
        `<svg viewBox="0 0 ${chartWidth} ${height}" role="img" aria-label="${escapeHtml(label)}">`,
      )
      // Hover rules of a page without scripts; and names that count the charts of this process.
      .replaceAll(/<style[^>]*>.*?<\/style>/gsu, "")
      .replaceAll(/ (?:class="zr[^"]*"|ecmeta_\w+="[^"]*"|pointer-events="\w+")/gu, "")
      .replaceAll(/\bzr\d+-/gu, `${id}-`);
    return { markup };
  } finally {
    chart.dispose();
  }
}
