import { advise } from "../support/judging/advice.ts";
import { authorizationRequest, authorizationUrl, unguessable } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn, responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, header, mediaType, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { adding, type Parameters, replacing, valueOf, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused, expectNoRedirect } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { observation, Violation } from "../support/verdict.ts";
import { attemptChanged, attemptUnregistered } from "./requests.ts";

const leadsNowhere = [
  {
    slug: "unknown-client",
    words: "of an unknown client",
    apply: (parameters: Parameters) => replacing(parameters, "client_id", unguessable()),
  },
  {
    slug: "no-client",
    words: "without client_id",
    apply: (parameters: Parameters) => without(parameters, "client_id"),
  },
].map(({ slug, words, apply }) =>
  check({
    id: `B-AUTHZ-01/${slug}`,
    claim: `The answer to a request ${words} leads to its redirect_uri in no way: no redirect, no refresh, no form.`,
    act: (target) => attemptUnregistered(target, apply),
    assert: (seen) => advise(() => expectNoRedirect(seen)),
  }),
);

const namedError = check({
  id: "B-AUTHZ-05",
  claim: "response_type=token is refused with unsupported_response_type.",
  act: (target) => attemptChanged(target, (parameters) => replacing(parameters, "response_type", "token")),
  assert: (seen) => advise(() => expectAuthorizationRefused(seen, ["unsupported_response_type"])),
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
    words: `${name} twice with the same value`,
    apply: (parameters: Parameters) => adding(parameters, [name, valueOf(parameters, name) ?? ""]),
  },
  ...(other === undefined
    ? []
    : [
        {
          id: `B-AUTHZ-06/${name.replaceAll("_", "-")}-different`,
          words: `${name} twice with different values`,
          apply: (parameters: Parameters) => adding(parameters, [name, other]),
        },
      ]),
]);

const repeatedParameters = repeated.map(({ id, words, apply }) =>
  check({
    id,
    claim: `A request that sends ${words} is refused with 400 invalid_request.`,
    act: (target) => attemptChanged(target, apply),
    assert: (seen) => advise(() => expectAuthorizationRefused(seen, ["invalid_request"])),
  }),
);

const unknownParameters = check({
  id: "B-AUTHZ-07",
  claim: "A valid request with parameters that are not known comes to a code all the same.",
  needs: ["human"],
  async act(target) {
    target.spend("grants");
    return attemptChanged(target, (parameters) =>
      adding(parameters, ["foo", "bar"], ["nonce", unguessable()], ["ui_locales", "fr"]),
    );
  },
  assert: (seen) => advise(() => expectThat(codeIn(seen.end) !== undefined, "a code", endOf(seen))),
});

function endOf({ end }: Attempt): string {
  if (end.kind === "answer") return end.reason;
  return `a redirect with error ${shown(responseParameter(end.location, "error"))}`;
}

const denial = check({
  id: "B-AUTHZ-10",
  claim: "A person's denial comes back as error access_denied with state and iss.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    return attempt(target, authorizationRequest(target, client), { decision: "deny" });
  },
  assert: (seen) =>
    advise(() => {
      const { end, parameters, issuer } = seen;
      if (end.kind !== "redirect") throw new Violation("a redirect with access_denied", end.reason);
      const returned = (name: string): string | undefined => responseParameter(end.location, name);
      expectThat(returned("error") === "access_denied", "error access_denied", shown(returned("error")));
      expectThat(
        returned("state") === valueOf(parameters, "state"),
        "state unchanged",
        shown(returned("state")),
      );
      expectThat(returned("iss") === issuer, `iss ${issuer}`, shown(returned("iss")));
    }),
});

const earlyRefusal = check({
  id: "B-AUTHZ-17",
  claim: "How a refused request without a session is answered, to the browser or to the client, is recorded.",
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    const url = authorizationUrl(target, replacing(parameters, "response_type", "token"));
    return target.send({ method: "GET", url });
  },
  assert(exchange) {
    const place = header(exchange, "location")?.split("?", 1)[0];
    return observation(
      place === undefined ? summary(exchange) : `${exchange.response.status} to ${shown(place)}`,
    );
  },
});

