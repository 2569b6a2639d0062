import {
  codeExchange,
  formContentType,
  postToken,
  refreshExchange,
  requireTokens,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, expectTokenRefused, isRefusal, isRefusalStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { adding, encodeParameters, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, type Warning, warning } from "../support/verdict.ts";
import { expectTokens } from "./issued.ts";

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
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_request", "unsupported_grant_type"]),
  }),
);

const missingAtRefresh = check({
  id: "TOKEN-10/missing-at-refresh",
  claim: "A refresh without `grant_type` is refused with `invalid_request` or `unsupported_grant_type`.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target);
    return postToken(target, without(refreshExchange(client, tokens.refresh_token), "grant_type"));
  },
  assert: (exchange) =>
    explained("TOKEN-10/missing", () =>
      expectTokenRefused(exchange, ["invalid_request", "unsupported_grant_type"]),
    ),
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

const withCharset = check({
  id: "TOKEN-09/charset",
  claim:
    "A code exchange of `Content-Type: application/x-www-form-urlencoded; charset=UTF-8` is answered 200 with tokens.",
  needs: ["human"],
  async act(target) {
    const [name, type] = formContentType;
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [[name, `${type}; charset=UTF-8`]],
      body: encodeParameters(codeExchange(await freshCode(target))),
    });
  },
  assert: expectTokens,
});

const inChunks = check({
  id: "TOKEN-09/chunked",
  claim:
    "A code exchange whose form is sent in chunks is answered 200 with tokens; a target may ask for a length (411).",
  needs: ["human"],
  async act(target) {
    const form = encodeParameters(codeExchange(await freshCode(target)));
    const middle = Math.floor(form.length / 2);
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: [form.slice(0, middle), form.slice(middle)],
    });
  },
  assert(exchange): Warning | undefined {
    const { status } = exchange.response;
    // RFC 9110 §15.5.12.
    if (status === 411) throw new NotApplicableError("the target takes no body without a length");
    // How a body is framed is HTTP's (RFC 9112 §7.1), of which the document says nothing.
    if (isRefusalStatus(status)) return warning(`the form is not read: ${summary(exchange)}`);
    expectTokens(exchange);
    return undefined;
  },
});

const typeInOtherCase = check({
  id: "TOKEN-09/type-in-capitals",
  claim:
    "A code exchange of `Content-Type: Application/X-WWW-Form-Urlencoded` is answered 200 with tokens; a target that refuses it warns.",
  needs: ["human"],
  async act(target) {
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "Application/X-WWW-Form-Urlencoded"]],
      body: encodeParameters(codeExchange(await redeemableCode(target))),
    });
  },
  assert(exchange): Warning | undefined {
    // That media types have no case is HTTP's (RFC 9110 §8.3.1), of which the document says nothing.
    if (isRefusalStatus(exchange.response.status))
      return warning(`the form is not read: ${summary(exchange)}`);
    expectTokens(exchange);
    return undefined;
  },
});

const lowerCaseEscapes = check({
  id: "TOKEN-09/lower-case-escapes",
  claim: "A code exchange whose form has percent escapes with lower-case digits is answered 200 with tokens.",
  needs: ["human"],
  async act(target) {
    const form = encodeParameters(codeExchange(await freshCode(target)));
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: form.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
    });
  },
  assert: expectTokens,
});

const bothScopes = "mail.read mail.send";

const plusAtRefresh = check({
  id: "TOKEN-09/plus-at-refresh",
  claim:
    "A refresh whose `scope` has a `+` between both scopes is answered 200, if one with `%20` there is; a target may refuse a refresh that names a scope.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { scope: bothScopes });
    const fields = (token: string): Parameters =>
      adding(refreshExchange(client, token), ["scope", bothScopes]);
    const first = await postToken(target.control, fields(tokens.refresh_token));
    // The document shows no `scope` in a refresh.
    if (isRefusal(first)) throw new NotApplicableError("the target refuses a refresh that names both scopes");
    const { refresh_token: token } = requireTokens(first, "a refresh that asks for both scopes");
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: encodeParameters(fields(token)).replace("mail.read%20mail.send", "mail.read+mail.send"),
    });
  },
  assert: expectTokens,
});

const asJson = observe({
  id: "TOKEN-09/json",
  question: "What does a code exchange with a JSON body get?",
  needs: ["human"],
  async act(target) {
    const fields = codeExchange(await redeemableCode(target));
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(Object.fromEntries(fields)),
    });
  },
  answer: (exchange) =>
    `${summary(exchange)}${"access_token" in jsonMembers(exchange) ? " with tokens" : ""}`,
});

const asText = recommend({
  id: "B-TOK-22",
  claim: "A code exchange of `Content-Type: text/plain` is refused with 4xx.",
  needs: ["human"],
  async act(target) {
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "text/plain"]],
      body: encodeParameters(codeExchange(await redeemableCode(target))),
    });
  },
  assert(exchange) {
    expectNoTokens(exchange);
    if (!isRefusal(exchange))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  },
});

export const grantTypeChecks = [
  ...misspelt,
  missingAtRefresh,
  unknownByRfc,
  ...noOtherGrant,
  ...required,
  withCharset,
  inChunks,
  typeInOtherCase,
  lowerCaseEscapes,
  plusAtRefresh,
  asJson,
  asText,
];
