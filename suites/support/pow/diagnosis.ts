import { leadingZeroBits } from "./leading-zero-bits.ts";
import { countingMistakes, digestMistakes } from "./mistakes.ts";
import { documentInput, powDigest, type PowInput, type ScryptInput } from "./scrypt-digest.ts";
import { type Likeness, likenessOf, readWrittenDigest } from "./written-digest.ts";

/** A solution as a client would send it, with the challenge it is for. */
export interface Answer extends PowInput {
  difficultyBits: number;
  powHex: string;
}

/** A known mistake that would have produced the answer. */
export interface MistakeFound {
  id: string;
  says: string;
  /** How likely it fits a random digest; absent where only an equal digest fits, which chance does not produce. */
  chance?: number;
}

export interface Diagnosis {
  isValid: boolean;
  /** What the document says and the answer does not keep. Empty when it is valid. */
  problems: readonly string[];
  /** Empty when it is valid, and when none is known. */
  mistakes: readonly MistakeFound[];
  /** What the document prescribes for this nonce. */
  digest: Uint8Array;
}

/**
 * Judges a solution by the document ("Authentication", proof-of-work path 2) and finds which known mistakes would have
 * produced it. How the digest was made, written and counted are told apart, so one of each may be found together; two
 * mistakes in making the digest are not.
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
    problems.push(`powHex has ${powHex.length} characters; it has 128 hexadecimal digits`);
  } else if (!/^[0-9a-f]*$/u.test(powHex)) {
    problems.push("powHex has characters other than the digits 0 to 9 and a to f");
  }
  const { bytes } = readWrittenDigest(powHex);
  if (bytes === null || likenessOf(bytes, digest) !== "same") {
    problems.push("powHex is not the scrypt digest of <jti>:<nonce>");
  }
  const bits = leadingZeroBits(digest);
  if (bits < difficultyBits) {
    problems.push(
      `the digest of this nonce starts with ${bits} zero ${bits === 1 ? "bit" : "bits"}; at least ${difficultyBits} are asked for`,
    );
  }
  return problems;
}

async function mistakesOf(answer: Answer, digest: Uint8Array): Promise<MistakeFound[]> {
  const { bytes, mistakes: writing } = readWrittenDigest(answer.powHex);
  if (bytes === null) return [];
  const likeness = likenessOf(bytes, digest);
  const origin = likeness === null ? await originOf(bytes, answer) : { making: [], digest, likeness };
  if (origin === null) return [];
  return [
    ...origin.making,
    ...writing,
    ...likenessMistakes(origin.likeness, bytes),
    ...countingOf(origin.digest, answer),
  ];
}

interface Origin {
  making: MistakeFound[];
  digest: Uint8Array;
  likeness: Likeness;
}

/** scrypt evaluations under way at once: as many as node's thread pool has threads. */
const batchSize = 4;

/**
 * The known mistakes whose digest is the one given. Equal digests come of equal input, so mistakes that come to the same
 * input are tried as one, and the first that fits ends the search.
 */
async function originOf(given: Uint8Array, answer: Answer): Promise<Origin | null> {
  const candidates = candidatesFor(answer);
  for (let at = 0; at < candidates.length; at += batchSize) {
    const origins = await Promise.all(
      candidates.slice(at, at + batchSize).map(async ({ input, making }): Promise<Origin | null> => {
        const digest = await powDigest(answer, input);
        const likeness = likenessOf(given, digest);
        return likeness === null ? null : { making, digest, likeness };
      }),
    );
    const found = origins.find((origin) => origin !== null);
    if (found) return found;
  }
  return null;
}

interface Candidate {
  input: ScryptInput;
  making: MistakeFound[];
}

/** In the order of the table, without what changes nothing here: salts without letters have no upper case. */
function candidatesFor(answer: Answer): Candidate[] {
  const document = documentInput(answer);
  const candidates = new Map<string, Candidate>();
  for (const { id, says, isNumeric, overrides } of digestMistakes) {
    if (isNumeric && !decimal.test(answer.nonce)) continue;
    const input = { ...document, ...overrides(answer) };
    const candidate = candidates.get(fingerprint(input)) ?? { input, making: [] };
    candidate.making.push({ id, says });
    candidates.set(fingerprint(input), candidate);
  }
  candidates.delete(fingerprint(document));
  return [...candidates.values()];
}

function fingerprint({ password, salt, ...cost }: ScryptInput): string {
  return JSON.stringify([Buffer.from(password).toString("hex"), Buffer.from(salt).toString("hex"), cost]);
}

function likenessMistakes(likeness: Likeness, given: Uint8Array): MistakeFound[] {
  switch (likeness) {
    case "same":
      return [];
    case "shorter":
    case "longer":
      return [
        {
          id: "digest-length",
          says: `the digest has ${given.length} bytes, of which all begin alike; it has 64`,
        },
      ];
    case "reversed":
      return [{ id: "reversed", says: "little-endian: the digest was written last byte first" }];
  }
}

function countingOf(digest: Uint8Array, answer: Answer): MistakeFound[] {
  return leadingZeroBits(digest) < answer.difficultyBits ? countingMistakes(digest, answer) : [];
}
