import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { DigestEngine } from "../kernel/digest-engine.ts";
import { leadingZeroBits } from "../leading-zero-bits.ts";
import { propertySettings } from "../property-settings.ts";
import type { ScryptInput } from "../scrypt-digest.ts";
import { createSearchState, endOf, isDecided, lowestUndecided } from "./search-state.ts";
import { createSharedBatches, type BatchReport, type ThreadSearch } from "./shared-batches.ts";

/** SHA-512 instead of scrypt: these tests are about which nonces are tried, not about their digests. */
const digestOf = ({ password }: Pick<ScryptInput, "password">): Uint8Array =>
  createHash("sha512").update(password).digest();

function sha512Engine(lanes: number, onBatch: (passwords: string[]) => void = () => undefined): DigestEngine {
  return {
    lanes,
    digests(inputs) {
      onBatch(inputs.map(({ password }) => Buffer.from(password).toString()));
      return inputs.map(digestOf);
    },
  };
}

const searchFor = (id: number, bits: number, changes: Partial<ThreadSearch> = {}): ThreadSearch => ({
  id,
  jti: String.fromCodePoint(97 + id),
  saltHexText: "00",
  accept: { kind: "at-least", bits },
  recipe: "document",
  from: 0n,
  prefix: "",
  suffix: "",
  state: createSearchState(2),
  ...changes,
});

function firstHit(jti: string, bits: number): number {
  const password = (nonce: number): Uint8Array => Buffer.from(`${jti}:${nonce}`);
  for (let nonce = 0; ; nonce++) {
    if (leadingZeroBits(digestOf({ password: password(nonce) })) >= bits) return nonce;
  }
}

test("a batch takes nonces from all searches in turn, and the next one starts with another search", () => {
  const batches: string[][] = [];
  const shared = createSharedBatches(
    sha512Engine(5, (passwords) => batches.push(passwords)),
    0,
  );
  for (const id of [0, 1, 2]) shared.add(searchFor(id, 512));
  shared.compute();
  shared.compute();
  expect(batches).toEqual([
    ["a:0", "b:0", "c:0", "a:1", "b:1"],
    ["b:2", "c:1", "a:2", "b:3", "c:2"],
  ]);
});

test("the lanes of a search that has ended go to the others", () => {
  const batches: string[][] = [];
  const shared = createSharedBatches(
    sha512Engine(4, (passwords) => batches.push(passwords)),
    0,
  );
  shared.add(searchFor(0, 0));
  shared.add(searchFor(1, 512));
  const [first] = shared.compute();
  const reports = shared.compute();
  expect(first).toMatchObject({ id: 0, hit: { nonce: "0", number: 0 }, tries: 2 });
  expect(batches[1]).toEqual(["b:2", "b:3", "b:4", "b:5"]);
  expect(reports.find(({ id }) => id === 0)).toMatchObject({ hit: null, tries: 0 });
});

test("a search ends at its limit", () => {
  const shared = createSharedBatches(sha512Engine(4), 0);
  const state = createSearchState(2, 6);
  shared.add(searchFor(0, 512, { state }));
  const tries = [shared.compute(), shared.compute(), shared.compute()].flat().map((report) => report.tries);
  expect(tries).toEqual([4, 2, 0]);
  expect(isDecided(state)).toBe(true);
  expect(shared.isIdle()).toBe(true);
});

test("a search that cannot be computed is reported, and the others continue", () => {
  const shared = createSharedBatches(sha512Engine(4), 0);
  // BigInt("0x") throws.
  shared.add(searchFor(0, 0, { suffix: "x", accept: { kind: "at-least", bits: 0, recipe: "hex-nonce" } }));
  shared.add(searchFor(1, 512));
  const reports = shared.compute();
  expect(reports.map(({ id, error }) => ({ id, error }))).toEqual([
    { id: 0, error: expect.any(SyntaxError) },
    { id: 1, error: undefined },
  ]);
});

test("the lowest undecided number is the lowest that any thread holds", () => {
  const state = createSearchState(2);
  const [quick, slow] = [createSharedBatches(sha512Engine(3), 0), createSharedBatches(sha512Engine(3), 1)];
  quick.add(searchFor(0, 512, { state }));
  quick.compute();
  expect(lowestUndecided(state)).toBe(3);
  // Two digests per nonce: after one batch the first three are half decided.
  slow.add(
    searchFor(0, 512, {
      state,
      accept: {
        all: [
          { kind: "at-least", bits: 0 },
          { kind: "at-least", bits: 512, recipe: "decoded-salt" },
        ],
      },
    }),
  );
  slow.compute();
  quick.compute();
  expect(lowestUndecided(state)).toBe(3);
  slow.compute();
  expect(lowestUndecided(state)).toBe(9);
});

test("two threads in any order find the first hit, and report no other before all lower nonces are tried", () => {
  const schedule = fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 30 });
  const difficulties = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
  const lanes = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }));
  fc.assert(
    fc.property(lanes, difficulties, schedule, (laneCounts, bits, order) => {
      const searches = bits.map((count, id) => searchFor(id, count));
      const threads = laneCounts.map((count, place) => createSharedBatches(sha512Engine(count), place));
      for (const thread of threads) for (const search of searches) thread.add(search);
      const first = searches.map(({ jti }, id) => firstHit(jti, bits[id] ?? 0));
      const reports: BatchReport[] = [];
      const places = [...order, 0, 1];
      for (let step = 0; threads.some((thread) => !thread.isIdle()); step++) {
        reports.push(...(threads[places[step % places.length] ?? 0]?.compute() ?? []));
        const decided = searches.filter(({ state }) => isDecided(state));
        expect(decided.map(({ state }) => endOf(state))).toEqual(decided.map(({ id }) => first[id]));
      }
      const lowest = searches.map(({ id }) =>
        Math.min(...reports.flatMap(({ id: of, hit }) => (of === id && hit !== null ? [hit.number] : []))),
      );
      expect(lowest).toEqual(first);
    }),
    { ...propertySettings, numRuns: 100 },
  );
});
