import { attempt, codeIn } from "../support/actors/authorization.ts";
import { withSlowPerson } from "../support/actors/slow-person.ts";
import { authorizationRequest, registeredRedirectUri } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectStatus } from "../support/judging/expect.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";
import { redeem } from "./redeemed-codes.ts";

// Longer than most codes live, and shorter than a page for a person should.
const thinkingSeconds = 120;

/** A code lives from its issue. Document, "States", code. */
export const slowConsentChecks = [
  check({
    id: "CODE-11/slow-consent",
    claim: `A code is redeemed at once by a client whose consent page was left open for ${thinkingSeconds} s, unless the page has expired.`,
    needs: ["human", "pages"],
    waitSeconds: thinkingSeconds,
    async act(target) {
      if (target.profile.clock === undefined)
        throw new BlockedError("needs clock.advance_url in the profile");
      const client = await authorizingClient(target);
      // A person who has to sign in first is not yet at the consent page.
      await sharedAccessToken(target.setup);
      const request = authorizationRequest(target, client);
      const slow = withSlowPerson(target, () => target.wait(thinkingSeconds));
      target.spend("grants");
      const code = codeIn((await attempt(slow.target, request)).end);
      if (!slow.hasSentForm())
        throw new NotApplicableError("the person sends no form, and so is not waited for");
      if (code === undefined)
        throw new NotApplicableError(`the consent page is gone after ${thinkingSeconds} s`);
      const { verifier } = request;
      return redeem(target, { code, client, verifier, redirect_uri: registeredRedirectUri(client) });
    },
    assert: (exchange) => explained("CODE-11", () => expectStatus(exchange, 200)),
  }),
];
