import {
  codeExchange,
  mcpResource,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import {
  expectNoTokens,
  expectThat,
  expectTokenRefused,
  isRefusal,
  missingSecretErrors,
} from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { refreshed } from "../support/material/grants.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { unsigned } from "../support/material/jwt-forgery.ts";
import type { Target } from "../support/target/target.ts";
import { summary } from "../support/wire/exchange.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";

const noSecret = check({
  id: "TOKEN-18/code",
  claim: `The code exchange of a client registered for \`client_secret_post\` without its secret is refused with ${codeSpans(missingSecretErrors)}.`,
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert: (exchange) => expectTokenRefused(exchange, missingSecretErrors),
});

const noSecretForMcp = check({
  id: "TOKEN-18/mcp",
  claim: `The exchange of a confidential client's code for the MCP resource without its secret is refused with ${codeSpans(missingSecretErrors)}.`,
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential", resource: mcpResource(target) });
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert: (exchange) => explained("TOKEN-18/code", () => expectTokenRefused(exchange, missingSecretErrors)),
});

const noSecretOnLoopback = check({
  id: "TOKEN-18/loopback",
  claim: `The code exchange of a confidential client on a loopback address without its secret is refused with ${codeSpans(missingSecretErrors)}.`,
  needs: ["human"],
  act: (target) =>
    triedOnLoopback(target, async () => {
      const code = await redeemableCode(target, { client: "nativeConfidential" });
      return postToken(target, without(codeExchange(code), "client_secret"));
    }),
  assert: (exchange) => explained("TOKEN-18/code", () => expectTokenRefused(exchange, missingSecretErrors)),
});

const anonymousErrors = ["invalid_request", "invalid_client"];

/** A secret says who is there only together with a name. */
const secretAlone = [
  {
    id: "TOKEN-13/secret-alone",
    words: "code exchange",
    fields: async (target: Target): Promise<Parameters> =>
      codeExchange(await redeemableCode(target, { client: "confidential" })),
  },
  {
    id: "TOKEN-13/secret-alone-at-refresh",
    words: "refresh",
    async fields(target: Target): Promise<Parameters> {
      const { client, tokens } = await refreshableGrant(target, { client: "confidential" });
      return refreshExchange(client, tokens.refresh_token);
    },
  },
].map(({ id, words, fields }) =>
  check({
    id,
    claim: `A confidential client's ${words} with its secret and without \`client_id\` is refused with ${codeSpans(anonymousErrors)}.`,
    needs: ["human"],
    act: async (target) => postToken(target, without(await fields(target), "client_id")),
    assert: (exchange) => explained("TOKEN-13/missing", () => expectTokenRefused(exchange, anonymousErrors)),
  }),
);

const noSecretAfterRefresh = check({
  id: "TOKEN-18/second-refresh",
  claim: `A confidential client's refresh without its secret is refused with ${codeSpans(missingSecretErrors)}, also when it sent the secret with the refresh before.`,
  needs: ["human"],
  async act(target) {
    const grant = await refreshed(target, await refreshableGrant(target, { client: "confidential" }));
    const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
    return postToken(target, without(fields, "client_secret"));
  },
  assert: (exchange) =>
    explained("REFRESH-12/omitted", () => expectTokenRefused(exchange, missingSecretErrors)),
});

/** An assertion that nobody has signed (RFC 7523 §3). */
function unsignedAssertion({ authUrl }: Target, clientId: string): string {
  const claims = { iss: clientId, sub: clientId, aud: authUrl, jti: unguessable(), exp: 4102444800 };
  return unsigned({ typ: "JWT" }, claims, "none");
}

const assertion = check({
  id: "TOKEN-18/assertion",
  claim:
    "A confidential client's code exchange with an unsigned `client_assertion` in place of its secret is refused and gets no tokens.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postToken(
      target,
      adding(
        without(codeExchange(code), "client_secret"),
        ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
        ["client_assertion", unsignedAssertion(target, code.client.client_id)],
      ),
    );
  },
  assert(exchange) {
    explained("TOKEN-18/code", () => expectNoTokens(exchange));
    expectThat(isRefusal(exchange), "a refusal with 4xx", summary(exchange), exchange);
  },
});

const requests = [
  {
    slug: "code",
    words: "A code exchange",
    fields: async (target: Target): Promise<Parameters> => codeExchange(await redeemableCode(target)),
  },
  {
    slug: "refresh",
    words: "A refresh",
    async fields(target: Target): Promise<Parameters> {
      const grant = await refreshableGrant(target);
      return refreshExchange(grant.client, grant.tokens.refresh_token);
    },
  },
];

const unknownClient = requests.map(({ slug, words, fields }) =>
  check({
    id: `TOKEN-16/${slug}`,
    claim: `${words} with an unknown \`client_id\` is refused with \`invalid_client\`.`,
    needs: ["human"],
    act: async (target) =>
      postToken(target, replacing(await fields(target), "client_id", `unknown-${unguessable()}`)),
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_client"]),
  }),
);

const unneededSecret = observe({
  id: "TOKEN-14/random-secret",
  question: "What does the code exchange of a public client with a random `client_secret` get?",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(codeExchange(await redeemableCode(target)), ["client_secret", unguessable()])),
  answer: (exchange) => summary(exchange),
});

/** Who says which client it is. Document, "POST /oauth/token". */
export const clientAuthenticationChecks = [
  noSecret,
  noSecretForMcp,
  noSecretOnLoopback,
  ...secretAlone,
  noSecretAfterRefresh,
  assertion,
  ...unknownClient,
  unneededSecret,
];
