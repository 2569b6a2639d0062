import { attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { decidedAnew } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import {
  confidentialRequest,
  mcpRequest,
  publicRequest,
  readOnlyRequest,
  singleInboxRequest,
} from "./request-kinds.ts";

const requests = [publicRequest, confidentialRequest, readOnlyRequest, mcpRequest, singleInboxRequest];

/** The person decides, for every kind of request. Document, "GET /oauth/authorize", result. B-AUTHZ-10 judges the error. */
export const declinedChecks = requests.map(({ slug, words, client: kind, choice }) =>
  check({
    id: `AUTHZ-18/${slug}`,
    claim: `An authorization request ${words} that the person declines yields no code.`,
    needs: ["human"],
    async act(target) {
      const chosen = await choice(target);
      const client = await authorizingClient(target, kind, chosen);
      return decidedAnew(target, kind, client, (decidedOn) =>
        attempt(target, authorizationRequest(target, decidedOn, chosen), { decision: "deny" }),
      );
    },
    assert({ end }) {
      expectThat(codeIn(end) === undefined, "no code", "a redirect with a code", end.exchange);
    },
  }),
);
