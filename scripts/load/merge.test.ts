import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LoadFormatError, type LoadRun, parseLoadRun } from "../../reports/load-format.ts";
import { UsageError } from "../usage-error.ts";
import { exampleShards } from "./example-shards.ts";
import { mergeShards } from "./merge.ts";
import { findLoadProfile } from "./select-profiles.ts";

function shardsOf(name: string): LoadRun[] {
  const profile = findLoadProfile(name);
  if (profile === undefined) throw new TypeError(`there is no load profile ${name}`);
  return exampleShards(profile, 2);
}

/** Reads and merges, as the command does. */
function merge(texts: readonly string[]): LoadRun {
  return mergeShards(
    texts.map((text, at) => ({ path: `${at}.json`, run: parseLoadRun(text, `${at}.json`) })),
    findLoadProfile,
  );
}

const isolation = shardsOf("isolation").map((shard) => JSON.stringify(shard));

test.for(["isolation", "challenge", "replay"])("sound shards of %s are merged", (name) => {
  const merged = merge(shardsOf(name).map((shard) => JSON.stringify(shard)));
  expect(merged.profiles).toMatchObject([{ name }]);
  expect(merged).not.toHaveProperty("shard");
});

/** One shard of two with a part replaced, the path such as `profiles.0.phases.1.seconds`. */
function crafted(path: string, json: string | undefined): string {
  return replaced(isolation[0] ?? "", path.split("."), json);
}

/** @param json - as text, because `1e999` is not a value of JavaScript's JSON; undefined to leave the part out */
function replaced(text: string, path: readonly string[], json: string | undefined): string {
  const placeholder = "\u{E000}";
  const whole: unknown = JSON.parse(text);
  const last = path.at(-1) ?? "";
  const parent = path.slice(0, -1).reduce((value, name) => Reflect.get(Object(value), name), whole);
  if (json === undefined) Reflect.deleteProperty(Object(parent), last);
  else Reflect.set(Object(parent), last, placeholder);
  return JSON.stringify(whole).replace(JSON.stringify(placeholder), () => json ?? "");
}

/** Base64 that decodes to a histogram with this header and content. */
function encodedHistogram(
  counts: ArrayLike<number>,
  { highest = 100_000n, length = counts.length } = {},
): string {
  const plain = Buffer.alloc(40 + counts.length);
  plain.writeInt32BE(0x1c849313, 0);
  plain.writeInt32BE(length, 4);
  plain.writeInt32BE(3, 12);
  plain.writeBigInt64BE(1n, 16);
  plain.writeBigInt64BE(highest, 24);
  Buffer.from(counts).copy(plain, 40);
  const body = deflateSync(plain);
  const head = Buffer.alloc(8);
  head.writeInt32BE(0x1c849314, 0);
  head.writeInt32BE(body.length, 4);
  return Buffer.concat([head, body]).toString("base64");
}

const row = "profiles.0.phases.1.streams.0.rows.1";
const hugeRun = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];

