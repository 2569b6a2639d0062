import { expect, test } from "vitest";
import type { RunBar } from "../run-format.ts";
import { burstPicture } from "./burst-picture.ts";

const bars: readonly RunBar[] = [
  { step: 3, label: "refresh", outcome: "accepted", fromMs: 0, toMs: 40, isContradiction: true },
  { step: 4, label: "refresh", outcome: "accepted", fromMs: 1, toMs: 50, isContradiction: true },
  { step: 5, label: "use", outcome: "refused", fromMs: 60, toMs: 60, isAfterwards: true },
];

const { markup } = burstPicture(bars, "No order explains <these> answers.");

test("a burst is drawn as one bar a request, with a sign for its answer", () => {
  expect(markup.match(/<rect/gu)).toHaveLength(bars.length);
  expect(markup).toContain("3. refresh ✓");
  expect(markup).toContain("5. use ✗");
});

test("those that contradict one another are marked, and no others", () => {
  expect(markup.match(/accepted contradiction/gu)).toHaveLength(2);
  expect(markup).not.toContain("refused contradiction");
});

test("it says in words what it shows, and escapes the reason", () => {
  expect(markup).toContain(
    'aria-label="2 simultaneous requests and 1 afterwards, as bars over 60 milliseconds',
  );
  expect(markup).toContain("No order explains &lt;these&gt; answers.");
  expect(markup).not.toContain("<script");
});

test("a bar that took no time is still seen, and none leaves the picture", () => {
  const widths = [...markup.matchAll(/<rect[^>]*\sx="([\d.]+)"[^>]*\swidth="([\d.]+)"/gu)].map(
    ([, x, width]) => ({
      x: Number(x),
      width: Number(width),
    }),
  );
  expect(widths).toHaveLength(bars.length);
  expect(widths.every(({ x, width }) => width >= 3 && x + width <= 640)).toBe(true);
});

test("a long wait after the burst does not make its bars too short to compare", () => {
  const late: RunBar = {
    step: 6,
    label: "use",
    outcome: "refused",
    fromMs: 5000,
    toMs: 5010,
    isAfterwards: true,
  };
  const picture = burstPicture([...bars, late], "").markup;
  const widths = [...picture.matchAll(/<rect[^>]*\swidth="([\d.]+)"/gu)].map(([, width]) => Number(width));
  // 0 to 40 of 50 ms, which have 70 % of what the labels leave of the width.
  expect(widths[0]).toBeCloseTo((0.7 * (640 - 150 - 24) * 40) / 50, 0);
  expect(picture).toContain(">50 ms</text>");
  expect(picture).toContain(">5010 ms</text>");
});
