import { createHmac } from "node:crypto";
import { leafHash } from "./merkle.ts";

/** One entry of the tree that a certificate signs. */
export interface Leaf {
  readonly kind: "run" | "requirement" | "check" | "exchange";
  /** Id or number; empty for what the run says of itself. */
  readonly name: string;
  /** JSON, letter by letter as its line of `run.json` has it, but for the comma. */
  readonly text: string;
}

/**
 * Everything that a `run.json` holds: what the run says of itself first, then its lists.
 *
 * @param content - as it was parsed: a schema would reorder members
 */
export function leavesOf(content: unknown): Leaf[] {
  if (typeof content !== "object" || content === null) return [];
  const { requirements, checks, exchanges, ...head } = content as Readonly<Record<string, unknown>>;
  return [
    { kind: "run", name: "", text: JSON.stringify(head) },
    ...listOf("requirement", requirements),
    ...listOf("check", checks),
    ...listOf("exchange", exchanges),
  ];
}

function listOf(kind: Leaf["kind"], items: unknown): Leaf[] {
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => ({ kind, name: nameOf(item), text: JSON.stringify(item) }));
}

/** The number of an exchange, the id of all else. */
function nameOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return "";
  const name: unknown = "number" in item ? item.number : Reflect.get(item, "id");
  return typeof name === "string" || typeof name === "number" ? String(name) : "";
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
