import { expect, test } from "vitest";
import {
  exampleBaseline,
  exampleEconomics,
  exampleIsolation,
  exampleLoadRun,
  exampleProfile,
  exampleSpike,
  exampleThreshold,
  exampleViolation,
} from "./example-load-run.ts";
import { renderLoadTerminal } from "./terminal.ts";

function lines(text: string): string[] {
  return text.split("\n").map((line) => line.trim().replaceAll(/ {2,}/gu, " "));
}

test("a profile has its verdict, its question and a row per measured stream", () => {
  const text = lines(renderLoadTerminal(exampleLoadRun([exampleIsolation()])));
  expect(text).toContain("✓ isolation: passed");
  expect(text).toContain(
    "Do cheap requests stay fast while proof-of-work verification saturates every core?",
  );
  expect(text.filter((line) => line.includes("warm-up"))).toEqual([]);
  expect(text.find((line) => line.startsWith("before challenge"))).toMatch(
    /^before challenge 100 \S+ [\d.]+ \S+ · ·$/u,
  );
  expect(text.find((line) => line.startsWith("verify-forged"))).toMatch(/ ~[\d,]+ \S+ · · 0\.93$/u);
});

test("a p99 of fewer than 1,000 responses is marked as unreliable", () => {
  const unreliable = renderLoadTerminal(exampleLoadRun([exampleProfile()]));
  expect(unreliable).toMatch(/ ~\d/u);
  expect(unreliable).toContain("~ unreliable: fewer than 1,000 responses");
  const phases = exampleIsolation().phases.slice(1, 2);
  const reliable = renderLoadTerminal(exampleLoadRun([exampleIsolation({ phases })]));
  expect(reliable).not.toContain("~");
});

test.for([
  {
    verdict: "pass",
    mark: "✓ Efficiency",
    says: "passed: 0.94 (95 % interval 0.92 to 0.95); limit: at least 0.8",
  },
  { verdict: "warn", mark: "! Efficiency", says: "warning: 0.94" },
  { verdict: "missed", mark: "✗ Efficiency", says: "missed: 0.94" },
] as const)("a threshold with $verdict says $says", ({ verdict, mark, says }) => {
  const text = renderLoadTerminal(
    exampleLoadRun([exampleProfile({ thresholds: [exampleThreshold({ verdict })] })]),
  );
  expect(text).toContain(mark);
  expect(text).toContain(says);
});

test("a threshold that was not judged has the reason", () => {
  const {
    value: _,
    interval: __,
    ...without
  } = exampleThreshold({ verdict: "not-judged", reason: "12 responses" });
  const text = renderLoadTerminal(exampleLoadRun([exampleProfile({ thresholds: [without] })]));
  expect(text).toContain("not judged: 12 responses; limit: at least 0.8");
});

test("an invalid measurement has the reasons, and its thresholds are invalid", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([
      exampleProfile({
        verdict: "invalid",
        invalid: [{ cause: "machine", text: "a noisy machine; use a quiet one" }],
      }),
    ]),
  );
  expect(text).toContain("? verify-forged: invalid measurement, no verdict");
  expect(text).toContain("? a noisy machine; use a quiet one");
  expect(text).toContain("invalid: 0.94");
  expect(text).not.toContain("✓");
});

test("a violation shows both sides and its first exchange", () => {
  const text = renderLoadTerminal(exampleLoadRun([exampleSpike()]));
  expect(text).toContain("✗ replay-at-once, 3 times\n      expected at most one session");
  expect(text).toContain("observed 2 sessions from 4 copies");
  expect(text).toContain("POST https://auth.example/api/v1/session → 200 after 43.2 ms");
});

test("a request without a response has no status", () => {
  const exchanges = exampleViolation.exchanges.map((exchange) => ({
    ...exchange,
    response: { status: 0, headers: [], body: "" },
  }));
  const text = renderLoadTerminal(
    exampleLoadRun([exampleSpike({ violations: [{ ...exampleViolation, exchanges }] })]),
  );
  expect(text).toContain("/session → no response after");
});

test("control and format characters are escaped", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([
      exampleSpike({
        violations: [{ ...exampleViolation, observed: "\u{1B}[2J\u{202E}all is well\nreally" }],
      }),
    ]),
  );
  expect(text).toContain(String.raw`observed \u{1b}[2J\u{202e}all is well\u{a}really`);
});

test("economics and baseline are shown if present", () => {
  const text = lines(
    renderLoadTerminal(
      exampleLoadRun([exampleProfile(), exampleIsolation()], {
        economics: exampleEconomics,
        baseline: exampleBaseline,
      }),
    ),
  );
  expect(text).toContain("this machine, one core mailproof measured 75/s 210 ms 6.9 : 1");
  expect(text).toContain("compared with 20251231T000000-base: 1 regression in 2 thresholds");
  expect(text).toContain("✗ verify-forged/efficiency: 0.95 before (0.93 to 0.96), 0.7 now, worse by 26.3 %");
  expect(text).toContain("· capacity/knee not compared: new: not in the earlier run");
});

test("the last line is the summary", () => {
  const lastOf = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);
  expect(lastOf(renderLoadTerminal(exampleLoadRun([exampleProfile(), exampleSpike()])))).toBe(
    "2 profiles in 55.0 s (1 passed, 1 violated the document): the target violated the interface document under load in spike; thresholds were missed in spike",
  );
  expect(lastOf(renderLoadTerminal(exampleLoadRun([], { isComplete: false })))).toBe(
    "0 profiles in 55.0 s: nothing was measured: the run was interrupted",
  );
});

test("the heading names a short run, the shard and the source of S", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([], {
      isShort: true,
      shard: { index: 1, count: 3, startAt: "2026-01-01T00:00:00.000Z" },
      units: { scryptMs: 40, cores: 8, isMeasured: false },
    }),
  );
  expect(text).toContain("shard 2 of 3, short: scrypt time S = 40 ms, C = 8 cores (set in the profile)");
});
