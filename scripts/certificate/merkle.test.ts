import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { inclusionPath, isIncluded, leafHash, merkleRoot } from "./merkle.ts";

const entries = Array.from({ length: 64 }, (_, at) => leafHash(Buffer.from(`entry ${at}`)));

/** The definition of RFC 9162 §2.1.1, written once more. */
function hash(...parts: Uint8Array[]): Buffer {
  return createHash("sha256").update(Buffer.concat(parts)).digest();
}

test("the tree of seven leaves of RFC 9162 §2.1.5", () => {
  const [a, b, c, d, e, f, j] = entries as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  const one = Uint8Array.of(1);
  const [g, h, i] = [hash(one, a, b), hash(one, c, d), hash(one, e, f)];
  const [k, l] = [hash(one, g, h), hash(one, i, j)];
  const seven = entries.slice(0, 7);
  expect(merkleRoot(seven)).toEqual(hash(one, k, l));
  expect(inclusionPath(0, seven)).toEqual([b, h, l]);
  expect(inclusionPath(3, seven)).toEqual([c, g, l]);
  expect(inclusionPath(4, seven)).toEqual([f, j, k]);
  expect(inclusionPath(6, seven)).toEqual([i, k]);
});

test("all paths of trees of up to 64 leaves lead to their root, and no other leaf, place or path does", () => {
  const other = leafHash(Buffer.from("other"));
  let right = 0;
  let wrong = 0;
  for (let count = 1; count <= entries.length; count += 1) {
    const leaves = entries.slice(0, count);
    const tree = { leaves: count, root: merkleRoot(leaves) };
    for (const [index, leaf] of leaves.entries()) {
      const path = inclusionPath(index, leaves);
      if (isIncluded(leaf, index, path, tree)) right += 1;
      const others = [...leaves.keys()].filter((place) => place !== index);
      const attempts = [
        isIncluded(other, index, path, tree),
        isIncluded(leaf, index, [...path, other], tree),
        count > 1 && isIncluded(leaf, index, path.slice(1), tree),
        ...others.map((place) => isIncluded(leaf, place, path, tree)),
      ];
      wrong += attempts.filter(Boolean).length;
    }
  }
  expect({ right, wrong }).toEqual({ right: 2080, wrong: 0 });
});

test("a repeated last leaf makes another root", () => {
  const [a, b, c] = entries as [Buffer, Buffer, Buffer];
  expect(merkleRoot([a, b, c])).not.toEqual(merkleRoot([a, b, c, c]));
});

test.for([-1, 7, 1.5, NaN, 2 ** 53])("%s is not a place among seven leaves", (index) => {
  const seven = entries.slice(0, 7);
  const tree = { leaves: 7, root: merkleRoot(seven) };
  expect(isIncluded(leafHash(Buffer.from("x")), index, [], tree)).toBe(false);
});
