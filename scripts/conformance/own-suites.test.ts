import { describe, expect, test } from "vitest";
import { check, observe, requirementOf } from "../../suites/support/judging/check.ts";
import { UsageError } from "../usage-error.ts";
import { catalogue, checkIds } from "./catalogue.ts";
import { withOwnSuites } from "./own-suites.ts";

const [takenId = ""] = checkIds(catalogue);
const takenRequirement = requirementOf(takenId);
const requirement = { level: "MUST", section: "Acme handbook, 1", statement: "It is so." };

function claim(id: string) {
  return check({ id, claim: "It is so.", act: async () => 0, assert: () => {} });
}

function adding(...exported: readonly unknown[]) {
  return withOwnSuites(
    catalogue,
    exported.map((value, at) => ({
      path: `./module-${at}.js`,
      exported: value,
      fallbackName: `module-${at}`,
    })),
  );
}

describe("checks of one's own are added", () => {
  test("an array takes the name of its file", () => {
    const own = claim(`${takenRequirement}/acme`);
    expect(adding([own]).suites.at(-1)).toEqual({ name: "module-0", checks: [own] });
  });

  test("a suite brings requirements of its own", () => {
    const { requirements } = adding({
      name: "acme",
      requirements: { "ACME-01": requirement },
      checks: [claim("ACME-01/case")],
    });
    expect(requirements.get("ACME-01")).toEqual({ id: "ACME-01", source: "own", ...requirement });
    expect(requirements.size).toBe(catalogue.requirements.size + 1);
  });

  test("a check may be about a requirement that an earlier module describes", () => {
    const first = { name: "acme", requirements: { "ACME-01": requirement }, checks: [claim("ACME-01/one")] };
    expect(
      adding(first, [claim("ACME-01/two")])
        .suites.map(({ name }) => name)
        .slice(-2),
    ).toEqual(["acme", "module-1"]);
  });
});

describe("what cannot be used is refused with the module's name", () => {
  const suite = (changes: object) => ({
    name: "acme",
    checks: [claim(`${takenRequirement}/acme`)],
    ...changes,
  });
  test.for([
    { why: "no default export", exported: undefined, says: "got no default export" },
    { why: "a function", exported: () => [], says: "got function" },
    { why: "no checks", exported: [], says: "the suite: checks: expected at least one check" },
    { why: "a mistyped member", exported: suite({ check: [] }), says: 'Unrecognized key: "check"' },
    { why: "a name with a space", exported: suite({ name: "my suite" }), says: "name: expected a name" },
    { why: "the name of a suite there is", exported: suite({ name: "pkce" }), says: "a suite pkce already" },
    { why: "a value that is not a check", exported: [{ id: "META-01/x" }], says: "checks[0] (META-01/x)" },
    {
      why: "a check without assert",
      exported: [{ ...claim(`${takenRequirement}/acme`), assert: undefined }],
      says: "assert: expected a function",
    },
    {
      why: "a check with a level of its own",
      exported: [{ ...claim(`${takenRequirement}/acme`), level: "MUST" }],
      says: 'Unrecognized key: "level"',
    },
    {
      why: "an observation without a question",
      exported: [
        {
          ...observe({ id: `${takenRequirement}/acme`, question: "", act: async () => 0, answer: () => "" }),
        },
      ],
      says: "question",
    },
    { why: "an id with spaces", exported: [claim("META-01/a b")], says: "expected an id" },
    { why: "the id of a check there is", exported: [claim(takenId)], says: `a check ${takenId} already` },
    {
      why: "one id twice",
      exported: [claim(`${takenRequirement}/acme`), claim(`${takenRequirement}/acme`)],
      says: `a check ${takenRequirement}/acme already`,
    },
    {
      why: "a requirement that does not exist",
      exported: [claim("ACME-01/case")],
      says: "requirement ACME-01, which does not exist",
    },
    {
      why: "a requirement of the document described again",
      exported: suite({ requirements: { [takenRequirement]: requirement } }),
      says: `a requirement ${takenRequirement} already`,
    },
    {
      why: "a requirement that no check is about",
      exported: suite({ requirements: { "ACME-01": requirement } }),
      says: "no check is about the requirement ACME-01",
    },
    {
      why: "a level that does not exist",
      exported: suite({ requirements: { "ACME-01": { ...requirement, level: "must" } } }),
      says: "requirements.ACME-01.level",
    },
  ])("$why", ({ exported, says }) => {
    const add = () => adding(exported);
    expect(add).toThrow(UsageError);
    expect(add).toThrow("--checks ./module-0.js: ");
    expect(add).toThrow(says);
  });
});
