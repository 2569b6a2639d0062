import { controlRefused } from "../wire/control-refused.ts";
import { decodeJwt } from "jose";
import { cutOffBelow } from "../wire/bounded-json.ts";
import { type Exchange, header, isSuccess } from "../wire/exchange.ts";
import { type Outgoing } from "../wire/http.ts";
import { bearer, jsonContentType } from "./jmap.ts";
import type { SearchCriterion } from "../pow/criteria.ts";
import type { Recipe } from "../pow/recipes.ts";
import type { Target } from "../target/target.ts";
import { BlockedError } from "../verdict.ts";
import { untilUndisturbed, usedInTime } from "../wire/disturbance.ts";

/** A proof-of-work challenge as the target issued it. */
export interface Challenge {
  readonly jwt: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly jti: string;
  /** Leading zero bits that are asked for. */
  readonly difficultyBits: number;
  readonly exchange: Exchange;
}

/** What proves the work in a session request. */
export interface Proof {
  readonly powHex: string;
  readonly nonce: string;
}

/** An agent that owns its inbox. */
export interface Agent {
  readonly apiKey: string;
  /** As the signup response names it; undefined for an agent of the profile. */
  readonly inbox: string | undefined;
}

/** `POST {auth_url}/api/v1/challenge` as documented: no body, no credential. */
export function postChallenge(target: Target): Promise<Exchange> {
  return target.send(challengeRequest(target));
}

/** What {@link postChallenge} sends. */
export function challengeRequest(target: Target): Outgoing {
  return { method: "POST", url: `${target.authUrl}/api/v1/challenge`, isRepeatable: true };
}

/** Anything posted to the session endpoint; the checks decide what. */
export function postSession(
  target: Target,
  headers: readonly (readonly [string, string])[],
  body: string,
): Promise<Exchange> {
  return target.send({ method: "POST", url: `${target.authUrl}/api/v1/session`, headers, body });
}

/** A session request as documented: the challenge as bearer, a JSON body. */
export function openSession(
  target: Target,
  challengeJwt: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Exchange> {
  return target.send(sessionRequest(target, challengeJwt, body));
}

/** What {@link openSession} sends. */
export function sessionRequest(
  target: Target,
  challengeJwt: string,
  body: Readonly<Record<string, unknown>>,
): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/api/v1/session`,
    headers: [bearer(challengeJwt), jsonContentType],
    body: JSON.stringify(body),
  };
}

/** `POST {auth_url}/api/v1/capability` as documented: the session as bearer, no body. */
export function postCapability(target: Target, sessionJwt: string): Promise<Exchange> {
  return target.send(capabilityRequest(target, sessionJwt));
}

/** What {@link postCapability} sends. */
export function capabilityRequest(target: Target, sessionJwt: string): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/api/v1/capability`,
    headers: [bearer(sessionJwt)],
    isRepeatable: true,
  };
}

/**
 * The token of a response's `Authorization: Bearer <token>`: scheme without regard to case, one space, a token.
 * Document, "Authentication", Proof-of-work path 6. Undefined when the header is missing or of another form.
 */
export function bearerIn(exchange: Exchange): string | undefined {
  return /^bearer ([^\s,]+)$/iu.exec(header(exchange, "authorization") ?? "")?.[1];
}

/** @throws {InconclusiveError} control-refused, when the response carries no token */
export function requireBearer(exchange: Exchange, what: string, explainedBy?: string): string {
  const token = bearerIn(exchange);
  if (isSuccess(exchange) && token !== undefined) return token;
  throw controlRefused(what, "2xx with Authorization: Bearer <token>", exchange, explainedBy);
}

/** @throws {InconclusiveError} control-refused, when the target issues no challenge that can be read */
export async function requestChallenge(target: Target): Promise<Challenge> {
  const exchange = await postChallenge(target);
  requireBearer(exchange, "requesting a challenge", "POW-01");
  const challenge = challengeIn(exchange);
  if (challenge !== undefined) return challenge;
  throw controlRefused(
    "requesting a challenge",
    `a JWT with a string jti and an integer difficulty from 0 to ${digestBits}`,
    exchange,
    "POW-01",
  );
}

/** The challenge that a response carries; undefined when it carries none that can be read. */
export function challengeIn(exchange: Exchange): Challenge | undefined {
  const jwt = bearerIn(exchange);
  const claims = jwt === undefined ? undefined : claimsOf(jwt);
  const { jti, difficulty } = claims ?? {};
  if (jwt === undefined || claims === undefined || typeof jti !== "string" || !isDifficulty(difficulty))
    return undefined;
  return { jwt, claims, jti, difficultyBits: difficulty, exchange };
}

/** A whole number of bits that a digest can have. */
function isDifficulty(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= digestBits;
}

const digestBits = 512;

