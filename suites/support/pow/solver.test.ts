import { scrypt as nobleScrypt } from "@noble/hashes/scrypt.js";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import vectors from "../../../fixtures/vectors/pow.json" with { type: "json" };
import type { SearchCriterion } from "./criteria.ts";
import { leadingZeroBits } from "./leading-zero-bits.ts";
import { compareTries } from "./observed-tries.ts";
import { propertySettings } from "./property-settings.ts";
import { recipeOverrides } from "./recipes.ts";
import type { SearchProgress } from "./search/open-search.ts";
import { powDigest } from "./scrypt-digest.ts";
import { createSolver, SolverError } from "./solver.ts";

const known = {
  jti: "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192",
  saltHexText: "9f86d081884c7d659a2feaa0c55ad015",
};
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

// A solver process takes seconds to start on a machine with other work.

const solver = createSolver({ workers: 2 });
afterAll(() => solver.close());

test("a search from 0 finds the lowest nonce, not the first that any thread finds", async () => {
  const [{ input, expected }] = vectors.firstHits as [(typeof vectors.firstHits)[number]];
  const hit = await solver.search({ ...known, accept: { kind: "at-least", bits: input.difficulty } });
  expect(hit.nonce).toBe(expected.nonce);
  expect(hit.bits).toBe(5);
  // A batch of another thread that found nothing may be reported later.
  expect(hit.tries).toBeGreaterThan(0);
  expect(hit.powHex).toMatch(/^[0-9a-f]{128}$/);
});

interface SearchRow {
  from: number;
  accept: SearchCriterion;
  nonce: string;
  why: string;
}

test.for<SearchRow>([
  { from: 116, accept: { kind: "at-least", bits: 6 }, nonce: "121", why: "ten bits are at least six" },
  { from: 116, accept: { kind: "exactly", bits: 10 }, nonce: "121", why: "exactly ten" },
  { from: 159, accept: { kind: "exactly", bits: 6 }, nonce: "162", why: "exactly six" },
  { from: 26, accept: { kind: "exactly", bits: 5 }, nonce: "28", why: "one bit short of six" },
  {
    from: 51,
    accept: { kind: "between", min: 4, max: 5 },
    nonce: "53",
    why: "a whole digit, fewer than six",
  },
  {
    from: 12,
    accept: {
      all: [
        { kind: "fewer-than", bits: 6 },
        { kind: "at-least", bits: 6, counting: "lsb" },
      ],
    },
    nonce: "14",
    why: "bit order",
  },
  {
    from: 18,
    accept: {
      all: [
        { kind: "fewer-than", bits: 6 },
        { kind: "at-least", bits: 6, counting: "tail" },
      ],
    },
    nonce: "19",
    why: "byte order",
  },
  {
    from: 160,
    accept: {
      all: [
        { kind: "at-least", bits: 6 },
        { kind: "fewer-than", bits: 6, counting: "lsb" },
      ],
    },
    nonce: "162",
    why: "bit order, the other way round",
  },
])("a search from $from finds $nonce ($why)", async ({ from, accept, nonce }) => {
  expect((await solver.search({ ...known, from, accept })).nonce).toBe(nonce);
});

test("a search compares recipes and reports the digest of the requested one", async () => {
  const accept: SearchCriterion = {
    all: [
      { kind: "at-least", bits: 6, recipe: "decoded-salt" },
      { kind: "fewer-than", bits: 6 },
    ],
  };
  const hit = await solver.search({ ...known, from: 85, accept, recipe: "decoded-salt" });
  expect(hit).toMatchObject({ nonce: "87", bits: 7 });
  expect(hit.powHex.slice(0, 32)).toBe("01981a4cb9fd9c687a82070aab8e6bee");
});

test("a nonce can have text around it, and exceed 2^53", async () => {
  const negative = await solver.search({
    ...known,
    from: 5,
    around: { prefix: "-" },
    accept: { kind: "at-least", bits: 0 },
  });
  expect(negative.nonce).toBe("-5");
  expect(negative.powHex).toBe(hexOf(await powDigest({ ...known, nonce: "-5" })));
  const large = { ...known, nonce: "9007199254740993" };
  const rounded = { accept: { kind: "at-least", bits: 0 }, recipe: "rounded-nonce" } as const;
  const hit = await solver.search({ ...known, from: 2n ** 53n + 1n, ...rounded });
  expect(hit.nonce).toBe(large.nonce);
  expect(hit.powHex).toBe(hexOf(await powDigest({ ...large, nonce: "9007199254740992" })));
  expect(hit.powHex).toBe(hexOf(await powDigest(large, recipeOverrides("rounded-nonce", large))));
});

test("for any challenge, the solver, node:crypto and @noble/hashes agree on digest and difficulty", async () => {
  const salt = fc.uint8Array({ minLength: 8, maxLength: 32 }).map(hexOf);
  const difficulty = fc.integer({ min: 0, max: 2 });
  await fc.assert(
    fc.asyncProperty(fc.uuid(), fc.nat(), salt, difficulty, async (jti, from, saltHexText, bits) => {
      const hit = await solver.search({ jti, saltHexText, from, accept: { kind: "at-least", bits } });
      const second = nobleScrypt(`${jti}:${hit.nonce}`, saltHexText, { N: 16384, r: 8, p: 1, dkLen: 64 });
      expect(hit.powHex).toBe(hexOf(second));
      expect(hit.powHex).toBe(hexOf(await powDigest({ jti, nonce: hit.nonce, saltHexText })));
      expect(leadingZeroBits(second)).toBe(hit.bits);
      expect(hit.bits).toBeGreaterThanOrEqual(bits);
    }),
    { ...propertySettings, numRuns: 4 },
  );
});

