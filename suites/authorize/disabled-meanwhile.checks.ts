import { attempt, codeIn, endedClients } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { callHook } from "../support/actors/operator.ts";
import { withSlowPerson } from "../support/actors/slow-person.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { clientFor } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { NotApplicableError } from "../support/verdict.ts";

/** The person approves what was no longer to be asked of them. Document, "Errors": invalid_client. */
export const disabledMeanwhileChecks = [
  check({
    id: "AUTHZ-07/open-page",
    claim:
      "A client that is disabled while its consent page is open gets no tokens when the person approves.",
    needs: ["human", "pages"],
    unlockedBy: "disable_client_hook",
    async act(target) {
      await redeemableCode(target, {});
      // The page of who has to sign in first is not yet the consent page.
      await sharedAccessToken(target.setup);
      const client = await clientFor(target.setup, "public", `disabled-meanwhile:${unguessable()}`);
      const request = authorizationRequest(target, client);
      const slow = withSlowPerson(target, async () => {
        target.note(endedClients, client.client_id);
        await callHook(target.setup, "disable_client", { client_id: client.client_id });
        // The person has this page open, and can look at no other meanwhile.
        await target.pause(target.profile.revocation_propagation_seconds * 1000);
      });
      target.spend("grants");
      const { end } = await attempt(slow.target, request);
      if (!slow.hasSentForm())
        throw new NotApplicableError("the person sends no form, and so is not waited for");
      const code = codeIn(end);
      if (code === undefined) return { exchange: end.exchange, isExchange: false };
      const redirect_uri = registeredRedirectUri(client);
      const exchange = await postToken(
        target,
        codeExchange({ code, client, verifier: request.verifier, redirect_uri }),
      );
      return { exchange, isExchange: true };
    },
    assert({ exchange, isExchange }) {
      // Without a code there are no tokens.
      if (isExchange)
        explained("AUTHZ-07/code", () => expectTokenRefused(exchange, ["invalid_client", "invalid_grant"]));
    },
  }),
];
