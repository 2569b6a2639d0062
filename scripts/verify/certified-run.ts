import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Certificate } from "../../reports/certificate-format.ts";
import { type Leaf, leavesOf, leafWords, saltedHash, saltedHashes, saltOf } from "../certificate/leaves.ts";
import { type LeavesFile, leavesName, readLeaves } from "../certificate/leaves-file.ts";
import { merkleRoot } from "../certificate/merkle.ts";
import { firstOf } from "./outcome.ts";

/** A `run.json`, with the hashes that a certificate has of its entries. */
export interface CertifiedRun {
  readonly leaves: readonly Leaf[];
  readonly hashes: LeavesFile;
}

/** Why the entries of a run cannot be told apart. */
export interface NoHashes {
  /** Completes "since". */
  readonly why: string;
  /** There are hashes, but not those of the certificate. */
  readonly isForged: boolean;
}

/** The hashes beside a `run.json`, if they are those of the certificate. */
export function readHashes(runPath: string, evidence: Certificate["evidence"]): LeavesFile | NoHashes {
  const path = join(dirname(runPath), leavesName);
  if (!existsSync(path)) return { isForged: false, why: `${leavesName} is not beside it` };
  const hashes = readLeaves(path);
  const isOfCertificate =
    hashes !== undefined &&
    hashes.hashes.length === evidence.leaves &&
    evidence.leaves > 0 &&
    Buffer.from(merkleRoot(hashes.hashes)).toString("hex") === evidence.root;
  return isOfCertificate
    ? hashes
    : { isForged: true, why: `${leavesName} beside it is not the one of this certificate` };
}

/** Which entries of a `run.json` are not those that were certified. */
export function changedEntries({ leaves, hashes }: CertifiedRun): string[] {
  const isSame = (leaf: Leaf, index: number): boolean => {
    const certified = hashes.hashes[index];
    return certified !== undefined && saltedHash(saltOf(hashes.seed, index), leaf).equals(certified);
  };
  const shift = hashes.hashes.length - leaves.length;
  if (shift === 0)
    return firstOf(
      leaves.filter((leaf, at) => !isSame(leaf, at)).map((leaf) => `${leafWords(leaf)} was changed`),
    );
  const start = matchLength(leaves, isSame);
  const end = matchLength(leaves.slice(start).toReversed(), (leaf, at) =>
    isSame(leaf, hashes.hashes.length - 1 - at),
  );
  const others = leaves.slice(start, leaves.length - end);
  const after = leaves[start - 1];
  const place = after === undefined ? "" : ` behind ${leafWords(after)}`;
  return [
    shift > 0 ? `${entries(shift)} removed${place}` : `${entries(-shift)} added${place}`,
    ...firstOf(others.map((leaf) => `${leafWords(leaf)} was changed or added`)),
  ];
}

/** Whether the seed beside a run is the one that its hashes were made with. */
export function isSeedGenuine({ leaves, hashes }: CertifiedRun): boolean {
  return saltedHashes(leaves, hashes.seed).some((hash, at) =>
    hash.equals(hashes.hashes[at] ?? new Uint8Array()),
  );
}

function matchLength(leaves: readonly Leaf[], isSame: (leaf: Leaf, at: number) => boolean): number {
  const end = leaves.findIndex((leaf, at) => !isSame(leaf, at));
  return end === -1 ? leaves.length : end;
}

function entries(count: number): string {
  return count === 1 ? "1 entry was" : `${count} entries were`;
}

/** @returns no leaves for what is not JSON */
export function leavesOfText(text: string): Leaf[] {
  try {
    return leavesOf(JSON.parse(text));
  } catch {
    return [];
  }
}
