import {
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, recommend } from "../support/judging/check.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { expectTokenRefused, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";

const spellings: readonly { slug: string; words: string; apply: (fields: Parameters) => Parameters }[] = [
  { slug: "missing", words: "without `grant_type`", apply: (fields) => without(fields, "grant_type") },
  { slug: "empty", words: "with an empty `grant_type`", apply: sending("") },
  {
    slug: "upper-case",
    words: "with `grant_type` `AUTHORIZATION_CODE`",
    apply: sending("AUTHORIZATION_CODE"),
  },
  { slug: "unknown", words: "with `grant_type` `foo`", apply: sending("foo") },
];

function sending(grantType: string): (fields: Parameters) => Parameters {
  return (fields) => replacing(fields, "grant_type", grantType);
}

const misspelt = spellings.map(({ slug, words, apply }) =>
  check({
    id: `TOKEN-10/${slug}`,
    claim: `A code exchange ${words} is refused with \`invalid_request\` or \`unsupported_grant_type\`.`,
    needs: ["human"],
    act: async (target) => postToken(target, apply(codeExchange(await redeemableCode(target)))),
    assert: expectGrantTypeRefused,
  }),
);

// The table of the document does not name the request: libraries look for the client's right to the grant first.
const otherCodes = ["invalid_client", "unauthorized_client", "invalid_grant"];

function expectGrantTypeRefused(exchange: Exchange): Warning | undefined {
  const { error } = jsonMembers(exchange);
  if (isRefusal(exchange) && otherCodes.includes(String(error)))
    return warning(`refused with ${shown(error)}`);
  expectTokenRefused(exchange, ["invalid_request", "unsupported_grant_type"]);
  return undefined;
}

const missingAtRefresh = check({
  id: "TOKEN-10/missing-at-refresh",
  claim: "A refresh without `grant_type` is refused with `invalid_request` or `unsupported_grant_type`.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target);
    return postToken(target, without(refreshExchange(client, tokens.refresh_token), "grant_type"));
  },
  assert: (exchange) => explained("TOKEN-10/missing", () => expectGrantTypeRefused(exchange)),
});

const unknownByRfc = recommend({
  id: "B-TOK-05",
  claim: "An unknown `grant_type` is refused with `unsupported_grant_type`.",
  needs: ["human"],
  async act(target) {
    const { client } = await redeemableCode(target);
    return postToken(target, [
      ["grant_type", "foo"],
      ["client_id", client.client_id],
    ]);
  },
  assert: (exchange) => expectTokenRefused(exchange, ["unsupported_grant_type"]),
});

const urn = "urn:ietf:params:oauth";

/** Grants that libraries enable by default, with the fields that they take. */
const otherGrants: readonly {
  slug: string;
  grantType: string;
  fields: (accessToken: string) => Parameters;
}[] = [
  {
    slug: "password",
    grantType: "password",
    fields: () => [
      ["username", "alice"],
      ["password", unguessable()],
      ["scope", "mail.read"],
    ],
  },
  { slug: "client-credentials", grantType: "client_credentials", fields: () => [["scope", "mail.read"]] },
  { slug: "implicit", grantType: "implicit", fields: () => [["scope", "mail.read"]] },
  {
    slug: "device-code",
    grantType: `${urn}:grant-type:device_code`,
    fields: () => [["device_code", unguessable()]],
  },
  {
    slug: "jwt-bearer",
    grantType: `${urn}:grant-type:jwt-bearer`,
    fields: (token) => [
      ["assertion", token],
      ["scope", "mail.read"],
    ],
  },
  {
    slug: "token-exchange",
    grantType: `${urn}:grant-type:token-exchange`,
    fields: (token) => [
      ["subject_token", token],
      ["subject_token_type", `${urn}:token-type:access_token`],
    ],
  },
  {
    slug: "uma-ticket",
    grantType: `${urn}:grant-type:uma-ticket`,
    fields: () => [["ticket", unguessable()]],
  },
];

const noOtherGrant = (["public", "confidential"] as const).flatMap((kind) =>
  otherGrants.map(({ slug, grantType, fields }) =>
    check({
      id: `TOKEN-11/${slug}-${kind}`,
      claim: `A ${kind} client gets no tokens with \`grant_type\` \`${grantType}\`.`,
      needs: ["human"],
      async act(target) {
        const { client, access_token: token } = await redeemedTokens(target, kind);
        return postToken(target, [
          ["grant_type", grantType],
          ["client_id", client.client_id],
          ...secretOf(client),
          ...fields(token),
        ]);
      },
      assert: (exchange) =>
        expectTokenRefused(exchange, [
          "unsupported_grant_type",
          "unauthorized_client",
          "invalid_request",
          "invalid_client",
        ]),
    }),
  ),
);

/** The control of every other grant type: the client gets tokens with a code. Once for all checks of a run. */
function redeemedTokens(target: Target, kind: ClientKind) {
  return target.control.once(`control:grant-types:${kind}`, async (recording) => {
    const code = await freshCode(recording, { client: kind });
    const exchange = await postToken(recording, codeExchange(code));
    return { client: code.client, ...requireTokens(exchange, "a valid code exchange") };
  });
}

interface Flaw {
  readonly id: string;
  readonly words: string;
  readonly apply: (fields: Parameters) => Parameters;
  readonly errors: readonly string[];
}

const flaws: readonly Flaw[] = [
  {
    id: "TOKEN-12/missing",
    words: "without `code`",
    apply: (fields) => without(fields, "code"),
    errors: ["invalid_request", "invalid_grant"],
  },
  {
    id: "TOKEN-12/empty",
    words: "with an empty `code`",
    apply: (fields) => replacing(fields, "code", ""),
    errors: ["invalid_request", "invalid_grant"],
  },
  {
    id: "TOKEN-13/missing",
    words: "without `client_id`",
    apply: (fields) => without(fields, "client_id"),
    errors: ["invalid_request", "invalid_client"],
  },
  {
    id: "TOKEN-13/empty",
    words: "with an empty `client_id`",
    apply: (fields) => replacing(fields, "client_id", ""),
    errors: ["invalid_request", "invalid_client"],
  },
];

const required = flaws.map(({ id, words, apply, errors }) =>
  check({
    id,
    claim: `A code exchange ${words} is refused with ${errors.map((error) => `\`${error}\``).join(" or ")}.`,
    needs: ["human"],
    act: async (target) => postToken(target, apply(codeExchange(await redeemableCode(target)))),
    assert: (exchange) => expectTokenRefused(exchange, errors),
  }),
);

export const grantTypeChecks = [...misspelt, missingAtRefresh, unknownByRfc, ...noOtherGrant, ...required];
