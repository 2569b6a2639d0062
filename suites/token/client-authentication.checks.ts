import {
  type Client,
  codeExchange,
  formContentType,
  mcpResource,
  postRegister,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import {
  expectNoTokens,
  expectThat,
  expectTokenRefused,
  isRefusalStatus,
} from "../support/judging/expect.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { redirectUris, registrationMetadata } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import { inOtherCase, withCharacterAdded, withEndChanged } from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, type Warning, Violation, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, header, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { adding, encodeParameters, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { unsigned } from "../support/material/jwt-forgery.ts";
import { expectTokens } from "./issued.ts";

const rightSecret = check({
  id: "TOKEN-15/right-secret",
  claim:
    "A confidential client's code exchange with its `client_secret` is answered 200 with an access token.",
  needs: ["human"],
  act: async (target) => (await freshGrant(target, { client: "confidential" })).response,
  assert: expectTokens,
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

type Credentials = Pick<Client, "client_id" | "client_secret">;

/** A second confidential client: a server that accepts any client's secret accepts its secret for the first. */
function foreignClient(target: Target): Promise<Credentials> {
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError("needs a second confidential client; allow dynamic registration in the profile");
  return target.setup.once("token:foreign-client", async (recording) => {
    const exchange = await postRegister(
      recording,
      registrationMetadata({
        redirect_uris: [redirectUris.main],
        token_endpoint_auth_method: "client_secret_post",
      }),
    );
    const { client_id: id, client_secret: secret } = jsonMembers(exchange);
    if (typeof id === "string" && typeof secret === "string") return { client_id: id, client_secret: secret };
    throw controlRefused("registering a confidential client", "a client_secret", exchange, "DCR-01");
  });
}

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
    words: "a NUL and a letter behind its `client_secret`",
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

const noSecret = check({
  id: "TOKEN-18/code",
  claim:
    "The code exchange of a client registered for `client_secret_post` without its secret is refused with `invalid_client`.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_client"]),
});

const noSecretForMcp = check({
  id: "TOKEN-18/mcp",
  claim:
    "The exchange of a confidential client's code for the MCP resource without its secret is refused with `invalid_client`.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential", resource: mcpResource(target) });
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert: (exchange) => explained("TOKEN-18/code", () => expectTokenRefused(exchange, ["invalid_client"])),
});

const noSecretAfterRefresh = check({
  id: "TOKEN-18/second-refresh",
  claim:
    "A confidential client's refresh without its secret is refused with `invalid_client`, also when it sent the secret with the refresh before.",
  needs: ["human"],
  async act(target) {
    const grant = await refreshed(target, await refreshableGrant(target, { client: "confidential" }));
    const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
    return postToken(target, without(fields, "client_secret"));
  },
  assert: (exchange) =>
    explained("REFRESH-12/omitted", () => expectTokenRefused(exchange, ["invalid_client"])),
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
    expectThat(isRefusalStatus(exchange.response.status), "a refusal with 4xx", summary(exchange), exchange);
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

function basic({ client_id: id, client_secret: secret = "" }: Credentials): string {
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function postWithBasic(target: Target, client: Credentials, fields: Parameters): Promise<Exchange> {
  return target.send({
    method: "POST",
    url: `${target.authUrl}/oauth/token`,
    headers: [formContentType, ["Authorization", basic(client)]],
    body: encodeParameters(fields),
  });
}

const basicAlone = observe({
  id: "TOKEN-17",
  question: "What does a confidential client with HTTP Basic and no `client_secret` in the body get?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, without(codeExchange(code), "client_secret"));
  },
  answer: (exchange) =>
    isSuccess(exchange)
      ? `${summary(exchange)}: client_secret_basic works, though the metadata of the document do not advertise it`
      : summary(exchange),
});

const twoMethods = recommend({
  id: "B-TOK-10",
  claim: "A code exchange with `client_secret` in the body and HTTP Basic is refused.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, codeExchange(code));
  },
  assert(exchange) {
    expectNoTokens(exchange);
    if (!isRefusalStatus(exchange.response.status))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  },
});

const failedBasic = observe({
  id: "B-TOK-11",
  question: "What does a wrong `client_secret` in HTTP Basic get?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    const fields = without(without(codeExchange(code), "client_secret"), "client_id");
    return postWithBasic(target, { ...code.client, client_secret: unguessable() }, fields);
  },
  answer: (exchange) =>
    `${summary(exchange)}, WWW-Authenticate ${header(exchange, "www-authenticate") ?? "not sent"}`,
});

const wrongBasic = [
  {
    slug: "wrong-in-basic",
    words: "a random secret",
    sender: async (_target: Target, own: Client) => ({ ...own, client_secret: unguessable() }),
  },
  {
    slug: "other-clients-in-basic",
    words: "the id and secret of another client",
    sender: foreignClient,
  },
].map(({ slug, words, sender }) =>
  check({
    id: `TOKEN-15/${slug}`,
    claim: `A confidential client's code exchange with ${words} in HTTP Basic and no \`client_secret\` in its body is refused and gets no tokens.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target, { client: "confidential" });
      const fields = without(codeExchange(code), "client_secret");
      return postWithBasic(target, await sender(target, code.client), fields);
    },
    assert(exchange) {
      explained("TOKEN-18/code", () => expectNoTokens(exchange));
      expectThat(
        isRefusalStatus(exchange.response.status),
        "a refusal with 4xx",
        summary(exchange),
        exchange,
      );
    },
  }),
);

export const clientAuthenticationChecks = [
  rightSecret,
  rightSecretAtRefresh,
  ...wrongSecrets,
  ...wrongBasic,
  otherCase,
  noSecret,
  noSecretForMcp,
  noSecretAfterRefresh,
  assertion,
  ...unknownClient,
  unneededSecret,
  basicAlone,
  twoMethods,
  failedBasic,
];
