import { describe, expect, test } from "vitest";
import { type Level, requirements } from "../fixtures/spec/requirements.ts";
import { type Check, requirementOf, sentenceOf } from "../suites/support/judging/check.ts";
import { suites } from "./suites.ts";

const checks = suites.flatMap((suite) => suite.checks);
const longest = 160;

/** Ids of the checks that a predicate finds wanting. */
function offenders(isWrong: (check: Check) => boolean): string[] {
  return checks.filter(isWrong).map((check) => `${check.id}: ${sentenceOf(check)}`);
}

function requirementFor(check: Check): { source: "document" | "rfc"; level: Level } {
  const requirement = requirements.get(requirementOf(check.id));
  if (requirement === undefined) throw new TypeError(`${check.id} names no requirement`);
  return requirement;
}

describe("the sentence of a check", () => {
  test("is its own", () => {
    const sentences = checks.map(sentenceOf);
    expect(offenders((check) => sentences.filter((other) => other === sentenceOf(check)).length > 1)).toEqual(
      [],
    );
  });

  test("is one line of at most 160 characters", () => {
    expect(
      offenders((check) => sentenceOf(check).length > longest || /\s\s|\n/u.test(sentenceOf(check))),
    ).toEqual([]);
  });

  test("begins with a capital letter, a digit or a code span", () => {
    expect(offenders((check) => !/^[A-Z0-9`]/u.test(sentenceOf(check)))).toEqual([]);
  });

  test("ends with a full stop when it claims, and with a question mark when it asks", () => {
    expect(offenders((check) => !sentenceOf(check).endsWith(check.kind === "observe" ? "?" : "."))).toEqual(
      [],
    );
  });

  test("has its code spans closed", () => {
    expect(offenders((check) => (sentenceOf(check).split("`").length - 1) % 2 !== 0)).toEqual([]);
  });
});

describe("the kind of a check follows from its requirement", () => {
  const advisory: readonly Level[] = ["SHOULD", "MAY"];

  test("what an RFC alone asks for is recommended or observed", () => {
    expect(offenders((check) => requirementFor(check).source === "rfc" && check.kind === "check")).toEqual(
      [],
    );
  });

  test("what the document demands is not a recommendation", () => {
    expect(
      offenders((check) => {
        const { source, level } = requirementFor(check);
        return check.kind === "recommend" && source === "document" && !advisory.includes(level);
      }),
    ).toEqual([]);
  });
});
