import { requestChallenge, requireBearer } from "../support/actors/agent.ts";
import { freshCapability, sharedAgent, sharedSession } from "../support/material/agents.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { redeemableCode } from "../support/material/controls.ts";
import type { Need } from "../support/judging/check.ts";
import { freshGrant, type Grant, sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";

/** A kind of credential that the document knows; each works at its own endpoints and nowhere else. */
export interface TokenKind {
  /** Names it in check ids. */
  readonly slug: string;
  readonly words: string;
  readonly needs: readonly Need[];
  /** A valid one, good for minutes and not used up. */
  readonly obtain: (target: Target) => Promise<string>;
  /** A second one, where trying the first may use it up. */
  readonly another: (target: Target) => Promise<string>;
}

/** A grant whose tokens this suite sends where they do not belong, for which a wary target may revoke it. */
export function misusedGrant(target: Target): Promise<Grant> {
  return target.setup.once("confusion:grant", (recording) => freshGrant(recording));
}

const grantFor =
  (resource: (target: Target) => string) =>
  async (target: Target): Promise<string> =>
    (await freshGrant(target, { resource: resource(target) })).tokens.access_token;

const misusedRefreshToken = async (target: Target): Promise<string> =>
  (await misusedGrant(target)).tokens.refresh_token;

const unusedCode = async (target: Target): Promise<string> => (await redeemableCode(target)).code;

const challenge = async (target: Target): Promise<string> => (await requestChallenge(target.setup)).jwt;

const apiKey = async (target: Target): Promise<string> => (await sharedAgent(target)).apiKey;

export const tokenKinds = {
  CH: {
    slug: "challenge",
    words: "a fresh challenge JWT",
    needs: [],
    obtain: challenge,
    another: challenge,
  },
  SE: {
    slug: "session",
    words: "a valid session JWT",
    needs: [],
    obtain: sharedSession,
    another: async (target) => requireBearer(await firstLogin(target.setup), "logging in", "POW-11"),
  },
  CA: {
    slug: "capability",
    words: "a valid capability JWT",
    needs: [],
    obtain: freshCapability,
    another: freshCapability,
  },
  AJ: {
    slug: "jmap-token",
    words: "an access token for JMAP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: jmapResource(target) }),
    another: grantFor(jmapResource),
  },
  AM: {
    slug: "mcp-token",
    words: "an access token for MCP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    another: grantFor(mcpResource),
  },
  // Opaque: it has no jti that a try could use up.
  RT: {
    slug: "refresh-token",
    words: "a refresh token",
    needs: ["human"],
    obtain: misusedRefreshToken,
    another: misusedRefreshToken,
  },
  AC: {
    slug: "code",
    words: "an unused authorization code",
    needs: ["human"],
    obtain: unusedCode,
    another: unusedCode,
  },
  KEY: { slug: "api-key", words: "an `apiKey`", needs: [], obtain: apiKey, another: apiKey },
} as const satisfies Record<string, TokenKind>;

export type TokenCode = keyof typeof tokenKinds;
