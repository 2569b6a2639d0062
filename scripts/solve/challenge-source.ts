import { decodeJwt } from "jose";
import { UsageError } from "../usage-error.ts";

/** The parts of a challenge that a solver needs. */
export interface ChallengeInput {
  jti: string;
  saltHexText: string;
  difficultyBits: number;
  /** Why a solution may be rejected; usually empty. */
  warnings: readonly string[];
}

export interface ChallengeOptions {
  jti?: string | undefined;
  salt?: string | undefined;
  "salt-claim"?: string | undefined;
  difficulty?: string | undefined;
}

/** @throws {UsageError} unless it is an integer from 0 to 512 */
export function parseDifficulty(text: string): number {
  if (/^\d{1,3}$/u.test(text) && Number(text) <= 512) return Number(text);
  throw new UsageError(`--difficulty ${JSON.stringify(text)}: expected a whole number of bits, 0 to 512`);
}

/**
 * Takes the challenge from the options, or from a challenge JWT when there is no `--jti`. The JWT is decoded without
 * verification, and options override its claims.
 *
 * @param readJwt - only called without `--jti`
 * @throws {UsageError} when something is missing or invalid
 */
export async function challengeFrom(
  options: ChallengeOptions,
  readJwt: () => Promise<string>,
  now: Date,
): Promise<ChallengeInput> {
  if (options.salt !== undefined && options["salt-claim"] !== undefined) {
    throw new UsageError("--salt and --salt-claim cannot be combined");
  }
  return options.jti === undefined
    ? fromJwt(options, await readJwt(), now)
    : fromOptions(options, options.jti);
}

function fromOptions({ salt, difficulty, ...options }: ChallengeOptions, jti: string): ChallengeInput {
  if (options["salt-claim"] !== undefined) {
    throw new UsageError("--salt-claim needs a challenge JWT; with --jti, use --salt");
  }
  if (jti === "") throw new UsageError("--jti is empty");
  if (salt === undefined)
    throw new UsageError("--salt is missing: --jti requires the salt, as hexadecimal text");
  if (difficulty === undefined) throw new UsageError("--difficulty is missing: --jti requires it, in bits");
  return {
    jti,
    saltHexText: requireHex(salt, "--salt"),
    difficultyBits: parseDifficulty(difficulty),
    warnings: [],
  };
}

function fromJwt(options: ChallengeOptions, text: string, now: Date): ChallengeInput {
  const claims = claimsOf(text);
  const { jti, difficulty, exp } = claims;
  if (typeof jti !== "string" || jti === "") {
    throw new UsageError(
      `the challenge on standard input has no string claim jti; its claims: ${namesOf(claims)}`,
    );
  }
  return {
    jti,
    saltHexText: saltIn(claims, options),
    difficultyBits:
      options.difficulty === undefined ? claimedDifficulty(difficulty) : parseDifficulty(options.difficulty),
    warnings:
      typeof exp === "number" && exp * 1000 <= now.getTime()
        ? [`this challenge expired ${expiryText(exp)}`]
        : [],
  };
}

function expiryText(expSeconds: number): string {
  const date = new Date(expSeconds * 1000);
  return Number.isNaN(date.getTime()) ? "long ago" : `at ${date.toISOString()}`;
}

/** @param text - a JWT, or the header that contains it: `Authorization: Bearer <JWT>` */
function claimsOf(text: string): Readonly<Record<string, unknown>> {
  const jwt = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/iu, "");
  if (jwt === "") {
    throw new UsageError(
      "standard input is empty: expected a challenge JWT, or the options --jti, --salt and --difficulty",
    );
  }
  try {
    return decodeJwt(jwt);
  } catch (cause) {
    throw new UsageError(
      "standard input is not a JWT: expected three base64url parts, of which the second is a JSON object",
      { cause },
    );
  }
}

function claimedDifficulty(difficulty: unknown): number {
  if (
    typeof difficulty === "number" &&
    Number.isInteger(difficulty) &&
    difficulty >= 0 &&
    difficulty <= 512
  ) {
    return difficulty;
  }
  const found = difficulty === undefined ? "it is missing" : `it is ${JSON.stringify(difficulty)}`;
  throw new UsageError(
    `the challenge's difficulty claim: expected an integer from 0 to 512, but ${found}; override it with --difficulty`,
  );
}

function saltIn(claims: Readonly<Record<string, unknown>>, options: ChallengeOptions): string {
  if (options.salt !== undefined) return requireHex(options.salt, "--salt");
  const name = options["salt-claim"] ?? "salt";
  const salt = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof salt === "string") return requireHex(salt, `the challenge's ${name} claim`);
  throw new UsageError(
    `the challenge has no string claim ${name}; its claims: ${namesOf(claims)}; name the salt's claim with --salt-claim, or use --salt`,
  );
}

function namesOf(claims: Readonly<Record<string, unknown>>): string {
  return Object.keys(claims).join(", ") || "none";
}

function requireHex(text: string, what: string): string {
  if (/^[0-9a-f]+$/iu.test(text)) return text;
  throw new UsageError(`${what} ${JSON.stringify(text)}: expected hexadecimal digits`);
}