test("searches share the threads: an endless one does not block the others", async () => {
  const abort = new AbortController();
  const endless = solver.search({ ...known, accept: { kind: "at-least", bits: 512 }, signal: abort.signal });
  const short = [116, 117, 118].map((from) =>
    solver.search({ ...known, from, accept: { kind: "at-least", bits: 6 } }),
  );
  expect((await Promise.all(short)).map((hit) => hit.nonce)).toEqual(["121", "121", "121"]);
  abort.abort(new RangeError("enough"));
  await expect(endless).rejects.toThrow("enough");
});

test("a search that reaches its limit says what it did not find", async () => {
  const search = solver.search({ ...known, accept: { kind: "at-least", bits: 512 }, limitTries: 6 });
  await expect(search).rejects.toMatchObject({
    code: "precondition-missing",
    message: "none of 6 nonces gives a digest with at least 512 zero bits (document, msb)",
  });
});

test("a recipe that cannot be applied rejects its search alone", async () => {
  // BigInt("0x") throws in the thread.
  const impossible = {
    around: { suffix: "x" },
    accept: { kind: "at-least", bits: 0, recipe: "hex-nonce" },
  } as const;
  await expect(solver.search({ ...known, ...impossible })).rejects.toThrow(SolverError);
  expect((await solver.search({ ...known, from: 7, accept: { kind: "at-least", bits: 0 } })).nonce).toBe("7");
});

test("statistics count nonces, and every digest computed for them", async () => {
  const fresh = createSolver({ workers: 1 });
  const accept: SearchCriterion = {
    all: [
      { kind: "at-least", bits: 0 },
      { kind: "at-least", bits: 512, recipe: "decoded-salt" },
    ],
  };
  await expect(fresh.search({ ...known, accept, limitTries: 3 })).rejects.toThrow("none of 3 nonces");
  const { busyMs, cpuMs, ...counts } = fresh.stats();
  await fresh.close();
  expect(counts).toEqual({ tries: 3, digests: 6, workers: 1 });
  expect(busyMs).toBeGreaterThan(0);
  expect(cpuMs).toBeGreaterThan(0);
});

test("the waits of concurrent searches have a geometric distribution", async () => {
  const fresh = createSolver({ workers: 2 });
  const hits = await Promise.all(
    Array.from({ length: 48 }, (_, id) =>
      fresh.search({ ...known, jti: `wait ${id}`, accept: { kind: "at-least", bits: 2 } }),
    ),
  );
  await fresh.search({ ...known, accept: { kind: "exactly", bits: 0 } });
  const waits = fresh.waits();
  await fresh.close();
  const byTries = (a: number, b: number): number => a - b;
  expect(waits.map(({ tries }) => tries).toSorted(byTries)).toEqual(
    hits.map(({ nonce }) => Number(nonce) + 1).toSorted(byTries),
  );
  expect(compareTries(waits)).toMatchObject({ waits: 48, expectedTries: 192, isSignificant: false });
});

test("an easy search uses a single thread", async () => {
  const fresh = createSolver({ workers: 2 });
  await fresh.search({ ...known, accept: { kind: "at-least", bits: 0 } });
  const { tries } = fresh.stats();
  await fresh.close();
  const maxLanes = 8;
  expect(tries).toBeLessThanOrEqual(maxLanes);
});

test("an aborted search leaves its thread to others", async () => {
  const solver = createSolver({ workers: 1 });
  const abort = new AbortController();
  const endless = solver.search({
    ...known,
    accept: { kind: "at-least", bits: 512 },
    signal: abort.signal,
    onProgress: () => abort.abort(new RangeError("enough")),
  });
  await expect(endless).rejects.toThrow("enough");
  const next = await solver.search({ ...known, from: 116, accept: { kind: "at-least", bits: 6 } });
  const { tries } = solver.stats();
  await solver.close();
  expect(next.nonce).toBe("121");
  // The batch that reported progress, and the one that had started when the search was aborted.
  expect(tries).toBeLessThanOrEqual(2 * 8 + next.tries);
});

test("progress includes tries, speed and expected tries", async () => {
  const solver = createSolver({ workers: 1 });
  const reported: SearchProgress[] = [];
  const accept = { kind: "at-least", bits: 6 } as const;
  const { tries } = await solver.search({
    ...known,
    from: 104,
    accept,
    onProgress: (progress) => reported.push(progress),
  });
  await solver.close();
  // 18 nonces, in batches of up to eight.
  expect(reported.length).toBeGreaterThanOrEqual(2);
  expect(reported.map((progress) => progress.expectedTries)).toEqual(reported.map(() => 64));
  expect(reported.map((progress) => progress.tries)).toEqual(
    reported.map((progress) => progress.tries).toSorted((a, b) => a - b),
  );
  expect(reported.at(-1)?.tries).toBeLessThan(tries);
  expect(reported[0]?.triesPerSecond).toBeGreaterThan(0);
});

test("closing rejects the current searches and later ones", async () => {
  const closing = createSolver({ workers: 1 });
  const endless = closing.search({ ...known, accept: { kind: "at-least", bits: 512 } });
  const [ended] = await Promise.allSettled([endless, closing.close()]);
  expect(ended).toMatchObject({ status: "rejected", reason: expect.any(SolverError) });
  await expect(closing.search({ ...known, accept: { kind: "at-least", bits: 0 } })).rejects.toThrow("closed");
});
