import { controlRefused } from "../support/wire/control-refused.ts";
import { logIn, postCapability, requireBearer } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { getSessionDocument } from "../support/actors/mail-session.ts";
import { type Client, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectStatus, expectThat } from "../support/judging/expect.ts";
import { freshGrant } from "../support/material/grants.ts";
import { bearer } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { revoke } from "./revoked-grants.ts";

const garbageJwt = "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ4In0.AAAA";

const unrecognised: readonly { slug: string; words: string; token: () => string }[] = [
  { slug: "random", words: "a random value", token: () => unguessable() + unguessable() },
  { slug: "short", words: "a single letter", token: () => "x" },
  { slug: "jwt", words: "a JWT that nobody signed", token: () => garbageJwt },
  { slug: "no-jwt", words: "what only begins like a JWT", token: () => "eyJ.." },
  { slug: "5-kilobytes", words: "5 kB", token: () => "a".repeat(5000) },
  { slug: "non-ascii", words: "letters beyond ASCII", token: () => "t\u{00F6}k\u{20AC}n\u{1F511}" },
];

const answered = unrecognised.map(({ slug, words, token }) =>
  check({
    id: `REVOKE-06/${slug}`,
    claim: `Revoking ${words} is answered 200.`,
    act: async (target) => revoke(target, await sharedClient(target, "public"), token()),
    assert: (exchange) => expectStatus(exchange, 200),
  }),
);

const brokenSignature = check({
  id: "REVOKE-06/broken-signature",
  claim: "Revoking an access token whose signature was tampered with is answered 200.",
  needs: ["human"],
  async act(target) {
    // A grant of its own: a target that takes the token for genuine revokes it.
    const { client, tokens } = await freshGrant(target);
    return revoke(target, client, tamperedSignature(tokens.access_token));
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

/** In the middle: the last character of a signature has bits that no decoder reads. */
function tamperedSignature(token: string): string {
  const at = token.lastIndexOf(".") + 20;
  return `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
}

interface ForeignToken {
  readonly slug: string;
  readonly words: string;
  /** A token of its own and what shows that it works. */
  readonly obtain: (target: Target) => Promise<{ token: string; use: () => Promise<Exchange> }>;
}

const ofAgents: readonly ForeignToken[] = [
  {
    slug: "session",
    words: "session JWT",
    async obtain(target) {
      const { apiKey } = await sharedAgent(target);
      const token = requireBearer(await logIn(target, apiKey), "logging in");
      return { token, use: () => postCapability(target, token) };
    },
  },
  {
    slug: "capability",
    words: "capability JWT",
    async obtain(target) {
      const token = await freshCapability(target);
      return { token, use: () => getSessionDocument(target, [bearer(token)]) };
    },
  },
];

const untouched = ofAgents.map(({ slug, words, obtain }) =>
  check({
    id: `REVOKE-15/${slug}`,
    claim: `Revoking an agent's ${words} is answered 200, and the ${words} still works.`,
    needs: [],
    async act(target) {
      const client: Client = await sharedClient(target, "public");
      const { token, use } = await obtain(target);
      const before = await use();
      if (!isSuccess(before)) {
        throw controlRefused(`a ${words} before the revocation`, "2xx", before);
      }
      return { revocation: await revoke(target, client, token), after: await use() };
    },
    assert({ revocation, after }) {
      expectStatus(revocation, 200);
      expectThat(isSuccess(after), `the ${words} to work`, summary(after));
    },
  }),
);

export const unrecognisedChecks = [...answered, brokenSignature, ...untouched];
