import { LineChart, type LineSeriesOption } from "echarts/charts";
import {
  GridComponent,
  type GridComponentOption,
  MarkAreaComponent,
  MarkLineComponent,
} from "echarts/components";
import { type ComposeOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { escapeHtml, type Html } from "../html-text.ts";

export type ChartOption = ComposeOption<LineSeriesOption | GridComponentOption>;

export interface Chart {
  /** Unique in its page. */
  readonly id: string;
  /** The accessible name. */
  readonly label: string;
  readonly height: number;
  readonly option: ChartOption;
}

const chartWidth = 760;

use([LineChart, GridComponent, MarkAreaComponent, MarkLineComponent, SVGRenderer]);

/** An SVG that scales with the page and uses its CSS custom properties as colours. */
export function drawChart({ id, label, height, option }: Chart): Html {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: chartWidth, height });
  try {
    // Replaces the default palette.
    chart.setOption({ animation: false, color: ["var(--ink)"], ...option });
    const svg = chart.renderToSVGString();
    const markup = svg
      .replace(
        /^<svg [^>]*>/u,
        `<svg viewBox="0 0 ${chartWidth} ${height}" role="img" aria-label="${escapeHtml(label)}">`,
      )
      // Removes hover styles and interaction attributes, and makes ids deterministic.
      .replaceAll(/<style[^>]*>.*?<\/style>/gsu, "")
      .replaceAll(/ (?:class="zr[^"]*"|ecmeta_\w+="[^"]*"|pointer-events="\w+")/gu, "")
      .replaceAll(/\bzr\d+-/gu, `${id}-`);
    return { markup };
  } finally {
    chart.dispose();
  }
}
