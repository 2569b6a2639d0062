import { leadingZeroBits } from "./leading-zero-bits.ts";
import { countingMistakes, digestMistakes } from "./mistakes.ts";
import { documentInput, powDigest, type PowInput, type ScryptInput } from "./scrypt-digest.ts";
import { type DigestMatch, matchDigest, readWrittenDigest } from "./written-digest.ts";

/** A solution as a client sends it, and its challenge. */
export interface Answer extends PowInput {
  difficultyBits: number;
  powHex: string;
}

/** A known mistake that explains the answer. */
export interface MistakeFound {
  id: string;
  description: string;
  /** Probability that it fits a random digest; absent when that is negligible. */
  chance?: number;
}

export interface Diagnosis {
  isValid: boolean;
  /** What is wrong, by the document. Empty when it is valid. */
  problems: readonly string[];
  /** Empty when the answer is valid, or no known mistake explains it. */
  mistakes: readonly MistakeFound[];
  /** The correct digest of this nonce. */
  digest: Uint8Array;
}

/**
 * Checks a solution against the document ("Authentication", proof-of-work path 2) and finds known mistakes that explain it.
 * A mistake in computing the digest, one in encoding it and one in counting its bits can be found together; two mistakes in
 * computing it cannot.
 */
export async function diagnose(answer: Answer): Promise<Diagnosis> {
  const digest = await powDigest(answer);
  const problems = [...nonceProblems(answer.nonce), ...powHexProblems(answer, digest)];
  return {
    isValid: problems.length === 0,
    problems,
    mistakes: problems.length === 0 ? [] : await mistakesOf(answer, digest),
    digest,
  };
}

const decimal = /^\d+$/u;

function nonceProblems(nonce: string): string[] {
  if (decimal.test(nonce)) return [];
  return [`the nonce ${JSON.stringify(nonce)} is not a non-negative decimal integer`];
}

function powHexProblems({ powHex, difficultyBits }: Answer, digest: Uint8Array): string[] {
  const problems: string[] = [];
  if (powHex.length !== 128) {
    problems.push(`powHex has ${powHex.length} characters; expected 128 hexadecimal digits`);
  } else if (!/^[0-9a-f]*$/u.test(powHex)) {
    problems.push("powHex has characters other than 0 to 9 and a to f");
  }
  const { bytes } = readWrittenDigest(powHex);
  if (bytes === null || matchDigest(bytes, digest) !== "same") {
    problems.push("powHex is not the scrypt digest of <jti>:<nonce>");
  }
  const bits = leadingZeroBits(digest);
  if (bits < difficultyBits) {
    problems.push(
      `the digest of this nonce has ${bits} leading zero ${bits === 1 ? "bit" : "bits"}; at least ${difficultyBits} are required`,
    );
  }
  return problems;
}

async function mistakesOf(answer: Answer, digest: Uint8Array): Promise<MistakeFound[]> {
  const { bytes, mistakes: writing } = readWrittenDigest(answer.powHex);
  if (bytes === null) return [];
  const match = matchDigest(bytes, digest);
  const origin = match === null ? await findOrigin(bytes, answer) : { causes: [], digest, match };
  if (origin === null) return [];
  return [
    ...origin.causes,
    ...writing,
    ...matchMistakes(origin.match, bytes),
    ...countingMistakesOf(origin.digest, answer),
  ];
}

interface Origin {
  causes: MistakeFound[];
  digest: Uint8Array;
  match: DigestMatch;
}

/** scrypt evaluations in parallel: libuv's thread pool has four threads by default. */
const batchSize = 4;

/** The known mistakes that produce the given digest. Those that hash the same input are tried once and reported together. */
async function findOrigin(given: Uint8Array, answer: Answer): Promise<Origin | null> {
  const candidates = candidatesFor(answer);
  for (let at = 0; at < candidates.length; at += batchSize) {
    const origins = await Promise.all(
      candidates.slice(at, at + batchSize).map(async ({ input, causes }): Promise<Origin | null> => {
        const digest = await powDigest(answer, input);
        const match = matchDigest(given, digest);
        return match === null ? null : { causes, digest, match };
      }),
    );
    const found = origins.find((origin) => origin !== null);
    if (found) return found;
  }
  return null;
}

interface Candidate {
  input: ScryptInput;
  causes: MistakeFound[];
}

/** In the order of the table, without those that change nothing here, such as upper-casing a salt without letters. */
function candidatesFor(answer: Answer): Candidate[] {
  const document = documentInput(answer);
  const candidates = new Map<string, Candidate>();
  for (const { id, description, needsDecimalNonce, overrides } of digestMistakes) {
    if (needsDecimalNonce && !decimal.test(answer.nonce)) continue;
    const input = { ...document, ...overrides(answer) };
    const candidate = candidates.get(fingerprint(input)) ?? { input, causes: [] };
    candidate.causes.push({ id, description });
    candidates.set(fingerprint(input), candidate);
  }
  candidates.delete(fingerprint(document));
  return [...candidates.values()];
}

function fingerprint({ password, salt, ...cost }: ScryptInput): string {
  return JSON.stringify([Buffer.from(password).toString("hex"), Buffer.from(salt).toString("hex"), cost]);
}

function matchMistakes(match: DigestMatch, given: Uint8Array): MistakeFound[] {
  switch (match) {
    case "same":
      return [];
    case "shorter":
    case "longer":
      return [
        {
          id: "digest-length",
          description: `the digest has ${given.length} bytes instead of 64`,
        },
      ];
    case "reversed":
      return [{ id: "reversed", description: "little-endian: the bytes of the digest are reversed" }];
  }
}

function countingMistakesOf(digest: Uint8Array, answer: Answer): MistakeFound[] {
  return leadingZeroBits(digest) < answer.difficultyBits ? countingMistakes(digest, answer) : [];
}
