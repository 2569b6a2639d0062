import { logIn, requireBearer } from "../support/actors/agent.ts";
import {
  formContentType,
  postRevoke,
  revocationRequest,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectStatus, isRefusal } from "../support/judging/expect.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import {
  expectAccessTokenRejected,
  isAccepted,
  pollUntilRejected,
} from "../support/judging/access-token-use.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { sharedClient } from "../support/material/clients.ts";
import { freshGrant } from "../support/material/grants.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { expectRevocationAnswered, revocableGrant, revoke } from "./revoked-grants.ts";

const accessToken = check({
  id: "REVOKE-01/status",
  claim: "The revocation of an access token is answered 200.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target);
    return revoke(target, grant.client, newest.access_token);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

const refreshToken = check({
  id: "REVOKE-08",
  claim:
    "A public client's revocation of a refresh token with `client_id` and `token` alone is answered 200.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await revocableGrant(target, { client: "other" });
    return revoke(target, grant.client, newest.refresh_token);
  },
  assert: (exchange) => expectRevocationAnswered(exchange),
});

const twice = (["access_token", "refresh_token"] as const).map((kind) =>
  check({
    id: `REVOKE-07/${kind.replace("_", "-")}`,
    claim: `The second revocation of the same ${kind.replace("_", " ")} is answered 200.`,
    needs: ["human"],
    async act(target) {
      const { grant, newest } = await revocableGrant(target);
      const first = await revoke(target.control, grant.client, newest[kind]);
      if (!isSuccess(first)) throw controlRefused("the first revocation", "200", first, "REVOKE-01/status");
      return revoke(target, grant.client, newest[kind]);
    },
    assert: (exchange) => expectRevocationAnswered(exchange),
  }),
);

const forgedJwt = "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ4In0.AAAA";

interface UnrecognisedToken {
  readonly slug: string;
  /** Reads after "The revocation of". */
  readonly words: string;
  readonly token: (target: Target) => string | Promise<string>;
}

function arbitraryToken(): string {
  return unguessable() + unguessable();
}

const arbitrary: UnrecognisedToken = { slug: "random", words: "a random value", token: arbitraryToken };

const odd: readonly UnrecognisedToken[] = [
  { slug: "short", words: "a single letter", token: () => "x" },
  { slug: "jwt", words: "a JWT with a made-up signature", token: () => forgedJwt },
  { slug: "no-jwt", words: "a text that only starts like a JWT", token: () => "eyJ.." },
  { slug: "three-letters", words: "`a.b.c`, which has as many parts as a JWT,", token: () => "a.b.c" },
  {
    slug: "null-jwt",
    words: "a JWT whose header and claims are the JSON `null`",
    token: () => "bnVsbA.bnVsbA.AAAA",
  },
  { slug: "5-kilobytes", words: "a text of 5 kB", token: () => "a".repeat(5000) },
  { slug: "non-ascii", words: "letters beyond ASCII", token: () => "t\u{00F6}k\u{20AC}n\u{1F511}" },
  {
    slug: "session",
    words: "an agent's session JWT",
    // Of its own: no other check loses it to a target that revokes it.
    token: async (target) =>
      requireBearer(
        await logIn(target.setup, (await sharedAgent(target, "busy")).apiKey),
        "logging in",
        "POW-11",
      ),
  },
  {
    slug: "capability",
    words: "an agent's capability JWT",
    token: (target) => freshCapability(target),
  },
];

function answered({ slug, words, token }: UnrecognisedToken, refusedToo?: string) {
  return check({
    id: `REVOKE-06/${slug}`,
    claim: `The revocation of ${words} is answered 200.`,
    act: async (target) => revoke(target, await sharedClient(target, "public"), await token(target)),
    assert: (exchange) => expectRevocationAnswered(exchange, refusedToo),
  });
}

const unrecognised = [answered(arbitrary), ...odd.map((row) => answered(row, "REVOKE-06/random"))];

const ofOtherKinds = [
  { client: "confidential" as const, words: "a confidential client with its secret", unlockedBy: undefined },
  ...otherClients,
].map(({ client: kind, words, unlockedBy }) =>
  check({
    id: `REVOKE-06/random-${kind}`,
    claim: `The revocation of a random value by ${words} is answered 200.`,
    ...(unlockedBy !== undefined && { unlockedBy }),
    // The target knows a client with a URL from an authorization request, and an operator's secret from a profile may be wrong.
    ...(kind !== "confidential" && { needs: ["human"] }),
    async act(target) {
      const { client } =
        kind === "confidential"
          ? { client: await sharedClient(target, kind) }
          : await freshGrant(target.setup, { client: kind });
      return postRevoke(target, [
        ["client_id", client.client_id],
        ["token", arbitraryToken()],
        ...secretOf(client),
      ]);
    },
    assert: (exchange) => expectRevocationAnswered(exchange, "REVOKE-06/random"),
  }),
);

const brokenSignature = check({
  id: "REVOKE-06/broken-signature",
  claim: "The revocation of an access token with a broken signature is answered 200.",
  needs: ["human"],
  async act(target) {
    // A grant of its own: a target that takes the token for genuine revokes it.
    const { client, tokens } = await freshGrant(target);
    return revoke(target, client, withBrokenSignature(tokens.access_token));
  },
  assert: (exchange) => expectRevocationAnswered(exchange, "REVOKE-06/random"),
});

/** In the middle: the last character of a signature has bits that no decoder reads. */
function withBrokenSignature(token: string): string {
  const at = token.lastIndexOf(".") + 20;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}

const withCharset = check({
  id: "REVOKE-06/charset",
  claim: "A revocation of `Content-Type: application/x-www-form-urlencoded; charset=UTF-8` is answered 200.",
  async act(target) {
    const { client_id: clientId } = await sharedClient(target, "public");
    const [name, type] = formContentType;
    const fields = [["client_id", clientId] as const, ["token", arbitraryToken()] as const];
    return target.send({
      ...revocationRequest(target, fields),
      headers: [[name, `${type}; charset=UTF-8`]],
    });
  },
  assert: (exchange) => expectRevocationAnswered(exchange, "REVOKE-06/random"),
});

const inChunks = check({
  id: "REVOKE-04/chunked",
  claim:
    "A revocation whose form is sent in chunks ends the grant; a target may ask for a length (411), or refuse it.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await freshGrant(target);
    const request = revocationRequest(target, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
    const form = String(request.body);
    const middle = Math.floor(form.length / 2);
    const revocation = await target.send({ ...request, body: [form.slice(0, middle), form.slice(middle)] });
    return {
      revocation,
      use: isSuccess(revocation) ? await pollUntilRejected(target, tokens.access_token) : undefined,
    };
  },
  assert({ revocation, use }): Warning | undefined {
    if (use !== undefined) {
      expectAccessTokenRejected(use, "REVOKE-04/newest-access-token");
      return undefined;
    }
    // RFC 9110 §15.5.12.
    if (revocation.response.status === 411)
      throw new NotApplicableError("the target requires Content-Length (411)");
    // How a body is framed is HTTP's (RFC 9112 §7.1), of which the document says nothing.
    if (isRefusal(revocation)) return warning(`the form is not read: ${summary(revocation)}`);
    throw new Violation("200, or a refusal", summary(revocation), { exchange: revocation });
  },
});

async function revokeSuperseded(target: Target) {
  const { grant, older, newest } = await revocableGrant(target);
  return { newest, revocation: await revoke(target, grant.client, older.refresh_token) };
}

const superseded = check({
  id: "REVOKE-06/superseded-refresh-token",
  claim: "The revocation of a superseded refresh token is answered 200.",
  needs: ["human"],
  act: async (target) => (await revokeSuperseded(target)).revocation,
  assert: (exchange) => expectRevocationAnswered(exchange, "REVOKE-06/random"),
});

const effectOfSuperseded = observe({
  id: "REVOKE-12/superseded-refresh-token",
  question: "Does revoking a superseded refresh token end the grant?",
  needs: ["human"],
  async act(target) {
    const { newest } = await revokeSuperseded(target);
    return pollUntilRejected(target, newest.access_token);
  },
  answer: (use) => (isAccepted(use) ? "no" : "yes"),
});

const pastExpirySeconds = 960;

/** What the revocation of an expired access token got, and a refresh after it: once for all checks of a run. */
function revokeExpired(target: Target) {
  return target.once("revocation:expired", async (recording) => {
    const { grant, newest } = await revocableGrant(recording);
    await recording.wait(pastExpirySeconds);
    const revocation = await revoke(recording, grant.client, newest.access_token);
    return { revocation, refresh: await pollUntilRefreshRefused(recording, grant, newest) };
  });
}

const expired = check({
  id: "REVOKE-06/expired-access-token",
  claim: "The revocation of an expired access token is answered 200.",
  needs: ["human"],
  waitSeconds: pastExpirySeconds,
  act: async (target) => (await revokeExpired(target)).revocation,
  assert: (exchange) => expectRevocationAnswered(exchange, "REVOKE-06/random"),
});

const effectOfExpired = observe({
  id: "REVOKE-12/expired-access-token",
  question: "Does revoking an expired access token end the grant?",
  needs: ["human"],
  waitSeconds: pastExpirySeconds,
  act: async (target) => (await revokeExpired(target)).refresh,
  answer: (refresh) => (isSuccess(refresh) ? "no" : "yes"),
});

/** What the endpoint answers, whatever the token. Document, "POST /oauth/revoke". */
export const answerChecks = [
  accessToken,
  refreshToken,
  ...twice,
  ...unrecognised,
  ...ofOtherKinds,
  brokenSignature,
  withCharset,
  inChunks,
  superseded,
  effectOfSuperseded,
  expired,
  effectOfExpired,
];