describe("a crafted shard is refused, and the message names what is wrong", () => {
  test.for([
    { why: "a path as its id", path: "id", json: '"../../../tmp/x"', says: "id: expected letters" },
    { why: "another target", path: "target.apiUrl", json: '"https://a.example"', says: "different target" },
    { why: "another version", path: "suite.version", json: '"0.0.1"', says: "another version of mailproof" },
    { why: "an infinite number of shards", path: "shard.count", json: "1e999", says: "shard.count" },
    { why: "too many shards", path: "shard.count", json: "100000", says: "shard.count" },
    { why: "an index beyond the last", path: "shard.index", json: "7", says: "beyond the last, 2" },
    {
      why: "a plan without phases",
      path: "profiles.0.phases",
      json: "[]",
      says: "expected 4 phases, found 0",
    },
    {
      why: "another phase",
      path: "profiles.0.phases.1.name",
      json: '"\\u001b[2K"',
      says: "before: its name: expected before, found another",
    },
    {
      why: "a phase that was cut short",
      path: "profiles.0.phases.2.seconds",
      json: "1",
      says: "saturated: its seconds: expected 12, found 1",
    },
    {
      why: "a lower rate",
      path: "profiles.0.phases.2.streams.0.ratePerSecond",
      json: "1",
      says: "ratePerSecond: expected 50, found 1",
    },
    {
      why: "fewer connections",
      path: "profiles.0.phases.2.streams.2.connections",
      json: "1",
      says: "verify-forged: connections: expected 16, found 1",
    },
    {
      why: "no rows",
      path: "profiles.0.phases.2.streams.2.rows",
      json: "[]",
      says: "whether requests were sent: expected true, found false",
    },
    {
      why: "a count that its histogram does not have",
      path: `${row}.planned`,
      json: "9000",
      says: "the count of its latencies: expected 9000, found 50",
    },
    {
      why: "statuses that do not add up",
      path: `${row}.statuses.200`,
      json: "49",
      says: "the sum of its statuses: expected 50, found 49",
    },
    { why: "a status that is none", path: `${row}.statuses`, json: '{"__proto__":50}', says: "statuses" },
    { why: "a second that would take up the memory", path: `${row}.second`, json: "1e11", says: "second" },
    {
      why: "failures without rows",
      path: "profiles.0.phases.1.streams.0.failures.reset",
      json: "1",
      says: "the sum of its failures: expected 0, found 1",
    },
    {
      why: "a histogram that is none",
      path: `${row}.latency`,
      json: '"AAAA"',
      says: "the count of its latencies: expected 50, found -1",
    },
    {
      why: "a histogram that says it is longer than it is",
      path: `${row}.latency`,
      json: JSON.stringify(encodedHistogram([2], { length: 2 ** 31 - 1 })),
      says: "expected 50, found -1",
    },
    {
      why: "a histogram with empty buckets without end",
      path: `${row}.latency`,
      json: JSON.stringify(encodedHistogram(hugeRun)),
      says: "expected 50, found -1",
    },
    {
      why: "a histogram with buckets for hundreds of years",
      path: `${row}.latency`,
      json: JSON.stringify(encodedHistogram([2], { highest: 2n ** 62n })),
      says: "expected 50, found -1",
    },
    {
      why: "a histogram that inflates to 2 MB",
      path: `${row}.latency`,
      json: JSON.stringify(encodedHistogram(new Uint8Array(2e6))),
      says: "expected 50, found -1",
    },
    {
      why: "a verdict without its violation",
      path: "profiles.0.verdict",
      json: '"violated"',
      says: "the verdict is violated with 0 violations",
    },
    {
      why: "reasons to be invalid",
      path: "profiles.0.invalid",
      json: '[{"cause":"machine","text":"\\u001b[2K"}]',
      says: String.raw`is invalid: "\u001b[2K"`,
    },
    { why: "an unknown load profile", path: "profiles.0.name", json: '"x"', says: "different load profile" },
    { why: "no load profile", path: "profiles", json: "[]", says: "different load profile" },
    { why: "cores that are none", path: "units.cores", json: "0", says: "units.cores" },
  ])("$why", ({ path, json, says }) => {
    expect(() => merge([crafted(path, json), isolation[1] ?? ""])).toThrow(says);
  });
});

test("a baseline in a shard does not count", () => {
  const baseline = { id: "x", comparisons: [] };
  const merged = merge([crafted("baseline", JSON.stringify(baseline)), isolation[1] ?? ""]);
  expect(merged).not.toHaveProperty("baseline");
});

/** Every part of a JSON value, members of arrays aside: without a row another one would be in its place. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(Array.isArray(value) ? [] : [[...path, name]]),
    ...pathsIn(member, [...path, name]),
  ]);
}

// What a generator says of itself, and not of the target.
const describesGenerator =
  /^(?:id|startedAt|durationMs|suite\.node|machine\.\w+|shard\.startAt|profiles\.0\.(?:question|phases\.\d\.(?:startedAt|health.*)))$/u;

const mutations = [
  undefined,
  ..."1e999 -1 0 3.5 9007199254740993 1e11 null true false [] {} [{}]".split(" "),
  ...["../../x", "", "\u{1B}[2K\u{202E}", "::error::x", "2026-01-01T00:00:00.000Z", "200"].map((text) =>
    JSON.stringify(text),
  ),
  '{"__proto__":1}',
];

const mutation = fc.record({
  path: fc.constantFrom(...pathsIn(JSON.parse(isolation[0] ?? ""))),
  json: fc.constantFrom(...mutations),
});

/** What came of merging: a run, or the message with which it was refused. */
function outcomeOf(texts: readonly string[]): { merged?: LoadRun; refusal: string } {
  try {
    return { merged: merge(texts), refusal: "" };
  } catch (error) {
    if (error instanceof UsageError || error instanceof LoadFormatError) return { refusal: error.message };
    throw error;
  }
}

test("no mutation of one shard passes, except in what it says of its generator", () => {
  fc.assert(
    fc.property(mutation, ({ path, json }) => {
      const mutated = replaced(isolation[0] ?? "", path, json);
      fc.pre(mutated !== isolation[0]);
      const { merged, refusal } = outcomeOf([mutated, isolation[1] ?? ""]);
      expect(merged === undefined || describesGenerator.test(path.join("."))).toBe(true);
      expect(merged?.id ?? "x").toMatch(/^[\w-]+$/u);
      expect(refusal).not.toMatch(/(?!\n)\p{Cc}|\u{202E}|^::/mu);
    }),
    { seed: 1, numRuns: 400 },
  );
});

test("no mutation of all shards alike passes in their plan or their counts", () => {
  fc.assert(
    fc.property(mutation, ({ path, json }) => {
      const mutated = isolation.map((text) => replaced(text, path, json));
      fc.pre(mutated[0] !== isolation[0] && path[0] === "profiles");
      const { merged } = outcomeOf(mutated);
      expect(merged === undefined || describesGenerator.test(path.join("."))).toBe(true);
    }),
    { seed: 1, numRuns: 400 },
  );
});
