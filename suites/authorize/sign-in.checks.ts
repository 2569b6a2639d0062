import {
  authorizationRequest,
  authorizationUrl,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { showsSignIn } from "../support/actors/authorization.ts";
import { attemptByGuesser, type GuessedAttempt } from "../support/actors/guessed-sign-in.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { check, observe } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { authorizingClient, requireRedeemable } from "../support/material/controls.ts";
import { type Exchange, header, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectStatus, expectThat, isRefusal } from "../support/judging/expect.ts";
import { guesserSession, humanSession } from "../support/actors/human.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";

interface FirstAnswer {
  readonly first: Exchange;
  readonly redirectUri: string;
}

/** What a browser without a session gets for a valid request. */
async function firstAnswer(target: Target): Promise<FirstAnswer> {
  const client = await sharedClient(target, "public");
  const { parameters } = authorizationRequest(target, client);
  const first = await target.send({
    method: "GET",
    url: authorizationUrl(target, parameters),
    headers: [["Accept", "text/html,*/*;q=0.8"]],
  });
  return { first, redirectUri: registeredRedirectUri(client) };
}

const rendersSignIn = check({
  id: "AUTHZ-01",
  claim:
    "A valid authorization request without a session is answered with a page or a redirect to sign-in, and with no `code`.",
  act: firstAnswer,
  assert({ first, redirectUri }) {
    expectThat(
      showsSignIn(first, [redirectUri]),
      "a page or a redirect to sign-in",
      header(first, "location")?.startsWith(redirectUri)
        ? `${first.response.status} to the redirect_uri`
        : summary(first),
      first,
    );
  },
});

const provider = observe({
  id: "AUTHZ-16",
  question: "Where is a browser without a session sent to sign in?",
  act: firstAnswer,
  answer({ first }) {
    const place = header(first, "location")?.split(/[?#]/u, 1)[0];
    return place === undefined
      ? `nowhere else: ${summary(first)}`
      : `to ${place}, with ${first.response.status}`;
  },
});

interface PostedRequest {
  readonly slug: string;
  /** Reads after "A POST to the authorization endpoint". */
  readonly words: string;
  readonly request: (
    endpoint: string,
    parameters: Parameters,
  ) => { readonly url: string; readonly headers?: HeaderLines; readonly body?: string };
}

const form = ["Content-Type", "application/x-www-form-urlencoded"] as const;

const formPost: PostedRequest = {
  slug: "form",
  words: "with the valid parameters as a form",
  request: (url, parameters) => ({ url, headers: [form], body: encodeParameters(parameters) }),
};

const posted: readonly PostedRequest[] = [
  { slug: "empty", words: "with an empty body", request: (url) => ({ url }) },
  formPost,
  {
    slug: "query",
    words: "with the valid parameters in the query",
    request: (url, parameters) => ({ url: `${url}?${encodeParameters(parameters)}` }),
  },
  {
    slug: "json",
    words: "with the valid parameters as JSON",
    request: (url, parameters) => ({
      url,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(Object.fromEntries(parameters)),
    }),
  },
];

// Rails, Laravel and others take the method of a POST from one of these places.
const overriding: readonly PostedRequest[] = [
  {
    slug: "method-override",
    words: "with the valid parameters, `_method=GET` and `X-HTTP-Method-Override: GET`",
    request: (url, parameters) => ({
      url: `${url}?${encodeParameters(parameters)}`,
      headers: [form, ["X-HTTP-Method-Override", "GET"]],
      body: encodeParameters([...parameters, ["_method", "GET"]]),
    }),
  },
  {
    slug: "override-in-query",
    words: "with the valid parameters and `_method=GET` in the query",
    request: (url, parameters) => ({
      url: `${url}?${encodeParameters([...parameters, ["_method", "GET"]])}`,
    }),
  },
  {
    slug: "override-headers",
    words: "with the valid parameters in the query, `X-HTTP-Method: GET` and `X-Method-Override: GET`",
    request: (url, parameters) => ({
      url: `${url}?${encodeParameters(parameters)}`,
      headers: [
        ["X-HTTP-Method", "GET"],
        ["X-Method-Override", "GET"],
      ],
    }),
  },
];

async function post(
  target: Target,
  { request }: PostedRequest,
  headers: HeaderLines = [],
): Promise<Exchange> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  const { url, headers: own = [], body } = request(`${target.authUrl}/oauth/authorize`, parameters);
  return target.send({
    method: "POST",
    url,
    headers: [...own, ...headers],
    ...(body !== undefined && { body }),
  });
}

const postIsNotFound = [...posted, ...overriding].map((row) =>
  check({
    id: `AUTHZ-02/${row.slug}`,
    claim: `A POST to the authorization endpoint ${row.words} is answered 404.`,
    act: (target) => post(target, row),
    assert: (exchange) => expectStatus(exchange, 404),
  }),
);

const signedInPost = check({
  id: "AUTHZ-02/signed-in",
  claim: `A POST to the authorization endpoint ${formPost.words} is answered 404 to a browser that is signed in.`,
  needs: ["human", "pages"],
  async act(target) {
    await authorizingClient(target);
    const { cookiesFor } = await humanSession(target, "first");
    const cookies = await cookiesFor(`${target.authUrl}/oauth/authorize`);
    // A service whose identity provider alone keeps a session leaves the browser nothing to send here.
    return post(target, formPost, cookies === undefined ? [] : [["Cookie", cookies]]);
  },
  assert: (exchange) => expectStatus(exchange, 404),
});

/** A valid request by a method other than GET and POST. */
async function byMethod(target: Target, method: string): Promise<Exchange> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  return target.send({ method, url: authorizationUrl(target, parameters) });
}

const otherMethods = ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];

