import {
  pollUntilRejected,
  expectAccessTokenAccepted,
  isAccepted,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshGrant, type GrantSpec } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation } from "../support/verdict.ts";
import { present, rotatedGrant } from "./rotated-grants.ts";

/**
 * Has a grant ended by reuse, then uses the tokens of a bystander.
 *
 * @throws {InconclusiveError} precondition-missing, when the reuse ends nothing
 */
async function afterReuseBeside(target: Target, spec: GrantSpec) {
  const bystander = await freshGrant(target, spec);
  await requireAccepted(target, bystander.tokens.access_token, spec.human);
  const { grant, oldest, newest } = await rotatedGrant(target, 1);
  await requireAccepted(target, newest.access_token);
  await present(target, grant, oldest);
  const { jmap } = await pollUntilRejected(target, newest.access_token);
  if (jmap.response.status !== 401) {
    throw new InconclusiveError(
      "precondition-missing",
      `needs a reuse that ends its grant; an access token of the grant still got ${summary(jmap)}`,
    );
  }
  return {
    use: await useAccessToken(target, bystander.tokens.access_token, spec.human),
    refresh: await present(target, bystander, bystander.tokens),
  };
}

const bystanders = [
  { slug: "other-client", words: "another client of the same person", spec: { client: "other" }, needs: [] },
  {
    slug: "other-user",
    words: "the same client of another person",
    spec: { human: "second" },
    needs: ["second-human"],
  },
] as const;

const unharmed = bystanders.map(({ slug, words, spec, needs }) =>
  check({
    id: `REFRESH-10/${slug}`,
    claim: `After a reuse, access token and refresh token of ${words} keep working.`,
    needs: ["human", ...needs],
    act: (target) => afterReuseBeside(target, spec),
    assert({ use, refresh }) {
      expectAccessTokenAccepted(use);
      expectThat(refresh.response.status === 200, "200 for the refresh of the other grant", summary(refresh));
    },
  }),
);

const sameClient = check({
  id: "REFRESH-10/same-client",
  claim: "What becomes of a person's other grant to the same client after a reuse.",
  needs: ["human"],
  act: (target) => afterReuseBeside(target, {}),
  assert: ({ use, refresh }) =>
    observation(
      isAccepted(use) && isSuccess(refresh)
        ? "it keeps working"
        : `access token ${summary(use.jmap)}, refresh ${summary(refresh)}`,
    ),
});

export const isolationChecks = [...unharmed, sameClient];
