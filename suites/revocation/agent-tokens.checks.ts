import { logIn, postCapability, requireBearer } from "../support/actors/agent.ts";
import { bearer } from "../support/actors/jmap.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshCapability, sharedAgent } from "../support/material/agents.ts";
import { sharedClient } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { revoke } from "./revoked-grants.ts";

interface AgentToken {
  readonly slug: string;
  readonly words: string;
  readonly obtain: (target: Target) => Promise<string>;
  readonly use: (target: Target, token: string) => Promise<Exchange>;
  /** Judges its use by itself. */
  readonly judgedBy: string;
}

const agentTokens: readonly AgentToken[] = [
  {
    slug: "session",
    words: "session JWT",
    async obtain(target) {
      const { apiKey } = await sharedAgent(target, "lone");
      return requireBearer(await logIn(target.setup, apiKey), "logging in", "POW-11");
    },
    use: (target, token) => postCapability(target, token),
    judgedBy: "POW-48",
  },
  {
    slug: "capability",
    words: "capability JWT",
    obtain: (target) => freshCapability(target),
    use: (target, token) => followedSessionDocument(target, [bearer(token)]),
    judgedBy: "POW-59",
  },
];

/** A revocation ends grants, and an agent has none. */
export const agentTokenChecks = agentTokens.map(({ slug, words, obtain, use, judgedBy }) =>
  check({
    id: `REVOKE-15/${slug}`,
    claim: `An agent's ${words} still works after an OAuth client tried to revoke it.`,
    async act(target) {
      const client = await sharedClient(target, "public");
      const token = await obtain(target);
      const before = await use(target.control, token);
      if (!isSuccess(before))
        throw controlRefused(`a ${words} before the revocation`, "2xx", before, judgedBy);
      await revoke(target, client, token);
      return use(target, token);
    },
    assert: (after) => expectThat(isSuccess(after), `the ${words} to work`, summary(after), after),
  }),
);
