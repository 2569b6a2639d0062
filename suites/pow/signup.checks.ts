import {
  claimsOf,
  logIn,
  newUsername,
  openSession,
  postCapability,
  requireBearer,
  solvedChallenge,
} from "../support/actors/agent.ts";
import { followedSessionDocument, mailSession } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { bearer } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";
import { expectSession } from "./session-requests.ts";

interface Signup {
  readonly username: string;
  readonly exchange: Exchange;
}

/**
 * A signup with a correct solution, as it came; one for all checks that look at it.
 *
 * @throws {InconclusiveError} control-refused, when it was refused and the salt was a guess: then the guess is as likely wrong
 */
function signup(target: Target): Promise<Signup> {
  return target.once("pow:signup", async (recording) => {
    recording.spend("sign_ups");
    const username = newUsername(recording);
    const { challenge, proof } = await solvedChallenge(recording);
    const exchange = await openSession(recording, challenge.jwt, { ...proof, username });
    const { salt, salt_claim: claim } = recording.profile.pow;
    const isGuess = salt === undefined && claim === undefined && challenge.claims["salt"] === undefined;
    if (isGuess && !isSuccess(exchange)) {
      throw new InconclusiveError(
        "control-refused",
        `a signup got ${summary(exchange)} with a salt that was guessed from the challenge; set pow.salt or pow.salt_claim in the profile`,
      );
    }
    return { username, exchange };
  });
}

const accepted = [
  { id: "POW-08", claim: "A signup with a correct solution gives 2xx with a session JWT in the header." },
  {
    id: "POW-12/correct",
    claim: "A solution made by scrypt with N=16384, r=8, p=1 and 64 bytes is accepted.",
  },
  { id: "POW-14", claim: "A solution made with the UTF-8 bytes of the salt's hexadecimal text is accepted." },
  {
    id: "POW-70",
    claim:
      "A signup succeeds with the challenge, powHex, nonce and username alone: no cookie, address or other header.",
  },
].map(({ id, claim }) =>
  check({
    id,
    claim,
    needs: [],
    act: signup,
    assert: ({ exchange }) => expectSession(exchange),
  }),
);

function requireSignup({ exchange }: Signup): { apiKey: string; session: string } {
  const session = requireBearer(exchange, "signing up");
  const { apiKey } = jsonMembers(exchange);
  if (typeof apiKey === "string" && apiKey !== "") return { apiKey, session };
  throw new InconclusiveError("control-refused", "signing up: expected a string apiKey in the body");
}

const body = check({
  id: "POW-09/body",
  claim: "The body of a signup has a non-empty string apiKey and a non-empty string inbox.",
  async act(target) {
    const made = await signup(target);
    requireBearer(made.exchange, "signing up");
    return made;
  },
  assert({ exchange }) {
    const { apiKey, inbox } = jsonMembers(exchange);
    // The key itself is a secret; its type says enough.
    expectThat(
      typeof apiKey === "string" && apiKey !== "",
      "apiKey to be a non-empty string",
      apiKey === "" ? "an empty one" : typeof apiKey,
    );
    expectThat(
      typeof inbox === "string" && inbox !== "",
      "inbox to be a non-empty string",
      inbox === "" ? "an empty one" : typeof inbox,
    );
  },
});

const inboxName = check({
  id: "POW-09/inbox-and-username",
  claim: "How the inbox of a signup relates to the username that was asked for.",
  act: signup,
  assert({ username, exchange }) {
    const { inbox } = jsonMembers(exchange);
    if (typeof inbox !== "string") return observation(`inbox is no string: ${shown(inbox)}`);
    const relation =
      inbox === username ? "equals" : inbox.includes(username) ? "contains" : "is unrelated to";
    return observation(`inbox ${relation} the username`);
  },
});

const signupSession = check({
  id: "POW-10",
  claim: "The session of a signup mints a capability, which opens a JMAP session document.",
  async act(target) {
    const { session } = requireSignup(await signup(target));
    const minted = await postCapability(target, session);
    const capability = isSuccess(minted) ? requireBearer(minted, "minting a capability") : undefined;
    const document =
      capability === undefined ? undefined : await followedSessionDocument(target, [bearer(capability)]);
    return { minted, document };
  },
  assert({ minted, document }) {
    if (document === undefined)
      throw new Violation("a capability for the session of a signup", summary(minted));
    expectThat(
      isSuccess(document) && jsonMembers(document)["primaryAccounts"] !== undefined,
      "a JMAP session document",
      summary(document),
    );
  },
});

const sameInbox = check({
  id: "POW-11",
  claim: "The apiKey of a signup logs in to the inbox of that signup, each of two times.",
  async act(target) {
    const { apiKey, session } = requireSignup(await signup(target));
    const accountOf = async (sessionJwt: string): Promise<string> => {
      const capability = requireBearer(await postCapability(target, sessionJwt), "minting a capability");
      return (await mailSession(target, capability)).accountId;
    };
    const logins = [await logIn(target, apiKey), await logIn(target, apiKey)];
    const accountIds: string[] = [];
    for (const login of logins.filter(isSuccess))
      accountIds.push(await accountOf(requireBearer(login, "logging in")));
    return { logins, accountIds, expected: await accountOf(session) };
  },
  assert({ logins, accountIds, expected }) {
    for (const login of logins) expectSession(login);
    for (const accountId of accountIds)
      expectThat(
        accountId === expected,
        `the mail account ${expected} of the signup`,
        `${accountId} after a login`,
      );
  },
});

const keyLength = check({
  id: "B-POW-05/api-key",
  claim: "An apiKey is long enough for 128 random bits.",
  act: async (target) => requireSignup(await signup(target)).apiKey.length,
  // 22 characters of base64url carry 128 bits.
  assert: (length) =>
    length < 22 ? warning(`an apiKey of ${length} characters has room for fewer than 128 bits`) : undefined,
});

const algorithm = check({
  id: "B-POW-03/signed",
  claim: "Challenge and session JWTs of the target name a signature algorithm other than none.",
  async act(target) {
    const { exchange } = await signup(target);
    return requireBearer(exchange, "signing up");
  },
  assert(token) {
    const head = token.split(".", 1)[0] ?? "";
    const text = Buffer.from(head, "base64url").toString("utf8");
    if (claimsOf(token) === undefined) return observation("the session is no JWT that can be read");
    return /"alg"\s*:\s*"none"/iu.test(text) ? warning("the session JWT has alg none") : undefined;
  },
});

export const signupChecks = [...accepted, body, inboxName, signupSession, sameInbox, keyLength, algorithm];
