import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "../example-run.ts";
import { harmIn, hostileText } from "../hostile-text.ts";
import type { Run, RunCheck, RunVerdict } from "../run-format.ts";
import { changeOf } from "./change.ts";
import { compareRuns } from "./comparison.ts";
import { renderHtml } from "./html.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderTerminal } from "./terminal.ts";
import { headline, toneOf } from "./words.ts";

const failed = { verdict: "fail", expected: "a refusal", observed: "200" } as const;

function changed(before: Partial<RunCheck> | undefined, after: Partial<RunCheck> | undefined) {
  const change = changeOf("A-1", before && exampleCheck(before), after && exampleCheck(after));
  return change && [change.kind, change.isWorse];
}

describe("from one verdict to another", () => {
  const cases: readonly (readonly [RunVerdict, RunVerdict, string | undefined, boolean])[] = [
    ["pass", "fail", "broken", true],
    ["inconclusive", "fail", "broken", true],
    ["fail", "pass", "fixed", false],
    ["fail", "warn", "fixed", false],
    ["pass", "warn", "warned", true],
    ["warn", "pass", "improved", false],
    ["blocked", "pass", "improved", false],
    ["pass", "inconclusive", "undecided", true],
    ["warn", "blocked", "undecided", true],
    ["fail", "inconclusive", "undecided", false],
    ["inconclusive", "blocked", undefined, false],
    ["pass", "pass", undefined, false],
  ];
  test.for(cases)("%s to %s is %s", ([before, after, kind, isWorse]) => {
    expect(changed({ verdict: before }, { verdict: after })).toEqual(kind && [kind, isWorse]);
  });
});

test("what only one run judged is new or gone, and worse when it is new and fails", () => {
  expect(changed(undefined, { verdict: "pass" })).toEqual(["new", false]);
  expect(changed(undefined, failed)).toEqual(["new", true]);
  expect(changed({ verdict: "pass" }, undefined)).toEqual(["gone", false]);
});

test("a run that does not judge what the first did says nothing about it", () => {
  const judged = exampleCheck({ id: "A-2" });
  const before = exampleRun([exampleCheck({ verdict: "fail" }), judged]);
  const partial = compareRuns([before, exampleRun([judged])]);
  expect(toneOf(partial)).toBe("warning");
  expect(headline(partial)).toBe("nothing that was judged became worse; 1 check of A was not judged");
  expect(toneOf(compareRuns([before, before]))).toBe("good");
});

test("a failure that the profile knows is not worse", () => {
  expect(changed({ verdict: "pass" }, { ...failed, known: "being fixed" })).toEqual(["broken", false]);
});

test("another answer is a change, another token or time is not", () => {
  const observed = (reason: string): Partial<RunCheck> => ({ kind: "observe", verdict: "observed", reason });
  const first = observed(
    "<code 1a2b3c4d, 43 characters> after 120 ms at http://127.0.0.1:4021/cb, 2026-01-01T00:00:00Z",
  );
  const later = observed(
    "<code 99998888, 43 characters> after 98 ms at http://127.0.0.1:9999/cb, 2026-02-03T04:05:06Z",
  );
  expect(changed(first, later)).toBeUndefined();
  expect(changed(first, observed("no code"))).toEqual(["answers differently", false]);
  expect(changed(failed, { ...failed, observed: "302" })).toEqual(["fails differently", false]);
});

test("a rate of failures has changed only when the intervals have nothing in common", () => {
  const racy = (count: number, tried: number): Partial<RunCheck> => ({
    ...failed,
    reproduced: { tried, failed: count },
  });
  expect(changed(racy(10, 10), racy(1, 10))).toEqual(["fails differently", false]);
  expect(changed(racy(3, 3), racy(4, 10))).toBeUndefined();
});

test("a racy failure that passes once is noted as not known to be fixed", () => {
  const before = exampleCheck({ ...failed, reproduced: { tried: 10, failed: 3 } });
  expect(changeOf("A-1", before, exampleCheck({ verdict: "pass" }))?.note).toContain(
    "it was racy: failed 3 of 10 times that it was judged alone (30 %; 95 % interval 7 to 65 %)",
  );
});

describe("timing", () => {
  const timed = (ms: readonly number[]): Run =>
    exampleRun([], {
      exchanges: ms.map((durationMs, number) => ({ ...exampleExchange(number), durationMs })),
    });
  const around = (ms: number, count: number): number[] =>
    Array.from({ length: count }, (_, at) => ms * (0.8 + (0.4 * at) / count));
  const shifts = (before: number[], after: number[]) =>
    compareRuns([timed(before), timed(after)]).against[0]?.timing.map(({ route }) => route);

  test("is told when the middle halves do not overlap and the medians are far apart", () => {
    expect(shifts(around(20, 30), around(60, 30))).toEqual(["POST /oauth/token"]);
    expect(shifts(around(60, 30), around(20, 30))).toEqual(["POST /oauth/token"]);
  });

  test("is not told of few answers, of small differences, and of noise", () => {
    expect(shifts(around(20, 19), around(60, 19))).toEqual([]);
    expect(shifts(around(1, 30), around(3, 30))).toEqual([]);
    expect(shifts(around(60, 30), around(80, 30))).toEqual([]);
  });

  test("makes nothing worse", () => {
    expect(compareRuns([timed(around(20, 30)), timed(around(60, 30))]).isWorse).toBe(false);
  });
});

const hostileRun = fc
  .tuple(hostileText, hostileText, fc.constantFrom("fail", "observed", "warn"))
  .map(([text, other, verdict]): Run =>
    exampleRun([
      exampleCheck({
        id: "A-1/x",
        verdict,
        reason: text,
        observed: other,
        known: other,
        kind: verdict === "observed" ? "observe" : "check",
      }),
      exampleCheck({ id: "A-2/x", verdict: "inconclusive", reason: other }),
    ]),
  );
const clean = exampleRun([
  exampleCheck({ id: "A-1/x", verdict: "observed", kind: "observe", reason: "other" }),
]);

test("whatever a target says, each format shows it as text", () => {
  fc.assert(
    fc.property(hostileRun, hostileRun, (one, two) => {
      for (const runs of [
        [one, two],
        [clean, one],
        [clean, one, two],
      ]) {
        const comparison = compareRuns(runs);
        expect(harmIn(renderTerminal(comparison))).toBeUndefined();
        const markdown = renderMarkdown(comparison);
        expect(harmIn(markdown)).toBeUndefined();
        expect(marked.parse(markdown, { async: false })).not.toMatch(
          /<(?:a|img|script|iframe|em|del|input|h1)\b/u,
        );
        const page = renderHtml(comparison);
        expect(harmIn(page.replaceAll("\t", " "))).toBeUndefined();
        // Tags of ours only, and none that a browser would run or load.
        expect(page.match(/<(?:script|img|iframe|object|a(?! href="#))/gu)).toBeNull();
      }
    }),
    { seed: 7914, numRuns: 100 },
  );
});
