import { logIn, postCapability, requireBearer } from "../support/actors/agent.ts";
import { followedSessionDocument, mailSession } from "../support/actors/mail-session.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { bearer } from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Signup, signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { expectSession } from "./session-requests.ts";
import { expectNextSteps } from "./token-responses.checks.ts";

/**
 * A signup with a correct solution, as it came; one for all checks that look at it.
 *
 * @throws {InconclusiveError} control-refused, when it was refused and the salt was a guess: then the guess is as likely wrong
 */
function signup(target: Target): Promise<Signup> {
  return target.once("pow:signup", async (recording) => {
    const made = await signUp(recording);
    const { challenge, exchange } = made;
    const { salt, salt_claim: claim } = recording.profile.pow;
    const isGuess = salt === undefined && claim === undefined && challenge.claims["salt"] === undefined;
    if (isGuess && !isSuccess(exchange)) {
      throw new InconclusiveError(
        "control-refused",
        `a signup with a salt that was guessed from the challenge: expected 2xx, got ${summary(exchange)}; set pow.salt or pow.salt_claim in the profile`,
        { exchange },
      );
    }
    return made;
  });
}

/** The signup, for checks that build on its success. */
async function acceptedSignup(target: Target): Promise<Signup> {
  const made = await signup(target);
  requireBearer(made.exchange, "signing up", "POW-08");
  return made;
}

interface NewAgent {
  readonly apiKey: string;
  readonly session: string;
  readonly response: Exchange;
}

/** What the signup handed out, for checks that use it. */
async function newAgent(target: Target): Promise<NewAgent> {
  const { exchange } = await signup(target);
  const session = requireBearer(exchange, "signing up", "POW-08");
  const { apiKey } = jsonMembers(exchange);
  if (typeof apiKey === "string" && apiKey !== "") return { apiKey, session, response: exchange };
  throw controlRefused("signing up", "2xx with a string apiKey", exchange, "POW-09/body");
}

const accepted = [
  { id: "POW-08", claim: "A signup with a correct solution returns a session JWT." },
  {
    id: "POW-12/correct",
    claim: "A solution made by scrypt with N=16384, r=8, p=1 and 64 bytes is accepted.",
  },
  { id: "POW-14", claim: "A solution made with the UTF-8 bytes of the salt's hexadecimal text is accepted." },
  {
    id: "POW-70",
    claim: "A signup with a challenge, `powHex`, `nonce` and `username`, and nothing else, succeeds.",
  },
].map(({ id, claim }) =>
  check({
    id,
    claim,
    act: async (target) => (await signup(target)).exchange,
    assert: expectSession,
  }),
);

const body = check({
  id: "POW-09/body",
  claim: "The body of a signup response has a non-empty string `apiKey` and a non-empty string `inbox`.",
  act: async (target) => (await acceptedSignup(target)).exchange,
  assert(exchange) {
    for (const name of ["apiKey", "inbox"]) {
      const value = jsonMembers(exchange)[name];
      // The key itself is a secret; its type says enough.
      const seen = value === "" ? "an empty one" : typeof value;
      const isText = typeof value === "string" && value !== "";
      expectThat(isText, `${name} to be a non-empty string`, seen, exchange);
    }
  },
});

const nextSteps = check({
  id: "POW-57/signup",
  claim: "`_next` in a signup response, where it is present, is an array of strings.",
  act: async (target) => (await acceptedSignup(target)).exchange,
  assert: expectNextSteps,
});

const inboxName = observe({
  id: "POW-09/inbox-and-username",
  question: "How is the `inbox` of a signup related to the `username` that was asked for?",
  act: acceptedSignup,
  answer({ username, exchange }) {
    const { inbox } = jsonMembers(exchange);
    if (typeof inbox !== "string") return `inbox is not a string: ${shown(inbox)}`;
    if (inbox === username) return "inbox equals the username";
    return inbox.includes(username) ? "inbox contains the username" : "inbox is unrelated to the username";
  },
});

/** Asked for before any login of the agent, which may end the session of its signup (C-92). */
function firstCapability(target: Target): Promise<Exchange> {
  return target.once("pow:signup-capability", async (recording) =>
    postCapability(recording, (await newAgent(recording.setup)).session),
  );
}

const signupSession = check({
  id: "POW-10",
  claim: "The session of a signup mints a capability that opens a JMAP session document.",
  async act(target) {
    const minted = await firstCapability(target);
    const capability = isSuccess(minted)
      ? requireBearer(minted, "minting a capability", "POW-02/capability")
      : undefined;
    const document =
      capability === undefined ? undefined : await followedSessionDocument(target, [bearer(capability)]);
    return { minted, document };
  },
  assert({ minted, document }) {
    if (document === undefined) {
      throw new Violation("a capability for the session of a signup", summary(minted), {
        exchange: minted,
        explainedBy: "POW-48",
      });
    }
    if (isSuccess(document) && jsonMembers(document)["primaryAccounts"] !== undefined) return;
    throw new Violation("a JMAP session document", summary(document), {
      exchange: document,
      explainedBy: "POW-59",
    });
  },
});

const sameInbox = check({
  id: "POW-11",
  claim: "The `apiKey` of a signup logs in to the inbox of that signup, each of two times.",
  async act(target) {
    const { apiKey } = await newAgent(target.setup);
    const accountOf = async (minted: Exchange): Promise<string> => {
      const capability = requireBearer(minted, "minting a capability", "POW-48");
      return (await mailSession(target.setup, capability)).accountId;
    };
    const expected = await accountOf(await firstCapability(target.setup));
    const logins: { exchange: Exchange; accountId: string | undefined }[] = [];
    for (let count = 0; count < 2; count += 1) {
      const exchange = await logIn(target, apiKey);
      const opened = isSuccess(exchange)
        ? requireBearer(exchange, "logging in", "POW-02/session")
        : undefined;
      logins.push({
        exchange,
        accountId: opened && (await accountOf(await postCapability(target.setup, opened))),
      });
    }
    return { logins, expected };
  },
  assert({ logins, expected }) {
    for (const { exchange, accountId } of logins) {
      expectSession(exchange);
      expectThat(
        accountId === expected,
        `a session for the mail account ${expected} of the signup`,
        `one for ${accountId}`,
        exchange,
      );
    }
  },
});

const keyLength = recommend({
  id: "B-POW-05/api-key",
  claim: "An `apiKey` is long enough for 128 random bits.",
  act: newAgent,
  assert: ({ apiKey, response }) =>
    // 22 characters of base64url carry 128 bits.
    expectThat(apiKey.length >= 22, "22 characters or more", `${apiKey.length}`, response),
});

export const signupChecks = [...accepted, body, nextSteps, inboxName, signupSession, sameInbox, keyLength];