const unsignedRequestObject = [
  { alg: "none" },
  { redirect_uri: "https://evil.test/cb", scope: "mail.read", resource: "https://evil.test" },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

const extensions = [
  { slug: "request", parameter: ["request", `${unsignedRequestObject}.`] },
  { slug: "request-uri", parameter: ["request_uri", "https://evil.test/request"] },
  { slug: "fragment-mode", parameter: ["response_mode", "fragment"] },
  { slug: "form-post-mode", parameter: ["response_mode", "form_post"] },
  { slug: "web-message-mode", parameter: ["response_mode", "web_message"] },
  { slug: "prompt-none", parameter: ["prompt", "none"] },
  { slug: "login-hint", parameter: ["login_hint", "someone@evil.test"] },
] as const;

const extensionParameters = extensions.map(({ slug, parameter }) =>
  check({
    id: `B-AUTHZ-18/${slug}`,
    claim: `A request with ${parameter[0]} is refused or the parameter ignored: no code elsewhere than in the query of the redirect_uri.`,
    needs: ["human"],
    async act(target) {
      target.spend("grants");
      return attemptChanged(target, (parameters) => adding(parameters, parameter));
    },
    assert: (seen) =>
      advise(() => {
        const { end, parameters } = seen;
        if (end.kind === "answer") {
          expectThat(
            isRefusalStatus(end.exchange.response.status),
            "a refusal or a code in the query",
            end.reason,
          );
          return;
        }
        const uri = valueOf(parameters, "redirect_uri") ?? "";
        expectThat(
          end.location.startsWith(`${uri}?`),
          `a redirect to ${uri}?…`,
          shown(end.location.split("?", 1)[0]),
        );
        const outcome = codeIn(end) ?? responseParameter(end.location, "error");
        expectThat(outcome !== undefined, "a code or an error in the query", "neither");
      }),
  }),
);

const markup = '"><svg onload=1>';

async function sendMarkup(target: Target, name: string): Promise<Exchange> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  return target.send({
    method: "GET",
    url: authorizationUrl(target, replacing(parameters, name, markup)),
    headers: [["Accept", "text/html,*/*;q=0.8"]],
  });
}

function expectNoMarkup(exchange: Exchange): void {
  // A browser takes what has no media type for a page when it looks like one.
  const isPage = ["text/html", ""].includes(mediaType(exchange));
  const isReflected = isPage && exchange.response.body.includes(markup);
  expectThat(!isReflected, "the value escaped", "the markup as it was sent");
}

const reflectedState = check({
  id: "B-AUTHZ-19/state",
  claim: "Markup in state stands in no page as markup.",
  act: (target) => sendMarkup(target, "state"),
  assert: (exchange) => advise(() => expectNoMarkup(exchange)),
});

const reflectedFlaws = ["scope", "client_id", "resource", "redirect_uri"].map((name) =>
  check({
    id: `B-AUTHZ-19/${name.replaceAll("_", "-")}`,
    claim: `Markup in ${name} is refused, and the answer shows it in no page as markup.`,
    act: (target) => sendMarkup(target, name),
    assert: (exchange) =>
      advise(() => {
        const isJudged = isRefusalStatus(exchange.response.status) || redirectsWithError(exchange);
        expectThat(isJudged, "a refusal", summary(exchange));
        expectNoMarkup(exchange);
      }),
  }),
);

function redirectsWithError(exchange: Exchange): boolean {
  return responseParameter(header(exchange, "location") ?? "", "error") !== undefined;
}

/** What RFC 6749, RFC 9700 and common sense ask of requests that nobody can trust: warnings and observations alone. */
export const untrustedRequestChecks = [
  ...leadsNowhere,
  namedError,
  ...repeatedParameters,
  unknownParameters,
  denial,
  earlyRefusal,
  ...extensionParameters,
  reflectedState,
  ...reflectedFlaws,
];
