import { endInWords } from "../support/judging/expected-code.ts";
import { authorizationRequest, authorizationUrl, unguessable } from "../support/actors/oauth-client.ts";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { header, isHtml, mediaType, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { adding, type Parameters, replacing, valueOf, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused, expectNoRedirect } from "../support/judging/refusals.ts";
import { Violation } from "../support/verdict.ts";
import { attemptChanged, attemptUnregistered } from "./requests.ts";

const leadsNowhere = [
  {
    slug: "unknown-client",
    words: "of an unknown client",
    apply: (parameters: Parameters) => replacing(parameters, "client_id", unguessable()),
  },
  {
    slug: "no-client",
    words: "without `client_id`",
    apply: (parameters: Parameters) => without(parameters, "client_id"),
  },
].map(({ slug, words, apply }) =>
  recommend({
    id: `B-AUTHZ-01/${slug}`,
    claim: `The answer to an authorization request ${words} does not lead to its \`redirect_uri\` by redirect, refresh or form.`,
    act: (target) => attemptUnregistered(target, apply),
    assert: expectNoRedirect,
  }),
);

const namedError = recommend({
  id: "B-AUTHZ-05",
  claim: "`response_type=token` is refused with `unsupported_response_type`.",
  act: (target) => attemptChanged(target, (parameters) => replacing(parameters, "response_type", "token")),
  assert: (seen) => expectAuthorizationRefused(seen, ["unsupported_response_type"]),
});

const secondValues = [
  { name: "response_type", other: "token" },
  { name: "client_id", other: "mailproof-other" },
  { name: "redirect_uri", other: undefined },
  { name: "scope", other: "mail.read" },
  { name: "state", other: "mailproof-other" },
  { name: "code_challenge", other: undefined },
  { name: "code_challenge_method", other: undefined },
];

// Different values of the other three decide more than a warning: PKCE-07 and REDIR-23 send them.
const repeated = secondValues.flatMap(({ name, other }) => [
  {
    id: `B-AUTHZ-06/${name.replaceAll("_", "-")}-same`,
    words: `\`${name}\` twice with the same value`,
    apply: (parameters: Parameters) => adding(parameters, [name, valueOf(parameters, name) ?? ""]),
  },
  ...(other === undefined
    ? []
    : [
        {
          id: `B-AUTHZ-06/${name.replaceAll("_", "-")}-different`,
          words: `\`${name}\` twice with different values`,
          apply: (parameters: Parameters) => adding(parameters, [name, other]),
        },
      ]),
]);

const repeatedParameters = repeated.map(({ id, words, apply }) =>
  recommend({
    id,
    claim: `An authorization request that sends ${words} is refused with \`invalid_request\`.`,
    act: (target) => attemptChanged(target, apply),
    assert: (seen) => expectAuthorizationRefused(seen, ["invalid_request"]),
  }),
);

const unknownParameters = recommend({
  id: "B-AUTHZ-07",
  claim: "A valid authorization request with unknown parameters still yields a code.",
  needs: ["human"],
  async act(target) {
    target.spend("grants");
    // None of OpenID Connect, such as nonce: a target that knows it may want the scope openid beside it.
    return attemptChanged(target, (parameters) =>
      adding(parameters, ["foo", "bar"], ["mailproof_extension", unguessable()]),
    );
  },
  assert: (seen) => expectThat(codeIn(seen.end) !== undefined, "a code", endInWords(seen), seen.end.exchange),
});

const denial = recommend({
  id: "B-AUTHZ-10",
  claim: "A person's denial is answered by a redirect to the client with the error `access_denied`.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    return withUndecidedClient(target, "public", client, (decidedOn) =>
      attempt(target, authorizationRequest(target, decidedOn), { decision: "deny" }),
    );
  },
  assert(seen) {
    const { end } = seen;
    const error = end.kind === "redirect" ? responseParameter(end.location, "error") : undefined;
    if (error !== "access_denied")
      throw new Violation("a redirect with error access_denied", endInWords(seen), {
        exchange: end.exchange,
      });
  },
});

