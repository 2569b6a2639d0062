import { parse } from "parse5";
import { expect, test } from "vitest";
import type { LoadProfileRun } from "../load-format.ts";
import {
  exampleBaseline,
  exampleCapacity,
  exampleEconomics,
  exampleIsolation,
  exampleLoadRun,
  examplePhase,
  exampleProfile,
  exampleSpike,
  exampleStream,
  exampleThreshold,
  exampleRows,
  exampleViolation,
} from "./example-load-run.ts";
import { renderLoadHtml } from "./html.ts";

const whole = renderLoadHtml(
  exampleLoadRun([exampleIsolation(), exampleSpike(), exampleCapacity(), exampleProfile()], {
    economics: exampleEconomics,
    baseline: exampleBaseline,
  }),
);

function page(...profiles: LoadProfileRun[]): string {
  return renderLoadHtml(exampleLoadRun(profiles));
}

test("the file is self-contained and has no scripts", () => {
  expect(whole).not.toMatch(/<(?:script|link|img|iframe|object|embed|base|form)\b/iu);
  expect(whole).not.toMatch(/\s(?:src|srcset|action|xlink:href|on\w+)\s*=/iu);
  expect(whole).not.toMatch(/href="(?!#)/iu);
  expect(whole).not.toMatch(/url\((?!#)/iu);
  expect(whole).not.toMatch(/@import|@font-face/iu);
  expect(whole).toContain("default-src 'none'");
});

test("the same run gives the same file", () => {
  expect(page(exampleIsolation())).toBe(page(exampleIsolation()));
});

test("ids are unique, and all references to them resolve", () => {
  const ids = [...whole.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const used = [...whole.matchAll(/(?:url\(|href=")#([^")]+)/gu)].map(([, id]) => id);
  expect(used.filter((id) => !ids.includes(id))).toEqual([]);
});

test("charts use only custom properties as colours, so that they follow the colour scheme", () => {
  const charts = [...whole.matchAll(/<svg.*?<\/svg>/gsu)].map(([svg]) =>
    svg.replaceAll(/<defs.*?<\/defs>/gsu, ""),
  );
  expect(charts.length).toBeGreaterThan(8);
  const painted = charts.flatMap((svg) =>
    [...svg.matchAll(/(?:fill|stroke)="([^"]*)"/gu)].map(([, color]) => color),
  );
  expect(
    painted.filter((color) => color !== "none" && color !== "transparent" && !color?.startsWith("var(--")),
  ).toEqual([]);
  const known = new Set(
    [...whole.matchAll(/^\s*(?:--[\w-]+: [^;]+; ?)+$/gmu)].flatMap(([line]) =>
      [...line.matchAll(/--[\w-]+/gu)].map(([name]) => name),
    ),
  );
  const used = [...whole.matchAll(/var\((--[\w-]+)\)/gu)].map(([, name]) => name ?? "");
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

const headings = {
  cheap: "Cheap requests under scrypt load",
  ramp: "<h3>Capacity</h3>",
  percentiles: "Latency by percentile",
  timeline: "Over time",
  violations: "Violations of the document",
  thresholds: "<h3>Thresholds</h3>",
  health: "Resource usage",
};

test.for<{ profile: LoadProfileRun; has: (keyof typeof headings)[] }>([
  { profile: exampleIsolation(), has: ["cheap", "percentiles", "timeline", "thresholds", "health"] },
  { profile: exampleCapacity(), has: ["ramp", "percentiles", "timeline", "thresholds", "health"] },
  { profile: exampleSpike(), has: ["percentiles", "timeline", "violations", "thresholds", "health"] },
  { profile: exampleProfile({ phases: [], thresholds: [] }), has: [] },
])("$profile.name with $profile.phases.length phases has $has", ({ profile, has }) => {
  const text = page(profile);
  const found = Object.entries(headings).filter(([, heading]) => text.includes(heading));
  expect(found.map(([name]) => name)).toEqual(
    Object.keys(headings).filter((name) => has.includes(name as "cheap")),
  );
});

test("economics and baseline are shown if present", () => {
  expect(whole).toContain('<section id="economics">');
  expect(whole).toContain('<section id="baseline">');
  expect(page(exampleProfile())).not.toContain('<section id="economics">');
  expect(page(exampleProfile())).not.toContain('<section id="baseline">');
  expect(whole).toContain("Not compared: new: not in the earlier run");
});

test("it always has the verdict and an explanation of terms", () => {
  expect(page()).toContain("How to read this");
  expect(page()).toContain("Nothing was measured.");
  expect(page(exampleSpike())).toContain("The target violated the interface document under load in spike");
});

test("responses by class are a sentence if all were expected, and a chart otherwise", () => {
  expect(page(exampleIsolation())).toContain("Every response had an expected status.");
  expect(page(exampleIsolation())).not.toContain("Responses per second by class");
  expect(page(exampleSpike())).toContain("Responses per second by class");
});

test("a p99 of fewer than 1,000 responses is marked as unreliable", () => {
  const pageWithSeconds = (seconds: number): string =>
    page(
      exampleProfile({
        phases: [
          examplePhase("load", 0, seconds, [exampleStream("s", { rows: exampleRows(seconds, 100, 5) })]),
        ],
      }),
    );
  expect(pageWithSeconds(9)).toContain("Unreliable: fewer than 1,000 responses");
  expect(pageWithSeconds(10)).not.toContain("Unreliable: fewer than 1,000 responses");
});

test("an invalid measurement has the reasons, and its thresholds are invalid", () => {
  const text = page(
    exampleProfile({
      verdict: "invalid",
      invalid: [{ cause: "machine", text: "a noisy machine; use a quiet one" }],
    }),
  );
  expect(text).toContain("a noisy machine; use a quiet one");
  expect(text).toContain(">Invalid<");
  expect(text).not.toContain(">Passed<");
});

const hostile = `"><script>alert('1')</script>&lt;\u{1B}[2J`;

test("all text of the run is escaped", () => {
  const threshold = exampleThreshold({ id: hostile, claim: hostile, reason: hostile, verdict: "not-judged" });
  const stream = exampleStream(hostile, {
    step: hostile,
    rows: exampleRows(3, 10, 5).map((row) => ({ ...row, shed: 1 })),
  });
  const exchange = {
    startedAt: hostile,
    durationMs: 1,
    request: { method: hostile, url: hostile, headers: [[hostile, hostile] as const], body: hostile },
    response: { status: 200, headers: [[hostile, hostile] as const], body: hostile },
  };
  const profile = exampleProfile({
    name: hostile,
    question: hostile,
    phases: [0, 5, 10].map((start) =>
      examplePhase(`${hostile}${start}`, start, 3, [{ ...stream, ratePerSecond: start + 1 }]),
    ),
    thresholds: [threshold],
    invalid: [{ cause: "measurement", text: hostile }],
    violations: [
      { ...exampleViolation, step: hostile, expected: hostile, observed: hostile, exchanges: [exchange] },
    ],
  });
  const text = renderLoadHtml(
    exampleLoadRun([profile], {
      id: hostile,
      startedAt: hostile,
      target: { authUrl: hostile, apiUrl: hostile, mcpUrl: hostile, isEmbedded: false },
      machine: { cpu: hostile, cores: 2 },
      suite: { name: "mailproof", version: hostile, node: hostile },
      economics: {
        ...exampleEconomics,
        solvers: exampleEconomics.solvers.map((line) => ({ ...line, where: hostile, solver: hostile })),
      },
      baseline: {
        id: hostile,
        comparisons: [{ profile: hostile, threshold: hostile, isRegression: false, notCompared: hostile }],
      },
    }),
  );
  expect(text).not.toContain("<script");
  expect(text).not.toContain("\u{1B}");
  expect(elementsOf(text)).not.toContain("script");
  // Escaped, not removed.
  expect(text.split("&lt;script&gt;alert(").length).toBeGreaterThan(30);
});

test("long bodies are truncated", () => {
  const [exchange] = exampleViolation.exchanges;
  const long =
    exchange === undefined ? [] : [{ ...exchange, request: { ...exchange.request, body: "x".repeat(5000) } }];
  const text = page(exampleProfile({ violations: [{ ...exampleViolation, exchanges: long }] }));
  expect(text).toContain("… (5000 characters; full body in load.json)");
  expect(text).not.toContain("x".repeat(4001));
});

/** Element names after parsing as a browser does. */
function elementsOf(text: string): string[] {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    const { nodeName, childNodes } = node as { nodeName: string; childNodes?: unknown[] };
    names.push(nodeName);
    for (const child of childNodes ?? []) visit(child);
  };
  visit(parse(text));
  return names;
}
