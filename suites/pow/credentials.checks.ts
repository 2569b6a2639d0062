import { controlRefused } from "../support/wire/control-refused.ts";
import { logIn, openSession, requireBearer, solvedChallenge } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import {
  inOtherCase,
  withCharacterAdded,
  withCharacterChanged,
  withEndChanged,
  withoutLastCharacter,
} from "../support/material/mutations.ts";
import { newUsername } from "../support/material/usernames.ts";
import { type NamedAgent, namedAgent } from "./named-agent.ts";
import { isSameInbox, type OpenedInbox, openedInbox } from "./opened-inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";
import { expectRefused, expectSession, outcome } from "./session-requests.ts";
import { survivesMalformedBody } from "./single-use.checks.ts";

async function logInWithKey(target: Target, change: (apiKey: string) => string): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  return logIn(target, change(apiKey));
}

const wrongKeys = [
  {
    slug: "last-character-dropped",
    words: "the right `apiKey` without its last character",
    change: (apiKey: string) => withoutLastCharacter(apiKey, "API keys"),
  },
  {
    slug: "first-half",
    words: "the first half of the right `apiKey`",
    change: (apiKey: string) => apiKey.slice(0, Math.ceil(apiKey.length / 2)),
  },
  {
    slug: "other-character",
    words: "one character of the right `apiKey` changed",
    change: (apiKey: string) => withCharacterChanged(apiKey, "API keys"),
  },
  {
    slug: "other-ending",
    words: "the right `apiKey` with another ending",
    change: (apiKey: string) => withEndChanged(apiKey, "API keys"),
  },
  {
    slug: "longer",
    words: "the right `apiKey` with a character added",
    change: (apiKey: string) => withCharacterAdded(apiKey, "API keys"),
  },
  {
    slug: "trailing-nul",
    words: "the right `apiKey` with a trailing NUL",
    change: (apiKey: string) => `${apiKey}\0`,
  },
].map(({ slug, words, change }) =>
  check({
    id: `POW-44/${slug}`,
    claim: `A login with a right solution and ${words} is refused.`,
    act: (target) => logInWithKey(target, change),
    assert: expectRefused,
  }),
);

const notKeys = [
  { slug: "username", words: "`username` of an agent", value: ({ username }: NamedAgent) => username },
  {
    slug: "inbox",
    words: "`inbox` of an agent",
    value({ signup }: NamedAgent): string {
      const { inbox } = jsonMembers(signup);
      if (typeof inbox === "string") return inbox;
      throw controlRefused("signing up", "2xx with a string inbox", signup, "POW-09/body");
    },
  },
  {
    slug: "account-id",
    words: "JMAP account id of an agent",
    value: ({ inbox }: NamedAgent) => inbox.accountId,
  },
  {
    slug: "session",
    words: "session JWT of an agent",
    value: ({ signup }: NamedAgent) => requireBearer(signup, "signing up", "POW-02/session"),
  },
].map(({ slug, words, value }) =>
  check({
    id: `POW-44/${slug}`,
    claim: `A login with a right solution and the ${words} as \`apiKey\` is refused.`,
    async act(target) {
      await provenAgent(target);
      return logIn(target, value(await target.setup.once("pow:named-agent", namedAgent)));
    },
    assert: expectRefused,
  }),
);

const spaceAfterKey = check({
  id: "POW-44/trailing-space",
  claim: "A login with a right solution and the right `apiKey` with a trailing space is refused.",
  act: (target) => logInWithKey(target, (apiKey) => `${apiKey} `),
  assert: (exchange) =>
    isSuccess(exchange) ? warning("accepted: spaces around an apiKey are ignored") : expectRefused(exchange),
});

const otherCase = observe({
  id: "POW-44/letter-case",
  question: "Is a login accepted with one letter of the right `apiKey` in the other case?",
  act: (target) => logInWithKey(target, flipLastLetter),
  answer: outcome,
});

/** The key with one letter in its other case, from the end, since keys may begin with a fixed prefix. */
function flipLastLetter(apiKey: string): string {
  const at = Math.max(0, apiKey.search(/[a-z][^a-z]*$/iu));
  return apiKey.slice(0, at) + inOtherCase(apiKey.slice(at, at + 1), "API keys") + apiKey.slice(at + 1);
}

