import { controlRefused } from "../support/wire/control-refused.ts";
import {
  type Client,
  codeExchange,
  postRegister,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { advise } from "../support/judging/advice.ts";
import { redirectUris, registrationMetadata, sharedClient } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { encodeParameters, adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { formContentType } from "../support/actors/oauth-client.ts";
import { type Exchange, header, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectEqual,
  expectNoTokens,
  expectTokenRefused,
  expectOAuthErrorShape,
} from "../support/judging/expect.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, type Finding, observation, warning } from "../support/verdict.ts";
import { accessTokenIn } from "./issued.ts";

const rightSecret = check({
  id: "TOKEN-15/right-secret",
  claim: "The code exchange of a confidential client with its client_secret is answered 200.",
  needs: ["human"],
  act: async (target) => (await freshGrant(target, { client: "confidential" })).response,
  assert(exchange) {
    expectEqual(exchange.response.status, 200, "the status");
    accessTokenIn(exchange);
  },
});

/** The secret of a second confidential client, for whoever compares with any client's. */
function foreignSecret(target: Target): Promise<string> {
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError("needs a second confidential client; allow dynamic registration in the profile");
  return target.once("token:foreign-secret", async (recording) => {
    const exchange = await postRegister(
      recording,
      registrationMetadata({
        redirect_uris: [redirectUris.main],
        token_endpoint_auth_method: "client_secret_post",
      }),
    );
    const { client_secret: secret } = jsonMembers(exchange);
    if (typeof secret === "string") return secret;
    throw controlRefused("registering a confidential client", "a client_secret", exchange);
  });
}

interface SecretFlaw {
  readonly slug: string;
  readonly words: string;
  readonly secret: (own: string, target: Target) => string | Promise<string>;
}

const secretFlaws: readonly SecretFlaw[] = [
  { slug: "empty", words: "an empty client_secret", secret: () => "" },
  { slug: "wrong", words: "a random client_secret", secret: () => unguessable() },
  {
    slug: "other-clients",
    words: "the client_secret of another client",
    secret: (_own, target) => foreignSecret(target),
  },
  {
    slug: "first-half",
    words: "the first half of its client_secret",
    secret: (own) => own.slice(0, own.length / 2),
  },
  { slug: "trailing-space", words: "a space behind its client_secret", secret: (own) => `${own} ` },
  { slug: "other-case", words: "its client_secret in the other case", secret: inOtherCase },
];

function inOtherCase(secret: string): string {
  const changed = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase();
  if (changed === secret) throw new BlockedError("needs a client_secret with letters; the client's has none");
  return changed;
}

const wrongSecrets = secretFlaws.map(({ slug, words, secret }) =>
  check({
    id: `TOKEN-15/${slug}`,
    claim: `The code exchange of a confidential client with ${words} is refused with 400 or 401 invalid_client.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target, { client: "confidential" });
      const sent = await secret(code.client.client_secret ?? "", target);
      return postToken(target, replacing(codeExchange(code), "client_secret", sent));
    },
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_client"]),
  }),
);

const noSecret = [
  {
    slug: "code",
    words: "code exchange",
    async fields(target: Target): Promise<Parameters> {
      return codeExchange(await redeemableCode(target, { client: "confidential" }));
    },
  },
  {
    slug: "refresh",
    words: "refresh",
    async fields(target: Target): Promise<Parameters> {
      const grant = await refreshed(target, await freshGrant(target, { client: "confidential" }));
      return refreshExchange(grant.client, grant.tokens.refresh_token);
    },
  },
].map(({ slug, words, fields }) =>
  check({
    id: `TOKEN-18/${slug}`,
    claim: `The ${words} of a client registered for client_secret_post with its client_id alone is refused with 400 or 401 invalid_client.`,
    needs: ["human"],
    act: async (target) => postToken(target, without(await fields(target), "client_secret")),
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_client"]),
  }),
);

const unknownClient = [
  {
    slug: "code",
    words: "A valid code",
    fields: async (target: Target): Promise<Parameters> => codeExchange(await redeemableCode(target)),
  },
  {
    slug: "refresh",
    words: "A valid refresh token",
    async fields(target: Target): Promise<Parameters> {
      const grant = await refreshed(target, await freshGrant(target));
      return refreshExchange(grant.client, grant.tokens.refresh_token);
    },
  },
].map(({ slug, words, fields }) =>
  check({
    id: `TOKEN-16/${slug}`,
    claim: `${words} with an unknown client_id is refused with 400 invalid_client.`,
    needs: ["human"],
    act: async (target) =>
      postToken(target, replacing(await fields(target), "client_id", `unknown-${unguessable()}`)),
    assert(exchange): Finding | undefined {
      expectTokenRefused(exchange, ["invalid_client"]);
      return exchange.response.status === 401
        ? warning("401 as RFC 6749 §5.2 allows; the document has 400")
        : undefined;
    },
  }),
);

const unneededSecret = check({
  id: "TOKEN-14/random-secret",
  claim: "What the code exchange of a public client with a random client_secret gets.",
  needs: ["human"],
  act: async (target) =>
    postToken(target, adding(codeExchange(await redeemableCode(target)), ["client_secret", unguessable()])),
  assert: (exchange) => observation(summary(exchange)),
});

function basic({ client_id: id, client_secret: secret = "" }: Client): string {
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function postWithBasic(target: Target, client: Client, fields: Parameters): Promise<Exchange> {
  return target.send({
    method: "POST",
    url: `${target.authUrl}/oauth/token`,
    headers: [formContentType, ["Authorization", basic(client)]],
    body: encodeParameters(fields),
  });
}

const basicAlone = check({
  id: "TOKEN-17",
  claim: "What a confidential client with HTTP Basic and no client_secret in the body gets.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, without(codeExchange(code), "client_secret"));
  },
  assert(exchange) {
    return isSuccess(exchange)
      ? warning("client_secret_basic works although only client_secret_post and none are advertised")
      : observation(summary(exchange));
  },
});

const twoMethods = check({
  id: "B-TOK-10",
  claim: "A code exchange with client_secret in the body and HTTP Basic is refused with 400 or 401.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, codeExchange(code));
  },
  assert: (exchange): Finding | undefined =>
    advise(() => {
      expectNoTokens(exchange);
      expectOAuthErrorShape(exchange);
      expectEqual([400, 401].includes(exchange.response.status), true, "400 or 401 as status");
    }),
});

const failedBasic = check({
  id: "B-TOK-11",
  claim: "What a failed attempt with HTTP Basic gets.",
  needs: ["human"],
  async act(target) {
    const client = await sharedClient(target, "confidential");
    const code = await redeemableCode(target, { client: "confidential" });
    const fields = without(without(codeExchange(code), "client_secret"), "client_id");
    return postWithBasic(target, { ...client, client_secret: unguessable() }, fields);
  },
  assert: (exchange) =>
    observation(
      `${summary(exchange)}, WWW-Authenticate ${header(exchange, "www-authenticate") ?? "not sent"}`,
    ),
});

const rightSecretAtRefresh = check({
  id: "TOKEN-15/refresh-right-secret",
  claim: "The refresh of a confidential client with its client_secret is answered 200.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target, { client: "confidential" });
    return postToken(target, refreshExchange(grant.client, grant.tokens.refresh_token));
  },
  assert(exchange) {
    expectEqual(exchange.response.status, 200, "the status");
    accessTokenIn(exchange);
  },
});

export const clientAuthenticationChecks = [
  rightSecret,
  rightSecretAtRefresh,
  ...wrongSecrets,
  ...noSecret,
  ...unknownClient,
  unneededSecret,
  basicAlone,
  twoMethods,
  failedBasic,
];
