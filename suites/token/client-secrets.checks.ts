import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectThat, expectTokenRefused, missingSecretErrors } from "../support/judging/expect.ts";
import { clientFor, requireDynamicRegistration } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { freshGrant } from "../support/material/grants.ts";
import {
  inOtherCase,
  withBeginningChanged,
  withCharacterAdded,
  withEndChanged,
} from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, Violation, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { foreignClient } from "./foreign-client.ts";
import { expectTokens } from "./issued.ts";

const rightSecret = check({
  id: "TOKEN-15/right-secret",
  claim:
    "A confidential client's code exchange with its `client_secret` is answered 200 with an access token.",
  needs: ["human"],
  act: async (target) => (await freshGrant(target, { client: "confidential" })).response,
  assert: expectTokens,
});

const days = 86_400;

const lasting = recommend({
  id: "B-DCR-02/sixty-days-later",
  claim: "A `client_secret` that was registered without an expiry is still accepted 60 days later.",
  needs: ["human"],
  waitSeconds: 60 * days,
  async act(target) {
    requireDynamicRegistration(target);
    const client = await clientFor(target, "confidential", "lasting");
    if (client.secretEndsAtSeconds !== undefined)
      throw new NotApplicableError("the registration names the end of its secret");
    await target.wait(60 * days);
    target.spend("grants");
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    return postToken(target, codeExchange(code));
  },
  assert(exchange) {
    const isClientRefused = jsonMembers(exchange)["error"] === "invalid_client";
    if (!isSuccess(exchange) && !isClientRefused)
      throw controlRefused("a valid code exchange", "200 with tokens", exchange, "TOKEN-15/right-secret");
    expectThat(isSuccess(exchange), "200 with tokens", summary(exchange), exchange);
  },
});

const rightSecretAtRefresh = check({
  id: "TOKEN-15/refresh-right-secret",
  claim: "A confidential client's refresh with its `client_secret` is answered 200 with an access token.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target, { client: "confidential" });
    return postToken(target, refreshExchange(grant.client, grant.tokens.refresh_token));
  },
  assert: expectTokens,
});

interface SecretFlaw {
  readonly slug: string;
  /** Reads after "A confidential client's code exchange with". */
  readonly words: string;
  readonly secret: (own: string, target: Target, clientId: string) => string | Promise<string>;
  /** Judges by itself why the exchange succeeded. */
  readonly explainedBy?: string;
  /** What an accepted exchange means, where that is tolerated with a warning. */
  readonly tolerated?: string;
  /** `invalid_client` when left out. */
  readonly errors?: readonly string[];
}

const secretFlaws: readonly SecretFlaw[] = [
  { slug: "wrong", words: "a random `client_secret`", secret: () => unguessable() },
  {
    slug: "empty",
    words: "an empty `client_secret`",
    secret: () => "",
    explainedBy: "TOKEN-18/code",
    errors: missingSecretErrors,
  },
  {
    slug: "other-clients",
    words: "the `client_secret` of another client",
    secret: async (_own, target) => (await foreignClient(target)).client_secret ?? "",
    explainedBy: "TOKEN-15/wrong",
  },
  {
    slug: "first-half",
    words: "the first half of its `client_secret`",
    secret: (own) => own.slice(0, own.length / 2),
    explainedBy: "TOKEN-15/wrong",
  },
  {
    slug: "other-end",
    words: "the last characters of its `client_secret` changed",
    secret: (own) => withEndChanged(own, "client secrets"),
    explainedBy: "TOKEN-15/wrong",
  },
  {
    slug: "last-three",
    words: "the last three characters of its `client_secret` changed",
    secret: (own) => withEndChanged(own, "client secrets", 3),
    explainedBy: "TOKEN-15/other-end",
  },
  {
    slug: "first-three",
    words: "the first three characters of its `client_secret` changed",
    secret: (own) => withBeginningChanged(own, "client secrets", 3),
    // The beginning may be a label of the format, which is the target's own.
    tolerated: "a `client_secret` with other first characters is accepted",
  },
  {
    slug: "longer",
    words: "characters added to its `client_secret`",
    secret: (own) => withCharacterAdded(own, "client secrets"),
    explainedBy: "TOKEN-15/wrong",
  },
  {
    slug: "client-id",
    words: "its `client_id` as `client_secret`",
    secret: (_own, _target, id) => id,
    explainedBy: "TOKEN-15/wrong",
  },
  {
    slug: "trailing-space",
    words: "a trailing space in its `client_secret`",
    secret: (own) => `${own} `,
    tolerated: "a `client_secret` with a trailing space is accepted",
  },
  {
    slug: "behind-nul",
    words: "a NUL and a letter appended to its `client_secret`",
    secret: (own) => `${own}\0x`,
    explainedBy: "TOKEN-15/longer",
    // No secret may have a NUL (RFC 6749, Appendix A.2), so that the request may be called malformed.
    errors: ["invalid_client", "invalid_request"],
  },
];

async function exchangeWithSecret(target: Target, secret: SecretFlaw["secret"]): Promise<Exchange> {
  const code = await redeemableCode(target, { client: "confidential" });
  const sent = await secret(code.client.client_secret ?? "", target, code.client.client_id);
  return postToken(target, replacing(codeExchange(code), "client_secret", sent));
}

const invalidClient = ["invalid_client"];

const wrongSecrets = secretFlaws.map(
  ({ slug, words, secret, explainedBy, tolerated, errors = invalidClient }) =>
    check({
      id: `TOKEN-15/${slug}`,
      claim: `A confidential client's code exchange with ${words} is refused with ${codeSpans(errors)}.`,
      needs: ["human"],
      act: (target) => exchangeWithSecret(target, secret),
      assert(exchange): Warning | undefined {
        if (isSuccess(exchange)) {
          if (tolerated !== undefined) return warning(tolerated);
          throw new Violation("a refusal with invalid_client", summary(exchange), { exchange, explainedBy });
        }
        expectTokenRefused(exchange, errors);
        return undefined;
      },
    }),
);

const otherCase = observe({
  id: "TOKEN-15/other-case",
  question: "Is a code exchange accepted with the case of the letters of its `client_secret` swapped?",
  needs: ["human"],
  act: (target) => exchangeWithSecret(target, (own) => inOtherCase(own, "client secrets")),
  answer: (exchange) => (isSuccess(exchange) ? "yes" : `no: ${summary(exchange)}`),
});

/** A confidential client's own secret, and what differs from it. Document, "POST /oauth/token". */
export const clientSecretChecks = [rightSecret, rightSecretAtRefresh, lasting, ...wrongSecrets, otherCase];