interface SecondSignup {
  readonly exchange: Exchange;
  /** Undefined when the second signup was refused. */
  readonly opened: OpenedInbox | undefined;
  readonly isFirstInbox: boolean;
  readonly first: OpenedInbox;
}

function signUpAgain(target: Target, spelling: (username: string) => unknown): Promise<SecondSignup> {
  return target.once(`pow:second-signup:${JSON.stringify(spelling("Name"))}`, async (recording) => {
    const { username, inbox: first } = await recording.once("pow:named-agent", namedAgent);
    const { challenge, proof } = await solvedChallenge(recording.setup);
    const exchange = await openSession(recording, challenge.jwt, { ...proof, username: spelling(username) });
    if (isSuccess(exchange)) recording.spend("sign_ups");
    const opened = await openedInbox(recording.setup, exchange);
    const isFirstInbox = opened !== undefined && (await isSameInbox(recording, opened, first));
    return { exchange, opened, isFirstInbox, first };
  });
}

function expectRefusedOrOwn({ exchange, opened, isFirstInbox, first }: SecondSignup): void {
  if (opened === undefined) return expectRefused(exchange);
  if (!isFirstInbox) return expectOwnAddress(exchange, opened.address, first.address);
  throw new Violation("no access to the inbox of the first agent", "a session for it", { exchange });
}

/** Mail to one of two inboxes with the same address is read in the other, or lost. */
export function expectOwnAddress(
  exchange: Exchange,
  own: string | undefined,
  others: string | undefined,
): void {
  if (own === undefined || own !== others) return;
  throw new Violation("an address of its own", "an inbox with the address of another", { exchange });
}

interface Spelling {
  readonly slug: string;
  readonly words: string;
  readonly spelling: (name: string) => unknown;
}

/** What a service may read as another agent's name. */
const otherSpellings: readonly Spelling[] = [
  { slug: "full-width", words: "full-width letters", spelling: fullWidth },
  { slug: "zero-width", words: "a zero-width space", spelling: (name) => `${name}\u{200B}` },
  { slug: "leading-space", words: "a leading space", spelling: (name) => ` ${name}` },
  { slug: "newline", words: "a trailing line feed", spelling: (name) => `${name}\n` },
  { slug: "dot", words: "a dot in it", spelling: (name) => `${name.slice(0, -2)}.${name.slice(-2)}` },
  { slug: "domain", words: "a mail domain after it", spelling: (name) => `${name}@mail.test` },
  { slug: "array", words: "an array around it", spelling: (name) => [name] },
  { slug: "longer", words: "two digits after it", spelling: (name) => `${name}01` },
  // Stands for any character where a name is looked up with LIKE of SQL.
  {
    slug: "underscore",
    words: "an underscore for its last character",
    spelling: (name) => `${name.slice(0, -1)}_`,
  },
  { slug: "hyphen", words: "a hyphen in it", spelling: (name) => `${name.slice(0, -2)}-${name.slice(-2)}` },
  // Collations of databases take letters with and without accents for the same.
  { slug: "accent", words: "a combining accent after it", spelling: (name) => `${name}\u{301}` },
];

function fullWidth(name: string): string {
  return name.replaceAll(/[!-~]/gu, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfe_e0));
}

const likeTakenNames = otherSpellings.map(({ slug, words, spelling }) =>
  check({
    id: `POW-46/${slug}`,
    claim: `A signup with a taken \`username\` and ${words} is refused or opens an inbox of its own.`,
    act: (target) => signUpAgain(target, spelling),
    assert: expectRefusedOrOwn,
  }),
);

const takenNames = [
  { slug: "same", words: "a taken `username`", spelling: (name: string) => name },
  {
    slug: "upper-case",
    words: "a taken `username` in upper case",
    spelling: (name: string) => name.toUpperCase(),
  },
  {
    slug: "trailing-space",
    words: "a trailing space after a taken `username`",
    spelling: (name: string) => `${name} `,
  },
].map(({ slug, words, spelling }) =>
  check({
    id: `POW-46/${slug}`,
    claim: `A signup with ${words} is refused or opens an inbox of its own.`,
    act: (target) => signUpAgain(target, spelling),
    assert: expectRefusedOrOwn,
  }),
);

