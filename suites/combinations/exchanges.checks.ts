import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { requireLastingSecret } from "../support/material/client-secrets.ts";
import { renewSecretFor } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { without } from "../support/wire/parameters.ts";
import { type GrantKind, sampledKinds } from "./grant-kinds.ts";

// The default of the profile's code_max_age_seconds, which is what the check waits.
const longestLifetimeSeconds = 660;

const refusedCodes = ["invalid_grant", "invalid_request"];

const omissions = [
  { requirement: "PKCE-11", field: "code_verifier", judgedBy: "PKCE-11" },
  { requirement: "REDIR-31", field: "redirect_uri", judgedBy: "REDIR-31/missing" },
];

function omitting({ slug, words, conditions, spec }: GrantKind): Check[] {
  return omissions.map(({ requirement, field, judgedBy }) =>
    check({
      id: `${requirement}/${slug}`,
      claim: `Without \`${field}\` a code of ${words} is not redeemed.`,
      ...conditions,
      async act(target) {
        const code = await redeemableCode(target, await spec(target));
        return postToken(target, without(codeExchange(code), field));
      },
      assert: (exchange) => explained(judgedBy, () => expectTokenRefused(exchange, refusedCodes)),
    }),
  );
}

function expiry({ slug, words, conditions, spec }: GrantKind): Check {
  return check({
    id: `CODE-04/${slug}`,
    claim: `A code of ${words} is refused when it is older than the profile's \`code_max_age_seconds\`.`,
    ...conditions,
    waitSeconds: longestLifetimeSeconds,
    async act(target) {
      const seconds = target.profile.code_max_age_seconds;
      const choice = await spec(target);
      if (choice.client === "confidential") await renewSecretFor(target, seconds);
      const code = await redeemableCode(target, choice);
      requireLastingSecret(target, code.client, seconds);
      await target.wait(seconds);
      return postToken(target, codeExchange(code));
    },
    assert: (exchange) => explained("CODE-04", () => expectTokenRefused(exchange, ["invalid_grant"])),
  });
}

/** What every code exchange must fulfil, for kinds of grant that no other suite judges; client-metadata judges its own. */
export const exchangeChecks: readonly Check[] = sampledKinds
  .filter(({ choice }) => choice.client !== "document")
  .flatMap((kind) => [...omitting(kind), expiry(kind)]);
