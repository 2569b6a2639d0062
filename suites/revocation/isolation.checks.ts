import {
  expectAccessTokenAccepted,
  pollUntilRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus } from "../support/judging/expect.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { freshGrant } from "../support/material/grants.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { summary } from "../support/wire/exchange.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const bystanders = [
  { slug: "other-client", words: "another client of the same person", spec: { client: "other" }, needs: [] },
  {
    slug: "other-user",
    words: "the same client of another person",
    spec: { human: "second" },
    needs: ["second-human"],
  },
] as const;

export const isolationChecks = bystanders.map(({ slug, words, spec, needs }) =>
  check({
    id: `REVOKE-09/${slug}`,
    claim: `After a revocation, access token and refresh token of ${words} keep working.`,
    needs: ["human", ...needs],
    async act(target) {
      const human = "human" in spec ? spec.human : "first";
      const bystander = await freshGrant(target, spec);
      await requireAccepted(target, bystander.tokens.access_token, human);
      const { grant, newest } = await revocableGrant(target);
      await revoke(target, grant.client, newest.refresh_token);
      const { jmap } = await pollUntilRejected(target, newest.access_token);
      if (jmap.response.status !== 401) {
        throw new InconclusiveError(
          "precondition-missing",
          `needs a revocation that has an effect; JMAP answered an access token of the grant with ${summary(jmap)}`,
          { exchange: jmap, explainedBy: "REVOKE-04" },
        );
      }
      return {
        use: await useAccessToken(target, bystander.tokens.access_token, human),
        refresh: await presentRefreshToken(target, bystander, bystander.tokens),
      };
    },
    assert({ use, refresh }) {
      expectAccessTokenAccepted(use);
      expectStatus(refresh, 200);
    },
  }),
);
