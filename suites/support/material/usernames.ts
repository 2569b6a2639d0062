import { type Challenge, sessionWithFreshChallenge } from "../actors/agent.ts";
import type { Target } from "../target/target.ts";
import { type Exchange, isSuccess } from "../wire/exchange.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

/** A user name that nobody has, from the prefix of the profile. */
type Syntax = (prefix: string) => string;

const ordinary: Syntax = (prefix) => prefix + random(10, lettersAndDigits);

// The document does not show the syntax of user names (C-52): these are what common policies want.
const otherSyntaxes: readonly Syntax[] = [
  (prefix) => prefix + random(10, letters),
  (prefix) => `${prefix}${random(10, letters)}7`,
  (prefix) => prefix + random(6, letters),
  (prefix) => prefix + random(18, letters),
  (prefix) => `${prefix}${random(5, letters)}-${random(5, letters)}`,
  (prefix) => `${prefix}${random(5, letters)}.${random(5, letters)}`,
  (prefix) => `${prefix}_${random(8, letters)}`,
  (prefix) => `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}${random(9, letters)}7`,
];

/** Names that nobody has and that begin like another one: first as it stands, then of the characters that any policy takes. */
export function namesBeginningLike(name: string): readonly string[] {
  const [local = ""] = name.toLowerCase().split("@");
  const beginnings = new Set([local, local.replaceAll(/[^a-z0-9]/gu, "").slice(0, 12)]);
  return [...beginnings].map((beginning) => beginning + random(5, letters));
}

function random(length: number, alphabet: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return [...bytes].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** The syntax that the profile gives, or that the target took in this run, once it has taken one. */
function known(target: Target): Promise<{ syntax?: Syntax }> {
  return target.setup.once("username-syntax", async () => {
    const { username } = target.profile.pow;
    return username === undefined ? {} : { syntax: username.newName };
  });
}

/** A user name that nobody has, of the syntax that is known, else of the ordinary one. */
export async function newUsername(target: Target): Promise<string> {
  const { syntax = ordinary } = await known(target);
  return syntax(prefixOf(target));
}

function prefixOf({ profile }: Target): string {
  return profile.pow.username_prefix ?? "ct";
}

export interface Signup {
  readonly username: string;
  readonly challenge: Challenge;
  readonly exchange: Exchange;
}

/**
 * Signs up a new agent, with user names of other syntaxes too until one is taken, where the profile gives none.
 *
 * @returns the signup that succeeded, else the first, as they came
 * @throws {BlockedError} when the budget of sign-ups is used up
 */
export async function signUp(target: Target): Promise<Signup> {
  target.spend("sign_ups");
  const memory = await known(target);
  const first = await signUpAs(target, memory.syntax ?? ordinary);
  if (memory.syntax !== undefined || !mayBeForItsName(first.exchange)) {
    if (isSuccess(first.exchange)) memory.syntax ??= ordinary;
    return first;
  }
  for (const syntax of otherSyntaxes) {
    const next = await signUpAs(target, syntax);
    if (isSuccess(next.exchange)) {
      memory.syntax = syntax;
      return next;
    }
    if (!mayBeForItsName(next.exchange)) break;
  }
  return first;
}

/**
 * Signs up an agent of this name, which the target may refuse.
 *
 * @throws {BlockedError} when the budget of sign-ups is used up
 */
export async function signUpNamed(target: Target, username: string): Promise<Exchange> {
  target.spend("sign_ups");
  return (await sessionWithFreshChallenge(target, { username })).exchange;
}

/** Whether a signup may have been refused for its user name alone. */
export function mayBeForItsName({ response }: Exchange): boolean {
  // Not for a credential, of which there is none but the challenge, nor a missing route or a limit.
  const { status } = response;
  return status >= 400 && status < 500 && ![401, 404, 405, 429].includes(status);
}

async function signUpAs(target: Target, syntax: Syntax): Promise<Signup> {
  const username = syntax(prefixOf(target));
  return { username, ...(await sessionWithFreshChallenge(target, { username })) };
}
