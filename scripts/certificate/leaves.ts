import { createHmac } from "node:crypto";
import type { Run } from "../../reports/run-format.ts";
import { leafHash } from "./merkle.ts";

/** One entry of the tree that a certificate signs. */
export interface Leaf {
  readonly kind: "run" | "requirement" | "check" | "exchange";
  /** Id or number; empty for what the run says of itself. */
  readonly name: string;
  /** JSON, letter by letter as its line of `run.json` has it, but for the comma. */
  readonly text: string;
}

/** Everything that a `run.json` holds: what the run says of itself first, then its lists. */
export function leavesOf(run: Run): Leaf[] {
  const { requirements, checks, exchanges, ...head } = run;
  return [
    { kind: "run", name: "", text: JSON.stringify(head) },
    ...requirements.map((one) => leaf("requirement", one.id, one)),
    ...checks.map((one) => leaf("check", one.id, one)),
    ...exchanges.map((one) => leaf("exchange", String(one.number), one)),
  ];
}

function leaf(kind: Leaf["kind"], name: string, value: unknown): Leaf {
  return { kind, name, text: JSON.stringify(value) };
}

/** Without its salt, an entry could be guessed from its hash: there are six verdicts. */
export function saltOf(seed: Uint8Array, index: number): Buffer {
  return createHmac("sha256", seed).update(String(index)).digest();
}

/** The hash of salt, kind, a space, and text. */
export function saltedHash(salt: Uint8Array, { kind, text }: Pick<Leaf, "kind" | "text">): Buffer {
  return leafHash(Buffer.concat([salt, Buffer.from(`${kind} ${text}`)]));
}

export function saltedHashes(leaves: readonly Leaf[], seed: Uint8Array): Buffer[] {
  return leaves.map((one, index) => saltedHash(saltOf(seed, index), one));
}

/** What an entry is called in a message. */
export function leafWords({ kind, name }: Pick<Leaf, "kind" | "name">): string {
  if (kind === "run") return "what the run says of itself";
  if (kind === "check") return `the result of ${name}`;
  return `${kind} ${name}`;
}
