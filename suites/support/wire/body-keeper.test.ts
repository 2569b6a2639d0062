import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createBodyKeeper } from "./body-keeper.ts";
import { outlineOf, parseJson } from "./bounded-json.ts";
import { type Exchange, jsonMembers } from "./exchange.ts";

function answering(body: string): Exchange {
  return {
    number: 0,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 1,
    request: { method: "GET", url: "https://auth.example/", headers: [], body: "" },
    response: { status: 400, headers: [], body },
  };
}

const limits = { body: 1000, run: 2500, afterwards: 100 };

test("a body within the limit stays the same object", () => {
  const exchange = answering("x".repeat(1000));
  expect(createBodyKeeper(limits)(exchange)).toBe(exchange);
});

test("of a longer body the beginning is kept, with the length and the digest of the rest", () => {
  const kept = createBodyKeeper(limits)(answering(`${"x".repeat(999)}é${"y".repeat(500)}`));
  const rest = `é${"y".repeat(500)}`;
  expect(kept.response.body).toBe("x".repeat(999));
  expect(kept.response.cut).toEqual({
    bytes: 502,
    sha256: createHash("sha256").update(rest).digest("hex"),
  });
});

test("when the run has used up its share, bodies keep less", () => {
  const keep = createBodyKeeper(limits);
  const lengths = [1, 2, 3, 4].map(() => keep(answering("x".repeat(2000))).response.body.length);
  expect(lengths).toEqual([1000, 100, 100, 100]);
});

test("checks of the whole run still read the members of a JSON body that was cut", () => {
  const body = JSON.stringify({
    padding: "x".repeat(5000),
    error: "invalid_request",
    error_description: "why",
  });
  const kept = createBodyKeeper(limits)(answering(body));
  expect(jsonMembers(kept)).toMatchObject({ error: "invalid_request", error_description: "why" });
});

test("an outline is small, and each of its members has its type", () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`a${at}`, "x".repeat(10_000)]));
  const outline = outlineOf({ ...many, last: "end", list: [1, null, { deep: true }] });
  expect(JSON.stringify(outline).length).toBeLessThan(200_000);
  expect(outline).toMatchObject({ last: "end", list: [1, null, { deep: true }] });
});

test.for(["[", '{"a":'])("JSON nested 100,000 times with %s can be printed", (open) => {
  const close = open === "[" ? "]" : "}";
  const value = parseJson(open.repeat(100_000) + (open === "[" ? "" : "1") + close.repeat(100_000));
  expect(JSON.stringify(value).split(open).length - 1).toBe(64);
});

test("a member called __proto__ is a member", () => {
  expect(JSON.stringify(outlineOf(parseJson('{"__proto__":{"a":1}}')))).toBe('{"__proto__":{"a":1}}');
});