/** The payload of a JWT, unverified, with null for what lies deeper than 64 levels; undefined when it is none. */
export function claimsOf(jwt: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const claims = decodeJwt(jwt);
    cutOffBelow(claims);
    return claims;
  } catch {
    // Not a JWT: the answer to the question.
    return undefined;
  }
}

/**
 * The scrypt salt as the hexadecimal text whose UTF-8 bytes are hashed. The document does not say where it comes from:
 * the profile gives it or names a claim; else a claim called `salt`, else the only claim that is hexadecimal text.
 *
 * @throws {BlockedError} when it is nowhere to be found
 */
export function saltOf(target: Target, challenge: Challenge): string {
  const { salt, salt_claim: claim } = target.profile.pow;
  if (salt !== undefined) return salt;
  const name = claim ?? saltClaimAmong(challenge.claims);
  const found = name === undefined ? undefined : challenge.claims[name];
  if (typeof found === "string" && found !== "") return found;
  throw new BlockedError(
    claim === undefined
      ? "needs the scrypt salt: the challenge carries no claim that looks like one; set pow.salt or pow.salt_claim in the profile"
      : `needs the scrypt salt: the challenge has no claim ${claim}; correct pow.salt_claim in the profile`,
  );
}

/** The claim of a challenge that looks like the salt: one called `salt`, else the only one that is hexadecimal text. */
export function saltClaimAmong(claims: Challenge["claims"]): string | undefined {
  if (typeof claims["salt"] === "string") return "salt";
  const hexadecimal = Object.entries(claims).filter(
    ([name, value]) => name !== "jti" && typeof value === "string" && /^(?:[0-9a-f]{2}){4,}$/iu.test(value),
  );
  return hexadecimal.length === 1 ? hexadecimal[0]?.[0] : undefined;
}

/** @throws {BlockedError} when the difficulty is above what the profile allows */
export function requireAffordable(target: Target, challenge: Challenge): void {
  const { max_difficulty: most } = target.profile.pow;
  if (challenge.difficultyBits <= most) return;
  throw new BlockedError(
    `a challenge asks for ${challenge.difficultyBits} bits, about ${2 ** challenge.difficultyBits} scrypt evaluations of 16 MiB; pow.max_difficulty in the profile allows ${most}`,
  );
}

/** Looks for a nonce whose digest meets the criterion; for the ordinary solution give none. */
export async function solve(
  target: Target,
  challenge: Challenge,
  accept?: SearchCriterion,
  recipe?: Recipe,
): Promise<Proof & { bits: number }> {
  requireAffordable(target, challenge);
  const hit = await target.solver.search({
    jti: challenge.jti,
    saltHexText: saltOf(target, challenge),
    accept: accept ?? { kind: "at-least", bits: challenge.difficultyBits },
    ...(recipe && { recipe }),
  });
  return { powHex: hit.powHex, nonce: hit.nonce, bits: hit.bits };
}

/** A fresh challenge with its ordinary solution. */
export async function solvedChallenge(target: Target): Promise<{ challenge: Challenge; proof: Proof }> {
  const challenge = await requestChallenge(target);
  const { powHex, nonce } = await solve(target, challenge);
  return { challenge, proof: { powHex, nonce } };
}

// A challenge must live for a minute (C-47), less what solving it takes.
const mostSolvedAgeMs = 30_000;

/**
 * A session request with a fresh challenge and these members beside its solution. The exchange is returned as it came.
 *
 * @param credential - `username` or `apiKey`
 */
export async function sessionWithFreshChallenge(
  target: Target,
  credential: Readonly<Record<string, unknown>>,
): Promise<{ readonly challenge: Challenge; readonly exchange: Exchange }> {
  return usedInTime(mostSolvedAgeMs, async () => {
    const requestedAtMs = performance.now();
    const { challenge, proof } = await solvedChallenge(target.setup);
    const solvedAtMs = performance.now();
    let isSpent = false;
    const exchange = await target.send({
      ...sessionRequest(target, challenge.jwt, { ...proof, ...credential }),
      // A request that a limit refused may have used its challenge up.
      onRepeated: () => (isSpent = true),
    });
    // One that has expired on a slow machine was never ready.
    const isExpired = performance.now() - requestedAtMs > lifetimeMs(challenge);
    return { challenge, readyAtMs: isSpent || isExpired ? Number.NEGATIVE_INFINITY : solvedAtMs, exchange };
  });
}

/** How long a challenge lives, as far as it says so. */
function lifetimeMs({ claims: { iat, exp } }: Challenge): number {
  return typeof iat === "number" && typeof exp === "number" ? 1000 * (exp - iat) : Number.POSITIVE_INFINITY;
}

/** Logs in with a fresh challenge. The exchange is returned as it came. */
export async function logIn(target: Target, apiKey: string): Promise<Exchange> {
  return untilUndisturbed(async () => (await sessionWithFreshChallenge(target, { apiKey })).exchange);
}
