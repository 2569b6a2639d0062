import { decodeJwt } from "jose";
import { UsageError } from "../usage-error.ts";

/** What a solver needs to know of a challenge. */
export interface ChallengeInput {
  jti: string;
  saltHexText: string;
  difficultyBits: number;
  /** Why solving it may be in vain; empty for most. */
  warnings: readonly string[];
}

export interface ChallengeOptions {
  jti?: string | undefined;
  salt?: string | undefined;
  "salt-claim"?: string | undefined;
  difficulty?: string | undefined;
}

/** @throws {UsageError} unless it is an integer of 0 to 512 */
export function parseDifficulty(text: string): number {
  if (/^\d{1,3}$/u.test(text) && Number(text) <= 512) return Number(text);
  throw new UsageError(`--difficulty ${JSON.stringify(text)}: expected a whole number of bits, 0 to 512`);
}

/**
 * The challenge from the options alone, or where `--jti` is absent from a challenge JWT, decoded and not verified. Options
 * win over claims.
 *
 * @param readJwt - called only when there is no `--jti`
 * @throws {UsageError} when something is missing or cannot be what it should be
 */
export async function challengeFrom(
  options: ChallengeOptions,
  readJwt: () => Promise<string>,
  now: Date,
): Promise<ChallengeInput> {
  if (options.salt !== undefined && options["salt-claim"] !== undefined) {
    throw new UsageError("--salt and --salt-claim were both given: the salt is the one or in the other");
  }
  return options.jti === undefined
    ? fromJwt(options, await readJwt(), now)
    : fromOptions(options, options.jti);
}

function fromOptions({ salt, difficulty, ...options }: ChallengeOptions, jti: string): ChallengeInput {
  if (options["salt-claim"] !== undefined) {
    throw new UsageError(
      "--salt-claim names a claim of a challenge JWT; with --jti there is none: give --salt",
    );
  }
  if (jti === "") throw new UsageError("--jti is empty");
  if (salt === undefined)
    throw new UsageError("--salt is missing: with --jti, give the salt as hexadecimal text");
  if (difficulty === undefined) throw new UsageError("--difficulty is missing: with --jti, give it in bits");
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
    throw new UsageError(`the challenge on standard input has no text claim jti; it has ${namesOf(claims)}`);
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

/** @param text - a JWT, or the header that carried it: `Authorization: Bearer <JWT>` */
function claimsOf(text: string): Readonly<Record<string, unknown>> {
  const jwt = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/iu, "");
  if (jwt === "") {
    throw new UsageError(
      "standard input is empty: give a challenge JWT there, or --jti, --salt and --difficulty",
    );
  }
  try {
    return decodeJwt(jwt);
  } catch (cause) {
    throw new UsageError(
      "standard input is not a JWT: expected three base64url parts, the second a JSON object",
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
    `the challenge's claim difficulty: expected an integer of 0 to 512, ${found}; --difficulty replaces it`,
  );
}

function saltIn(claims: Readonly<Record<string, unknown>>, options: ChallengeOptions): string {
  if (options.salt !== undefined) return requireHex(options.salt, "--salt");
  const name = options["salt-claim"] ?? "salt";
  const salt = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof salt === "string") return requireHex(salt, `the challenge's claim ${name}`);
  throw new UsageError(
    `the challenge has no text claim ${name} for the salt; it has ${namesOf(claims)}: name one by --salt-claim, or give --salt`,
  );
}

function namesOf(claims: Readonly<Record<string, unknown>>): string {
  return Object.keys(claims).join(", ") || "no claims";
}

function requireHex(text: string, what: string): string {
  if (/^[0-9a-f]+$/iu.test(text)) return text;
  throw new UsageError(
    `${what} ${JSON.stringify(text)}: expected hexadecimal digits, the salt as it is written`,
  );
}
