import { expectTokensUsable } from "./survivors.ts";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { authorizationRequest, postRevoke } from "../support/actors/oauth-client.ts";
import {
  isAccepted,
  pollUntilRejected,
  requireAccepted,
  type TokenUse,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { clientFor } from "../support/material/clients.ts";
import { bystanders } from "../support/material/bystanders.ts";
import { freshGrant, type Grant, grantTo } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

/** How both tokens of a grant fare. */
interface Look {
  readonly use: TokenUse;
  readonly refresh: Exchange;
}

async function lookAt(target: Target, grant: Grant, human?: WhichHuman): Promise<Look> {
  return {
    use: await useAccessToken(target, grant.tokens.access_token, human),
    refresh: await presentRefreshToken(target, grant, grant.tokens),
  };
}

const others = bystanders.map(({ slug, words, spec, needs }) =>
  check({
    id: `REVOKE-09/${slug}`,
    claim: `After a revocation, access token and refresh token of ${words} keep working.`,
    needs: ["human", ...needs],
    async act(target) {
      const { human } = spec;
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
      return lookAt(target, bystander, human);
    },
    assert: expectTokensUsable,
  }),
);

const declined = check({
  id: "REVOKE-09/declined",
  claim: "After the person has declined another request of a client, both tokens of its grant keep working.",
  needs: ["human"],
  async act(target) {
    const client = await clientFor(target, "public", "declined");
    // Less than is asked for then: a target that remembers a consent asks nobody again for the same.
    const grant = await grantTo(target.setup, client, { scope: "mail.read" });
    await requireAccepted(target, grant.tokens.access_token);
    const { end } = await attempt(target.setup, authorizationRequest(target, client), { decision: "deny" });
    if (codeIn(end) !== undefined)
      throw new NotApplicableError("the person is not asked, and so cannot decline");
    return lookAt(target, grant);
  },
  assert: expectTokensUsable,
});

const withoutToken = check({
  id: "REVOKE-09/no-token",
  claim:
    "After a revocation without `token`, and one with an empty `token`, both tokens of a grant to the client keep working.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target);
    await requireAccepted(target, grant.tokens.access_token);
    const id = ["client_id", grant.client.client_id] as const;
    await postRevoke(target, [id]);
    await postRevoke(target, [id, ["token", ""]]);
    return lookAt(target, grant);
  },
  assert: expectTokensUsable,
});

const nestedToken = check({
  id: "REVOKE-09/nested-token",
  claim:
    "After a revocation with `token[$ne]` in place of `token`, both tokens of a grant to the client keep working.",
  needs: ["human"],
  async act(target) {
    // The only grant of its client, which a condition that every token meets would find first.
    const client = await clientFor(target, "public", "nested-revocation");
    const grant = await grantTo(target.setup, client);
    await requireAccepted(target, grant.tokens.access_token);
    await postRevoke(target, [
      ["client_id", client.client_id],
      ["token[$ne]", "none"],
    ]);
    return lookAt(target, grant);
  },
  assert: (look) => explained("REVOKE-09/no-token", () => expectTokensUsable(look)),
});

const newGrant = check({
  id: "REVOKE-09/new-grant",
  claim: "Right after a revocation, both tokens of a new grant of the same person to the same client work.",
  needs: ["human"],
  async act(target) {
    // Nobody else revokes grants to it: some targets let one person's grants to one client stand and fall together.
    const client = await clientFor(target, "public", "new-grant");
    const revoked = await grantTo(target.setup, client);
    await requireAccepted(target, revoked.tokens.access_token);
    await revoke(target, client, revoked.tokens.refresh_token);
    const grant = await grantTo(target.setup, client);
    return lookAt(target, grant);
  },
  assert: expectTokensUsable,
});

const otherGrant = check({
  id: "REVOKE-09/same-client",
  claim:
    "After a revocation, an older grant of the same person to the same client either ends too, or both its tokens keep working.",
  needs: ["human"],
  async act(target) {
    const client = await clientFor(target, "public", "other-grant");
    const older = await grantTo(target.setup, client);
    const revoked = await grantTo(target.setup, client);
    await requireAccepted(target, revoked.tokens.access_token);
    if (!isAccepted(await useAccessToken(target.setup, older.tokens.access_token)))
      throw new NotApplicableError("a newer grant to the same client ends the older one");
    await revoke(target, client, revoked.tokens.refresh_token);
    await pollUntilRejected(target.setup, revoked.tokens.access_token);
    return lookAt(target, older);
  },
  assert({ use, refresh }): Warning | undefined {
    if (isRefusal(refresh))
      throw new NotApplicableError("ending one grant to a client ends its other grants");
    if (!isSuccess(refresh))
      throw controlRefused("refreshing the other grant", "200 or a refusal", refresh, "REFRESH-01");
    return isAccepted(use)
      ? undefined
      : warning(`its refresh token was served, and its access token refused: ${summary(use.jmap)}`);
  },
});

/** A revocation ends the grant of its token, and no other. Document, "States", grant. */
export const isolationChecks = [...others, withoutToken, nestedToken, declined, newGrant, otherGrant];
