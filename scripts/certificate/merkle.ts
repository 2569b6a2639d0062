import { createHash } from "node:crypto";

/**
 * Merkle trees of RFC 9162 §2.1, with SHA-256. Leaves and nodes are told apart by their first byte, and the last leaf of an
 * odd number is never repeated, so that no two lists have one root.
 */
export function leafHash(entry: Uint8Array): Buffer {
  return createHash("sha256").update(Uint8Array.of(0)).update(entry).digest();
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash("sha256").update(Uint8Array.of(1)).update(left).update(right).digest();
}

/** @param leaves - their hashes, at least one */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) throw new RangeError("a tree without leaves is never signed");
  if (leaves.length === 1) return only;
  const split = splitOf(leaves.length);
  return nodeHash(merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split)));
}

/** The hashes that lead from a leaf to the root, the leaf's neighbour first. */
export function inclusionPath(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const left = leaves.slice(0, split);
  const right = leaves.slice(split);
  return index < split
    ? [...inclusionPath(index, left), merkleRoot(right)]
    : [...inclusionPath(index - split, right), merkleRoot(left)];
}

/** RFC 9162 §2.1.3.2. */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  path: readonly Uint8Array[],
  tree: { readonly leaves: number; readonly root: Uint8Array },
): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= tree.leaves) return false;
  let position = index;
  let last = tree.leaves - 1;
  let hash: Uint8Array = leaf;
  for (const other of path) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(other, hash);
      while (position % 2 === 0 && position !== 0) {
        position /= 2;
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, other);
    }
    position = Math.floor(position / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && Buffer.compare(hash, tree.root) === 0;
}

/** The largest power of two below a number. */
function splitOf(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1));
}
