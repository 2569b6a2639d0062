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

test("a profile has its verdict, its question and a line a measured stream", () => {
  const text = lines(renderLoadTerminal(exampleLoadRun([exampleIsolation()])));
  expect(text).toContain("✓ isolation: holds");
  expect(text).toContain(
    "Does cheap traffic stay fast while proofs of work are being verified on every core?",
  );
  expect(text.filter((line) => line.includes("warm-up"))).toEqual([]);
  expect(text.find((line) => line.startsWith("before challenge"))).toMatch(
    /^before challenge 100 \S+ [\d.]+ \S+ · ·$/u,
  );
  expect(text.find((line) => line.startsWith("verify-forged"))).toMatch(/ ~[\d,]+ \S+ · · 0\.93$/u);
});

test("a p99 of fewer than a thousand answers is marked and explained, others are not", () => {
  const rough = renderLoadTerminal(exampleLoadRun([exampleProfile()]));
  expect(rough).toMatch(/ ~\d/u);
  expect(rough).toContain("~ of fewer than 1,000 answers");
  const phases = exampleIsolation().phases.slice(1, 2);
  const fine = renderLoadTerminal(exampleLoadRun([exampleIsolation({ phases })]));
  expect(fine).not.toContain("~");
});

test.for([
  {
    verdict: "pass",
    mark: "✓ Verifications",
    says: "held: 0.94 (95 % interval 0.92 to 0.95); the limit is at least 0.8",
  },
  { verdict: "warn", mark: "! Verifications", says: "warning: 0.94" },
  { verdict: "missed", mark: "✗ Verifications", says: "missed: 0.94" },
] as const)("a threshold with $verdict says $says", ({ verdict, mark, says }) => {
  const text = renderLoadTerminal(
    exampleLoadRun([exampleProfile({ thresholds: [exampleThreshold({ verdict })] })]),
  );
  expect(text).toContain(mark);
  expect(text).toContain(says);
});

test("a threshold that was not judged says why", () => {
  const {
    value: _,
    interval: __,
    ...without
  } = exampleThreshold({ verdict: "not-judged", reason: "12 answers" });
  const text = renderLoadTerminal(exampleLoadRun([exampleProfile({ thresholds: [without] })]));
  expect(text).toContain("not judged: 12 answers; the limit is at least 0.8");
});

test("what was measured badly says why, and its figures are void", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([
      exampleProfile({
        verdict: "invalid",
        invalid: [{ cause: "machine", text: "a noisy machine; use a quiet one" }],
      }),
    ]),
  );
  expect(text).toContain("? verify-forged: measured badly, no verdict");
  expect(text).toContain("? a noisy machine; use a quiet one");
  expect(text).toContain("void: 0.94");
  expect(text).not.toContain("✓");
});

test("a violation shows both sides and its first exchange", () => {
  const text = renderLoadTerminal(exampleLoadRun([exampleSpike()]));
  expect(text).toContain("✗ replay-at-once, 3 times\n      expected one session");
  expect(text).toContain("observed 2 of 4 copies opened one");
  expect(text).toContain("POST https://auth.example/api/v1/session → 200 after 43.2 ms");
});

test("a request without an answer has no status", () => {
  const exchanges = exampleViolation.exchanges.map((exchange) => ({
    ...exchange,
    response: { status: 0, headers: [], body: "" },
  }));
  const text = renderLoadTerminal(
    exampleLoadRun([exampleSpike({ violations: [{ ...exampleViolation, exchanges }] })]),
  );
  expect(text).toContain("/session → no answer after");
});

test("what a target answers cannot move the cursor", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([
      exampleSpike({ violations: [{ ...exampleViolation, observed: "\u{1B}[2Jall is well\nreally" }] }),
    ]),
  );
  expect(text).toContain("observed \u{FFFD}[2Jall is well\u{FFFD}really");
});

test("economics and baseline have their blocks when the run has them", () => {
  const text = lines(
    renderLoadTerminal(
      exampleLoadRun([exampleProfile(), exampleIsolation()], {
        economics: exampleEconomics,
        baseline: exampleBaseline,
      }),
    ),
  );
  expect(text).toContain("this machine, one core mailproof measured 75/s 210 ms 6.9 : 1");
  expect(text).toContain("compared with 20251231T000000-base: 1 regression in 2 figures");
  expect(text).toContain("✗ verify-forged/efficiency: 0.95 before (0.93 to 0.96), 0.7 now, worse by 26.3 %");
  expect(text).toContain("· capacity/knee not compared: new: the earlier run does not have it");
});

test("the last line says it all", () => {
  const lastOf = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);
  expect(lastOf(renderLoadTerminal(exampleLoadRun([exampleProfile(), exampleSpike()])))).toBe(
    "2 profiles in 55.0 s (1 held, 1 violated): the target broke the interface document under load, in spike; thresholds were missed in spike",
  );
  expect(lastOf(renderLoadTerminal(exampleLoadRun([], { isComplete: false })))).toBe(
    "0 profiles in 55.0 s: nothing was measured: the run was interrupted",
  );
});

test("a short run, a shard and where S comes from are said", () => {
  const text = renderLoadTerminal(
    exampleLoadRun([], {
      isShort: true,
      shard: { index: 1, count: 3, startAt: "2026-01-01T00:00:00.000Z" },
      units: { scryptMs: 40, cores: 8, isMeasured: false },
    }),
  );
  expect(text).toContain("shard 2 of 3, short: one scrypt S = 40 ms, C = 8 cores (as the profile says)");
});
