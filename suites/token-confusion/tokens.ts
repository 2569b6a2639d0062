import { freshCapability, requestChallenge, sharedAgent, sharedSession } from "../support/agent.ts";
import { jmapResource, mcpResource } from "../support/app.ts";
import { redeemableCode } from "../support/controls.ts";
import type { Need } from "../support/check.ts";
import { freshGrant, type Grant, sharedAccessToken } from "../support/grants.ts";
import type { Target } from "../support/target.ts";

/** A kind of credential that the document knows; each works at its own endpoints and nowhere else. */
export interface TokenKind {
  readonly words: string;
  readonly needs: readonly Need[];
  /** A valid one, good for minutes and not used up. */
  readonly obtain: (target: Target) => Promise<string>;
}

/** A grant of this suite: its tokens go where they do not belong, and a wary target may revoke it for that. */
export function strayGrant(target: Target): Promise<Grant> {
  return target.once("confusion:grant", (recording) => freshGrant(recording));
}

export const tokenKinds = {
  CH: {
    words: "a fresh challenge JWT",
    needs: [],
    obtain: async (target) => (await requestChallenge(target)).jwt,
  },
  SE: { words: "a valid session JWT", needs: ["pow"], obtain: (target) => sharedSession(target) },
  CA: { words: "a valid capability JWT", needs: ["pow"], obtain: (target) => freshCapability(target) },
  AJ: {
    words: "an access token for JMAP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: jmapResource(target) }),
  },
  AM: {
    words: "an access token for MCP",
    needs: ["human"],
    obtain: (target) => sharedAccessToken(target, { resource: mcpResource(target) }),
  },
  RT: {
    words: "a refresh token",
    needs: ["human"],
    obtain: async (target) => (await strayGrant(target)).tokens.refresh_token,
  },
  AC: {
    words: "an unused authorization code",
    needs: ["human"],
    obtain: async (target) => (await redeemableCode(target)).code,
  },
  KEY: {
    words: "an apiKey",
    needs: ["pow"],
    obtain: async (target) => (await sharedAgent(target)).apiKey,
  },
} as const satisfies Record<string, TokenKind>;

export type TokenCode = keyof typeof tokenKinds;
