import { expect, test } from "vitest";
import type { JudgedMutant, MutantOutcome } from "./judge-mutants.ts";
import { scores, shareNoticed } from "./score.ts";

function judged(file: string, key: string, how: MutantOutcome["how"]): JudgedMutant {
  const outcome = { how, check: "TOKEN-01/code" } as MutantOutcome;
  const change = { file, line: 1, kind: "Any", original: "", replacement: "", open: undefined };
  return { id: key, key, ...change, outcome, durationMs: 1 };
}

test("mutants are counted by area, and once more for all of them", () => {
  const mutants = [
    judged("oauth/token/a.ts", "a", "fail"),
    judged("oauth/token/a.ts", "b", "warn"),
    judged("oauth/token/a.ts", "c", "unnoticed"),
    judged("pow/b.ts", "d", "hangs"),
    judged("pow/b.ts", "e", "not reached"),
    judged("signing-keys.ts", "f", "undecided"),
  ];
  const rows = scores(mutants, { c: "equal to the original", a: "explained, and noticed nevertheless" });
  expect(rows.map(({ area }) => area)).toEqual(["oauth", "pow", "service", "all"]);
  expect(rows[0]).toMatchObject({ mutants: 3, noticed: 2, warned: 1, explained: 1, unnoticed: 0 });
  expect(rows[1]).toMatchObject({ mutants: 2, noticed: 1, notReached: 1 });
  expect(rows[3]).toMatchObject({ mutants: 6, noticed: 3, explained: 1, undecided: 1, notReached: 1 });
});

test("explained mutants are left out of the share", () => {
  const [row] = scores([judged("pow/b.ts", "a", "fail"), judged("pow/b.ts", "b", "unnoticed")], {
    b: "equal",
  });
  expect(row && shareNoticed(row).share).toBe(1);
});

test("the interval is Wilson's", () => {
  // 8 of 10: 0.4902 to 0.9433.
  const mutants = Array.from({ length: 10 }, (_, at) =>
    judged("pow/b.ts", String(at), at < 8 ? "fail" : "unnoticed"),
  );
  const [row] = scores(mutants, {});
  if (row === undefined) throw new TypeError("expected a row");
  const { from, to } = shareNoticed(row);
  expect(from).toBeCloseTo(0.4902, 3);
  expect(to).toBeCloseTo(0.9433, 3);
});
