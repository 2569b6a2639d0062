import fc from "fast-check";
import { expect, test } from "vitest";
import { oneShard, shareOfConnections } from "./shard.ts";

test("all shards together open the planned connections, and none more than one more than another", () => {
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

test("the only shard opens all", () => {
  expect(shareOfConnections(16, oneShard)).toBe(16);
});
