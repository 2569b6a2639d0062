import { controlRefused } from "../support/wire/control-refused.ts";
import {
  logIn,
  newUsername,
  openSession,
  postCapability,
  requireBearer,
  solvedChallenge,
} from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectPowRefused, expectThat } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation } from "../support/verdict.ts";
import { survivesMalformedBodies } from "./malformed-bodies.checks.ts";
import { expectSession } from "./session-requests.ts";

/** The key with one letter in its other case, from the end, since keys may begin with a fixed prefix. */
function flipLastLetter(apiKey: string): string {
  const at = apiKey.search(/[a-z][^a-z]*$/iu);
  const letter = apiKey[at] ?? "";
  if (letter === "")
    throw new InconclusiveError("precondition-missing", "the apiKey has no letter that could change case");
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return apiKey.slice(0, at) + other + apiKey.slice(at + 1);
}

const wrongKeys = [
  {
    slug: "last-character-dropped",
    words: "the right apiKey less its last character",
    change: (apiKey: string) => apiKey.slice(0, -1),
  },
  {
    slug: "first-half",
    words: "the first half of the right apiKey",
    change: (apiKey: string) => apiKey.slice(0, Math.ceil(apiKey.length / 2)),
  },
  {
    slug: "letter-case",
    words: "the right apiKey with one letter in the other case",
    change: flipLastLetter,
  },
  {
    slug: "trailing-space",
    words: "a space behind the right apiKey",
    change: (apiKey: string) => `${apiKey} `,
  },
].map(({ slug, words, change }) =>
  check({
    id: `POW-44/${slug}`,
    claim: `A login with a right solution and ${words} is refused.`,
    needs: [],
    async act(target) {
      const { apiKey } = await provenAgent(target);
      return logIn(target, change(apiKey));
    },
    assert: expectPowRefused,
  }),
);

interface SecondSignup {
  readonly exchange: Exchange;
  /** Mail account of the agent who had the name first. */
  readonly ownerAccountId: string;
  /** Mail account that the second signup opened; undefined when it was refused. */
  readonly secondAccountId: string | undefined;
}

async function accountOf(target: Target, opened: Exchange): Promise<string | undefined> {
  if (!isSuccess(opened)) return undefined;
  const session = requireBearer(opened, "opening a session");
  const capability = requireBearer(await postCapability(target, session), "minting a capability");
  return (await mailSession(target, capability)).accountId;
}

function signUpAgain(target: Target, spelling: (username: string) => string): Promise<SecondSignup> {
  return target.once(`pow:second-signup:${spelling("Name")}`, async (recording) => {
    const { username, accountId } = await recording.once("pow:named-agent", namedAgent);
    recording.spend("sign_ups");
    const { challenge, proof } = await solvedChallenge(recording);
    const body = { ...proof, username: spelling(username) };
    const exchange = await openSession(recording, challenge.jwt, body);
    return {
      exchange,
      ownerAccountId: accountId,
      secondAccountId: await accountOf(recording, exchange),
    };
  });
}

/** An agent whose username is known. */
async function namedAgent(target: Target): Promise<{ username: string; apiKey: string; accountId: string }> {
  target.spend("sign_ups");
  const username = newUsername(target);
  const { challenge, proof } = await solvedChallenge(target);
  const exchange = await openSession(target, challenge.jwt, { ...proof, username });
  const { apiKey } = jsonMembers(exchange);
  const accountId = await accountOf(target, exchange);
  if (typeof apiKey === "string" && accountId !== undefined) return { username, apiKey, accountId };
  throw controlRefused("signing up an agent", "2xx with apiKey", exchange);
}

const takenNames = [
  { slug: "same", words: "a username that is taken", spelling: (name: string) => name },
  {
    slug: "upper-case",
    words: "a taken username in upper case",
    spelling: (name: string) => name.toUpperCase(),
  },
  {
    slug: "trailing-space",
    words: "a taken username and a space behind it",
    spelling: (name: string) => `${name} `,
  },
].map(({ slug, words, spelling }) =>
  check({
    id: `POW-46/${slug}`,
    claim: `A signup with ${words} is refused, or gets an inbox of its own.`,
    needs: [],
    act: (target) => signUpAgain(target, spelling),
    assert({ exchange, ownerAccountId, secondAccountId }) {
      if (secondAccountId === undefined) expectPowRefused(exchange);
      if (secondAccountId === ownerAccountId)
        throw new Violation("no access to the inbox that exists", "a session for it");
    },
  }),
);

const ownerKeepsKey = check({
  id: "POW-46/first-key",
  claim: "After another signup with a taken username, the first apiKey opens its inbox as before.",
  async act(target) {
    await signUpAgain(target, (name) => name);
    const { apiKey, accountId } = await target.once("pow:named-agent", namedAgent);
    const login = await logIn(target, apiKey);
    return { login, expected: accountId, found: await accountOf(target, login) };
  },
  assert({ login, expected, found }) {
    expectSession(login);
    expectThat(found === expected, "the first apiKey to open the first inbox", "another inbox");
  },
});

const usernames = [
  { slug: "empty", words: "empty", username: () => "" },
  { slug: "one-letter", words: "one letter", username: () => "q" },
  {
    slug: "64-characters",
    words: "64 characters long",
    username: (fresh: string) => fresh.padEnd(64, "x"),
  },
  {
    slug: "256-characters",
    words: "256 characters long",
    username: (fresh: string) => fresh.padEnd(256, "x"),
  },
  { slug: "inner-space", words: "two words", username: (fresh: string) => `${fresh} b` },
  { slug: "path", words: "a path", username: (fresh: string) => `../${fresh}` },
  { slug: "address", words: "a mail address", username: (fresh: string) => `${fresh}@example.test` },
  { slug: "emoji", words: "with an emoji", username: (fresh: string) => `${fresh}\u{1f4ee}` },
] as const;

const usernameLimits = check({
  id: "POW-47",
  claim: "Which usernames a signup accepts; whatever it refuses, it refuses in the error shape of its path.",
  async act(target) {
    const isKept = await survivesMalformedBodies(target);
    const answers: { words: string; exchange: Exchange }[] = [];
    let solved = await solvedChallenge(target);
    for (const { words, username } of usernames) {
      const exchange = await openSession(target, solved.challenge.jwt, {
        ...solved.proof,
        username: username(newUsername(target)),
      });
      if (isSuccess(exchange)) target.spend("sign_ups");
      if (isSuccess(exchange) || !isKept) solved = await solvedChallenge(target);
      answers.push({ words, exchange });
    }
    return answers;
  },
  assert(answers) {
    for (const { exchange } of answers) if (!isSuccess(exchange)) expectPowRefused(exchange);
    const shown = answers.map(
      ({ words, exchange }) => `${words}: ${isSuccess(exchange) ? "accepted" : summary(exchange)}`,
    );
    return observation(shown.join("; "));
  },
});

export const credentialChecks = [...wrongKeys, ...takenNames, ownerKeepsKey, usernameLimits];