const placeOfErrors = observe({
  id: "B-AUTHZ-17",
  question: "Is a refused request without a session answered to the browser or by a redirect to the client?",
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    const url = authorizationUrl(target, replacing(parameters, "response_type", "token"));
    return target.send({ method: "GET", url });
  },
  answer(exchange) {
    const place = header(exchange, "location")?.split(/[?#]/u, 1)[0];
    return place === undefined
      ? `to the browser: ${summary(exchange)}`
      : `by a redirect to ${place}, with ${exchange.response.status}`;
  },
});

const unsignedRequestObject = [
  { alg: "none" },
  { redirect_uri: "https://evil.test/cb", scope: "mail.read", resource: "https://evil.test" },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

const extensions = [
  { slug: "request", words: "a `request` object", parameter: ["request", `${unsignedRequestObject}.`] },
  { slug: "request-uri", words: "`request_uri`", parameter: ["request_uri", "https://evil.test/request"] },
  { slug: "fragment-mode", words: "`response_mode=fragment`", parameter: ["response_mode", "fragment"] },
  { slug: "form-post-mode", words: "`response_mode=form_post`", parameter: ["response_mode", "form_post"] },
  {
    slug: "web-message-mode",
    words: "`response_mode=web_message`",
    parameter: ["response_mode", "web_message"],
  },
  { slug: "prompt-none", words: "`prompt=none`", parameter: ["prompt", "none"] },
  { slug: "login-hint", words: "`login_hint`", parameter: ["login_hint", "someone@evil.test"] },
] as const;

const extensionParameters = extensions.map(({ slug, words, parameter }) =>
  recommend({
    id: `B-AUTHZ-18/${slug}`,
    claim: `A request with ${words} is refused, or answered in the query of its \`redirect_uri\` as without it.`,
    needs: ["human"],
    async act(target) {
      target.spend("grants");
      return attemptChanged(target, (parameters) => adding(parameters, parameter));
    },
    assert({ end, parameters }) {
      const { exchange } = end;
      if (end.kind === "answer") {
        expectThat(isRefusal(exchange), "a refusal or a code in the query", end.reason, exchange);
        return;
      }
      const uri = valueOf(parameters, "redirect_uri") ?? "";
      const place = end.location.split("?", 1)[0];
      const query = `${uri}${uri.includes("?") ? "&" : "?"}`;
      expectThat(end.location.startsWith(query), `a redirect to ${query}…`, shown(place), exchange);
      const outcome = codeIn(end) ?? responseParameter(end.location, "error");
      expectThat(outcome !== undefined, "a code or an error in the query", "neither", exchange);
    },
  }),
);

const markup = '"><svg onload=1>';

const reflected = ["state", "scope", "client_id", "resource", "redirect_uri"].map((name) =>
  recommend({
    id: `B-AUTHZ-19/${name.replaceAll("_", "-")}`,
    claim: `Markup in \`${name}\` appears in no page as markup.`,
    async act(target) {
      const { parameters } = authorizationRequest(target, await authorizingClient(target));
      return target.send({
        method: "GET",
        url: authorizationUrl(target, replacing(parameters, name, markup)),
        headers: [["Accept", "text/html,*/*;q=0.8"]],
      });
    },
    assert(exchange) {
      // A browser takes what has no media type for a page when it looks like one.
      const isPage = isHtml(exchange) || mediaType(exchange) === "";
      const isReflected = isPage && exchange.response.body.includes(markup);
      expectThat(!isReflected, "the value escaped", "the markup as it was sent", exchange);
    },
  }),
);

/** What RFC 6749 and RFC 9700 ask of requests that nobody can trust. */
export const untrustedRequestChecks = [
  ...leadsNowhere,
  namedError,
  ...repeatedParameters,
  unknownParameters,
  denial,
  placeOfErrors,
  ...extensionParameters,
  ...reflected,
];
