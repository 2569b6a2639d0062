import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { freshCode, freshGrant, type GrantSpec } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import { grantsSending } from "../support/judging/token-responses.ts";

const sendingAlone: GrantSpec = { scope: "mail.send" };

/** How a request ended of which somebody left nothing. */
interface End {
  /** The token response; absent when there was no code: the page came again, said no, or offered no such choice. */
  readonly response?: Exchange;
  /** What there was in place of a code. */
  readonly refusal?: Exchange | undefined;
}

async function endWithNothingLeft(target: Target): Promise<End> {
  try {
    const code = await freshCode(target, { ...sendingAlone, decision: "approve read-only" });
    return { response: await postToken(target, codeExchange(code)) };
  } catch (error) {
    if (!(error instanceof InconclusiveError) || !["control-refused", "consent-stuck"].includes(error.code))
      throw error;
    const { exchange } = error;
    return { refusal: target.runExchanges().find(({ number }) => number === exchange?.number) };
  }
}

/** What the person approves is all that is granted, be it nothing. Document, "Authentication", OAuth 2.0 path 7. */
export const nothingGranted = check({
  id: "SCOPE-06/nothing-left",
  claim:
    "A person who deselects `mail.send` in a request for only that scope, where the page offers this, does not grant `mail.send` by approving.",
  needs: ["human"],
  async act(target) {
    await freshGrant(target.control, sendingAlone);
    return endWithNothingLeft(target);
  },
  assert({ response }) {
    if (response === undefined) return;
    const { scope } = jsonMembers(response);
    expectThat(
      !grantsSending(response),
      "no tokens, or a scope without mail.send",
      `scope ${shown(scope)}`,
      response,
    );
  },
});
