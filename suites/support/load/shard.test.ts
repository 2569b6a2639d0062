import fc from "fast-check";
import { expect, test } from "vitest";
import { oneShard, shareOfConnections } from "./shard.ts";

test("the shards together open all connections, in shares that differ by at most one", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1000 }), fc.integer({ min: 1, max: 50 }), (connections, count) => {
      const shares = Array.from({ length: count }, (_, index) =>
        shareOfConnections(connections, { index, count }),
      );
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(connections);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
    }),
    { seed: 1 },
  );
});

test("a single shard opens all connections", () => {
  expect(shareOfConnections(16, oneShard)).toBe(16);
});