const otherMethodAnswers = otherMethods.map((method) =>
  observe({
    id: `AUTHZ-03/${method.toLowerCase()}`,
    question: `How is a valid authorization request by ${method} answered?`,
    act: (target) => byMethod(target, method),
    answer: summary,
  }),
);

const otherMethodsYieldNoCode = check({
  id: "AUTHZ-01/other-methods",
  claim: "A valid authorization request by PUT, PATCH, DELETE, OPTIONS or HEAD yields no `code`.",
  async act(target) {
    const client = await authorizingClient(target);
    const exchanges = await Promise.all(otherMethods.map((method) => byMethod(target, method)));
    return { redirectUri: registeredRedirectUri(client), exchanges };
  },
  assert({ redirectUri, exchanges }) {
    for (const exchange of exchanges) {
      const location = header(exchange, "location") ?? "";
      // A redirect to the identity provider is not an answer to the client, whatever its parameters are called.
      const isCode = location.startsWith(redirectUri) && responseParameter(location, "code") !== undefined;
      if (isCode) throw new Violation("no code", `a code for ${exchange.request.method}`, { exchange });
    }
  },
});

/** Once a run. With the right password they would get a code. */
function wrongPasswordTyped(target: Target): Promise<GuessedAttempt> {
  return target.once("authorize:wrong-password", async (recording) => {
    const client = await authorizingClient(recording);
    await requireRedeemable(recording);
    const guesser = guesserSession(target, "first");
    const guessed = await attemptByGuesser(recording, guesser, authorizationRequest(target, client));
    if (guessed.isTurnedAway)
      throw controlRefused("signing in", "a page that asks for a password", guessed.exchange, "AUTHZ-01");
    return guessed;
  });
}

const wrongPassword = check({
  id: "AUTHZ-01/wrong-password",
  claim: "A person who enters a wrong password gets no `code`.",
  needs: ["human", "pages"],
  act: wrongPasswordTyped,
  // People sign in at a third party, and one for tests may let anybody in.
  assert: ({ hasCode }) =>
    hasCode
      ? warning("a code after signing in with a wrong password; does the provider stand in for a real one?")
      : undefined,
});

const afterWrongPassword = check({
  id: "AUTHZ-01/after-wrong-password",
  claim: "A browser in which a wrong password was refused gets no `code` for the next request either.",
  needs: ["human", "pages"],
  async act(target) {
    const { guesser, hasCode } = await wrongPasswordTyped(target);
    if (hasCode) throw new NotApplicableError("the wrong password was accepted");
    const client = await authorizingClient(target);
    return attemptByGuesser(target, guesser, authorizationRequest(target, client));
  },
  assert({ hasCode, isTurnedAway, exchange }) {
    // A person who has mistyped their password may have to wait, at the provider or for good.
    if (isTurnedAway && !isRefusal(exchange))
      throw controlRefused(
        "signing in again",
        "a page that asks for a password, or 4xx",
        exchange,
        "AUTHZ-01",
      );
    expectThat(!hasCode, "no code", "a code in the browser of somebody who knows no password", exchange);
  },
});

export const signInChecks = [
  rendersSignIn,
  wrongPassword,
  afterWrongPassword,
  provider,
  ...postIsNotFound,
  signedInPost,
  ...otherMethodAnswers,
  otherMethodsYieldNoCode,
];
