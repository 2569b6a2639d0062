import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { freshCode, freshGrant, type GrantSpec } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";

const sendingAlone: GrantSpec = { scope: "mail.send" };

/**
 * The token response for somebody who leaves nothing of a request.
 *
 * @returns undefined when there is no code: the page comes again, says no, or offers no such choice
 */
async function responseWithNothingLeft(target: Target): Promise<Exchange | undefined> {
  try {
    const code = await freshCode(target, { ...sendingAlone, decision: "approve read-only" });
    return await postToken(target, codeExchange(code));
  } catch (error) {
    const isWithoutCode =
      error instanceof InconclusiveError && ["control-refused", "consent-stuck"].includes(error.code);
    if (isWithoutCode) return undefined;
    throw error;
  }
}

/** What the person approves is all that is granted, be it nothing. Document, "Authentication", OAuth 2.0 path 7. */
export const nothingGranted = check({
  id: "SCOPE-06/nothing-left",
  claim:
    "Somebody who takes `mail.send` out of a request for it alone, where the page offers that, gives no `mail.send` by approving.",
  needs: ["human"],
  async act(target) {
    await freshGrant(target.control, sendingAlone);
    return responseWithNothingLeft(target);
  },
  assert(response) {
    if (response === undefined) return;
    const { scope } = jsonMembers(response);
    const sends = typeof scope === "string" && scope.split(" ").includes("mail.send");
    expectThat(!sends, "no tokens, or a scope without mail.send", `scope ${shown(scope)}`, response);
  },
});
