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
  readonly words: string;
  readonly needs: readonly Need[];
  /** A valid one, good for minutes and not used up. */
  readonly obtain: (target: Target) => Promise<string>;
  /** A second one, where trying the first may use it up. */
  readonly another: (target: Target) => Promise<string>;
}

/** A grant of this suite: its tokens go where they do not belong, and a wary target may revoke it for that. */
export function strayGrant(target: Target): Promise<Grant> {
  return target.once("confusion:grant", (recording) => freshGrant(recording));
}

const grantFor =
  (resource: (target: Target) => string) =>
  async (target: Target): Promise<string> =>
    (await freshGrant(target, { resource: resource(target) })).tokens.access_token;

const strayRefreshToken = async (target: Target): Promise<string> =>
  (await strayGrant(target)).tokens.refresh_token;

const unusedCode = async (target: Target): Promise<string> => (await redeemableCode(target)).code;

const challenge = async (target: Target): Promise<string> => (await requestChallenge(target)).jwt;

const apiKey = async (target: Target): Promise<string> => (await sharedAgent(target)).apiKey;

export const tokenKinds = {
  CH: { words: "a fresh challenge JWT", needs: [], obtain: challenge, another: challenge },
  SE: {
    words: "a valid session JWT",
    needs: [],
    obtain: sharedSession,
    another: async (target) => requireBearer(await firstLogin(target), "logging in"),
  },
  CA: {
    words: "a valid capability JWT",
    needs: [],
    obtain: freshCapability,
    another: freshCapability,
  },
  AJ: {
    words: "an access token for JMAP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: jmapResource(target) }),
    another: grantFor(jmapResource),
  },
  AM: {
    words: "an access token for MCP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    another: grantFor(mcpResource),
  },
  // Opaque: they have no jti that a try could use up.
  RT: {
    words: "a refresh token",
    needs: ["human"],
    obtain: strayRefreshToken,
    another: strayRefreshToken,
  },
  AC: { words: "an unused authorization code", needs: ["human"], obtain: unusedCode, another: unusedCode },
  KEY: { words: "an apiKey", needs: [], obtain: apiKey, another: apiKey },
} as const satisfies Record<string, TokenKind>;

export type TokenCode = keyof typeof tokenKinds;
