import { z } from "zod";
import type { Certificate } from "../../reports/certificate-format.ts";
import { decodeBase64 } from "../certificate/base64.ts";
import { type Leaf, leafWords, saltedHash, saltOf } from "../certificate/leaves.ts";
import { inclusionPath, isIncluded } from "../certificate/merkle.ts";
import { parseStrictJson } from "../certificate/strict-json.ts";
import { UsageError } from "../usage-error.ts";
import type { CertifiedRun } from "./certified-run.ts";
import type { Outcome } from "./outcome.ts";

const base64 = z.string().transform((text, context) => {
  const bytes = decodeBase64(text);
  if (bytes?.length === 32) return bytes;
  context.addIssue({ code: "custom", message: "expected 32 bytes in base64url" });
  return z.NEVER;
});

const schema = z.strictObject({
  format: z.literal("mailproof-extract/1"),
  entries: z.array(
    z.strictObject({
      index: z.number().int().min(0),
      kind: z.enum(["run", "requirement", "check", "exchange"]),
      salt: base64,
      text: z.string(),
      path: z.array(base64),
    }),
  ),
});

/** Entries of a certified run that are shown without the others: each with its salt, and its path to the root. */
export type Extract = z.infer<typeof schema>;

/** @returns undefined for what is not an extract */
export function parseExtract(text: string): Extract | undefined {
  try {
    return schema.parse(parseStrictJson(text));
  } catch {
    // Its caller says what was expected.
    return undefined;
  }
}

/**
 * The result of a check, its requirement and its exchanges.
 *
 * @throws {UsageError} when the run has no such result
 */
export function extractOf({ leaves, hashes }: CertifiedRun, checkId: string): Extract {
  const check = leaves.find(({ kind, name }) => kind === "check" && name === checkId);
  if (check === undefined) throw new UsageError(`the run has no result of ${checkId}`);
  const { requirement, exchanges } = shownCheck.parse(JSON.parse(check.text));
  const numbers = new Set(exchanges.map(({ number }) => String(number)));
  const belongs = (leaf: Leaf): boolean =>
    leaf === check ||
    (leaf.kind === "requirement" && leaf.name === requirement.id) ||
    (leaf.kind === "exchange" && numbers.has(leaf.name));
  return {
    format: "mailproof-extract/1",
    entries: leaves.flatMap((leaf, index) =>
      belongs(leaf)
        ? [
            {
              index,
              kind: leaf.kind,
              salt: saltOf(hashes.seed, index),
              text: leaf.text,
              path: inclusionPath(index, hashes.hashes),
            },
          ]
        : [],
    ),
  };
}

export function extractText(extract: Extract): string {
  const spelled = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
  const entries = extract.entries.map((one) => ({
    ...one,
    salt: spelled(one.salt),
    path: one.path.map(spelled),
  }));
  return `${JSON.stringify({ ...extract, entries }, undefined, 2)}\n`;
}

export function verifyExtract(path: string, extract: Extract, evidence: Certificate["evidence"]): Outcome {
  const tree = { leaves: evidence.leaves, root: Buffer.from(evidence.root, "hex") };
  const isCertified = (one: Extract["entries"][number]): boolean =>
    isIncluded(saltedHash(one.salt, one), one.index, one.path, tree);
  return {
    proved: extract.entries.filter(isCertified).map((one) => `${provedWords(one)}.`),
    broken: [
      ...(extract.entries.length === 0 ? [`${path} holds no entries`] : []),
      ...extract.entries
        .filter((one) => !isCertified(one))
        .map(
          (one) =>
            `${path}: ${entryWords(one)} is not as certified: its text, salt, number or path was changed`,
        ),
    ],
  };
}

/** What is needed of a result to show it. */
export const shownCheck = z.looseObject({
  id: z.string(),
  sentence: z.string(),
  verdict: z.string(),
  observed: z.string().exactOptional(),
  requirement: z.looseObject({ id: z.string() }),
  exchanges: z.array(z.looseObject({ number: z.number() })),
});

/** What is proved by an entry that is included. */
function provedWords(entry: Extract["entries"][number]): string {
  const place = `entry ${entry.index + 1}, by a path of ${entry.path.length} hashes`;
  const check = entry.kind === "check" ? shownCheck.safeParse(JSON.parse(entry.text)).data : undefined;
  if (check === undefined) return `${entryWords(entry)} is as certified (${place})`;
  return `${resultWords(check)} (${place})`;
}

/** `REDIR-08/upper-case-host: pass. A host in upper case is refused.` */
export function resultWords({ id, verdict, sentence, observed }: z.infer<typeof shownCheck>): string {
  const answer = observed === undefined ? "" : ` Observed: ${observed}`;
  return `${id}: ${verdict}. ${sentence}${answer}`;
}

function entryWords({ kind, text, index }: Extract["entries"][number]): string {
  try {
    const content: unknown = JSON.parse(text);
    const { number, id } = z
      .looseObject({ number: z.number().optional(), id: z.string().optional() })
      .parse(content);
    return leafWords({ kind, name: String(number ?? id ?? "") });
  } catch {
    // The text was changed: it has only its place.
    return `entry ${index + 1}`;
  }
}
