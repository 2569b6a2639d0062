import { expect, test } from "vitest";
import { exampleCheck } from "../../reports/example-run.ts";
import { catalogue, checkIds } from "../conformance/catalogue.ts";
import { compareFingerprints, compareResults } from "./rerun.ts";
import { drawSample, oddsOfFinding, parseShare } from "./sample.ts";

const ids = checkIds(catalogue);

test("a sample holds every check of account takeover, and so many of the others, each once", () => {
  const { always, drawn, from } = drawSample(ids, 0.05);
  expect(always).toEqual(
    expect.arrayContaining(["REDIR-08/upper-case-host", "CODE-02", "PKCE-09/document-plain"]),
  );
  expect(always.length + from).toBe(ids.length);
  expect(drawn).toHaveLength(Math.ceil(0.05 * from));
  expect(new Set([...always, ...drawn]).size).toBe(always.length + drawn.length);
});

test("two samples differ", () => {
  expect(drawSample(ids, 0.05).drawn).not.toEqual(drawSample(ids, 0.05).drawn);
});

test("all of them, when all are asked for", () => {
  const { always, drawn } = drawSample(ids, 1);
  expect(new Set([...always, ...drawn])).toEqual(new Set(ids));
});

// 1 - C(N - k, n) / C(N, n), computed with whole numbers.
test.for([
  { falseResults: 1, percent: 5 },
  { falseResults: 10, percent: 40 },
  { falseResults: 20, percent: 64 },
  { falseResults: 45, percent: 90 },
])("60 of 1200 find one of $falseResults false results in $percent %", ({ falseResults, percent }) => {
  const sample = { always: [], drawn: Array.from({ length: 60 }, String), from: 1200 };
  expect(Math.round(100 * oddsOfFinding(falseResults, sample))).toBe(percent);
});

test.for([
  { text: "5%", share: 0.05 },
  { text: "12.5 %", share: 0.125 },
  { text: "100", share: 1 },
])("$text is $share", ({ text, share }) => {
  expect(parseShare(text)).toBe(share);
});

test.for(["0%", "101%", "five", "-5%", ""])("%s is not a share", (text) => {
  expect(() => parseShare(text)).toThrow("expected a share such as 5%");
});

test("what fails or newly warns is not reproduced, and what could not be judged was not tried", () => {
  const checks = [
    exampleCheck({ id: "A" }),
    exampleCheck({ id: "B", verdict: "warn" }),
    exampleCheck({ id: "C", verdict: "warn" }),
    exampleCheck({ id: "D", verdict: "fail", observed: "200" }),
    exampleCheck({ id: "E", verdict: "inconclusive", reason: "no answer" }),
  ];
  expect(compareResults(["A", "B", "C", "D", "E", "F"], checks, new Set(["B"]))).toEqual({
    reproduced: 2,
    notReproduced: ["C: warn", "D: fail: 200"],
    untried: [
      "E: inconclusive: no answer",
      "F: not run; the profile lacks a key, or the run was interrupted",
    ],
  });
});

test("a target is compared in what the certificate knows of it", () => {
  const certified = { issuer: "https://a.example", metadataSha256: "a", jwkThumbprints: ["k"] };
  expect(compareFingerprints(certified, certified)).toEqual({
    proved: ["As certified: the issuer, the metadata, the signing keys."],
    notReproduced: [],
  });
  expect(compareFingerprints(certified, { issuer: "https://b.example", metadataSha256: "a" })).toEqual({
    proved: ["As certified: the metadata."],
    notReproduced: [
      "the issuer: not as certified",
      "the signing keys: not as certified; they may have been renewed",
    ],
  });
});
