import { randomUUID } from "node:crypto";
import { type Challenge, openSession, saltOf } from "../support/actors/agent.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { signatureIgnored } from "./challenge-placement.checks.ts";
import {
  jwtHeader,
  signedByHmac,
  signedByOwnKey,
  unsigned,
  withClaims,
  zeroSignature,
} from "../support/material/jwt-forgery.ts";
import { knownSecrets } from "../support/material/known-secrets.ts";
import { publishedKey } from "../support/material/published-key.ts";
import { challengeOf, someWork } from "./searches.ts";
import { expectRefused } from "./session-requests.ts";

/** A challenge that the target did not issue, and asks for no work. */
interface Forgery {
  readonly id: string;
  /** Reads after "A login with". */
  readonly words: string;
  readonly forge: (parts: {
    readonly real: Challenge;
    readonly header: Readonly<Record<string, unknown>>;
    /** The real claims with another jti and difficulty 0. */
    readonly claims: Readonly<Record<string, unknown>>;
    readonly target: Target;
  }) => string | Promise<string>;
  /** The digest is made over the jti of the real challenge. */
  readonly keepsJti?: true;
  /** What fails too where the target believes the same forgery with any jti. */
  readonly explainedBy?: string;
}

const forgeries: readonly Forgery[] = [
  ...[
    { slug: "none", alg: "none" },
    { slug: "none-capitalised", alg: "None" },
    { slug: "none-upper-case", alg: "NONE" },
    { slug: "none-mixed-case", alg: "nOnE" },
  ].map(({ slug, alg }) => ({
    id: `POW-41/alg-${slug}`,
    words: `a forged challenge without a signature whose \`alg\` is \`${alg}\``,
    forge: ({ header, claims }: Parameters<Forgery["forge"]>[0]) => unsigned(header, claims, alg),
  })),
  ...knownSecrets.map(({ slug, words, secret, kid }) => ({
    id: `POW-41/hmac-${slug}`,
    words: `a forged challenge signed with HMAC, keyed with ${words},`,
    async forge({ real, header, claims, target }: Parameters<Forgery["forge"]>[0]) {
      const named = kid === undefined ? {} : { kid };
      return signedByHmac({ ...header, ...named }, claims, secret(await publishedKey(target, real.jwt)));
    },
  })),
  {
    id: "POW-41/own-key-in-header",
    words: "a forged challenge signed with a key that its header carries",
    forge: ({ header, claims }) => signedByOwnKey(header, claims),
  },
  {
    id: "POW-41/random-segments",
    words: "three random segments as its challenge",
    forge: () => [unguessable(), unguessable(), unguessable()].join("."),
  },
  {
    id: "POW-41/two-segments",
    words: "a forged challenge that lacks the third segment",
    forge: ({ header, claims }) => unsigned(header, claims, "EdDSA").slice(0, -1),
  },
  {
    id: "POW-42/no-difficulty",
    words: "a real challenge whose `difficulty` was changed to 0 under its old signature",
    forge: ({ real }) => withClaims(real.jwt, () => ({ difficulty: 0 })),
    keepsJti: true,
  },
  {
    id: "POW-42/zero-signature",
    words: "a real challenge whose `difficulty` was changed to 0 under a signature of zero bytes",
    forge: ({ real }) => zeroSignature(withClaims(real.jwt, () => ({ difficulty: 0 }))),
    keepsJti: true,
    explainedBy: signatureIgnored,
  },
  {
    id: "POW-42/other-jti",
    words: "a real challenge whose `jti` and `difficulty` were changed under its old signature",
    forge: ({ real, claims }) => withClaims(real.jwt, () => claims),
  },
];

/** A target that keeps the challenges that it issued may look only for their jti. */
const ofIssuedJti: readonly Forgery[] = [
  { forged: "alg-none", slug: "none", words: "without a signature whose `alg` is `none`" },
  {
    forged: "alg-none-capitalised",
    slug: "none-capitalised",
    words: "without a signature whose `alg` is `None`",
  },
  { forged: "hmac-empty-key", slug: "hmac-empty-key", words: "signed with HMAC and an empty key" },
  { forged: "hmac-secret", slug: "hmac-secret", words: "signed with HMAC and the key `secret`" },
  {
    forged: "hmac-key-text",
    slug: "hmac-key-text",
    words: "signed with HMAC and the text of the published public key",
  },
  {
    forged: "own-key-in-header",
    slug: "own-key-in-header",
    words: "signed with a key that its header carries",
  },
].flatMap(({ forged, slug, words }) =>
  forgeries
    .filter(({ id }) => id === `POW-41/${forged}`)
    .map(({ id, forge }) => ({
      id: `POW-42/issued-${slug}`,
      words: `the claims of a real challenge, but \`difficulty\` 0, ${words}`,
      forge,
      keepsJti: true as const,
      explainedBy: id,
    })),
);

export const forgedChallengeChecks = [...forgeries, ...ofIssuedJti].map(
  ({ id, words, forge, keepsJti, explainedBy }) =>
    check({
      id,
      claim: `A login with ${words} is refused.`,
      async act(target) {
        const { apiKey } = await provenAgent(target);
        const real = await challengeOf(target, someWork);
        const jti = keepsJti ? real.jti : randomUUID();
        const parts = {
          real,
          header: jwtHeader(real.jwt),
          claims: { ...real.claims, jti, difficulty: 0 },
          target,
        };
        const nonce = "0";
        const digest = await powDigest({ jti, nonce, saltHexText: saltOf(target, real) });
        return openSession(target, await forge(parts), {
          powHex: Buffer.from(digest).toString("hex"),
          nonce,
          apiKey,
        });
      },
      assert: (exchange) => expectRefused(exchange, explainedBy ?? signatureIgnored),
    }),
);