const ownerKeepsKey = check({
  id: "POW-46/first-key",
  claim: "After another signup with a taken `username`, the `apiKey` of the first still opens its inbox.",
  async act(target) {
    await signUpAgain(target.setup, (name) => name);
    const { apiKey, inbox } = await target.setup.once("pow:named-agent", namedAgent);
    const login = await logIn(target, apiKey);
    const found = await openedInbox(target.setup, login);
    return { login, isFirstInbox: found !== undefined && (await isSameInbox(target, found, inbox)) };
  },
  assert({ login, isFirstInbox }) {
    expectSession(login);
    if (isFirstInbox) return;
    throw new Violation("the first apiKey to open the first inbox", "another inbox", { exchange: login });
  },
});

interface TwoSignups {
  readonly one: Exchange;
  /** Undefined when the first was refused. */
  readonly other?: Exchange;
  readonly areOfOneInbox: boolean;
}

// Read as text, each is one name for everybody who sends it.
const namesOfOtherTypes = [
  { slug: "null", words: "null", value: null },
  { slug: "object", words: "an empty object", value: {} },
  { slug: "boolean", words: "true", value: true },
  { slug: "number", words: "a number", value: 7 },
].map(({ slug, words, value }) =>
  check({
    id: `POW-46/name-is-${slug}`,
    claim: `Two signups whose \`username\` is ${words} are refused or open two inboxes.`,
    async act(target): Promise<TwoSignups> {
      await target.setup.once("pow:named-agent", namedAgent);
      const one = await signUpWith(target, value);
      if (!isSuccess(one)) return { one, areOfOneInbox: false };
      const first = await openedInbox(target.setup, one);
      const other = await signUpWith(target, value);
      const second = await openedInbox(target.setup, other);
      const areOfOneInbox =
        first !== undefined && second !== undefined && (await isSameInbox(target, first, second));
      return { one, other, areOfOneInbox };
    },
    assert({ one, other, areOfOneInbox }) {
      for (const exchange of [one, other])
        if (exchange !== undefined && !isSuccess(exchange)) expectRefused(exchange);
      if (!areOfOneInbox) return;
      throw new Violation("another inbox than the first", "a session for it", { exchange: other });
    },
  }),
);

async function signUpWith(target: Target, username: unknown): Promise<Exchange> {
  const { challenge, proof } = await solvedChallenge(target.setup);
  const exchange = await openSession(target, challenge.jwt, { ...proof, username });
  if (isSuccess(exchange)) target.spend("sign_ups");
  return exchange;
}

const usernames = [
  { words: "empty", username: () => "" },
  { words: "one letter", username: () => "q" },
  { words: "64 characters long", username: (fresh: string) => fresh.padEnd(64, "x") },
  { words: "256 characters long", username: (fresh: string) => fresh.padEnd(256, "x") },
  { words: "two words", username: (fresh: string) => `${fresh} b` },
  { words: "a path", username: (fresh: string) => `../${fresh}` },
  { words: "a mail address", username: (fresh: string) => `${fresh}@example.test` },
  { words: "with an emoji", username: (fresh: string) => `${fresh}\u{1f4ee}` },
] as const;

const usernameLimits = observe({
  id: "POW-47",
  question: "Which usernames does a signup accept?",
  async act(target) {
    const isKept = await survivesMalformedBody(target);
    const answers: { words: string; exchange: Exchange }[] = [];
    let solved = await solvedChallenge(target.setup);
    for (const { words, username } of usernames) {
      const exchange = await openSession(target, solved.challenge.jwt, {
        ...solved.proof,
        username: username(await newUsername(target)),
      });
      if (isSuccess(exchange)) target.spend("sign_ups");
      if (isSuccess(exchange) || !isKept) solved = await solvedChallenge(target.setup);
      answers.push({ words, exchange });
    }
    return answers;
  },
  answer: (answers) => answers.map(({ words, exchange }) => `${words}: ${outcome(exchange)}`).join("; "),
});

export const credentialChecks = [
  ...wrongKeys,
  ...notKeys,
  spaceAfterKey,
  otherCase,
  ...takenNames,
  ...likeTakenNames,
  ...namesOfOtherTypes,
  ownerKeepsKey,
  usernameLimits,
];
