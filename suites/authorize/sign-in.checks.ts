import {
  authorizationRequest,
  authorizationUrl,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { responseParameter, showsSignIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { type Exchange, header, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { humanSession } from "../support/actors/human.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation } from "../support/verdict.ts";

async function firstAnswer(target: Target) {
  const client = await sharedClient(target, "public");
  const { parameters } = authorizationRequest(target, client);
  const first = await target.send({
    method: "GET",
    url: authorizationUrl(target, parameters),
    headers: [["Accept", "text/html,*/*;q=0.8"]],
  });
  return { first, redirectUri: registeredRedirectUri(client) };
}

function expectNoCodeFor(redirectUri: string, exchange: Exchange): void {
  const location = header(exchange, "location") ?? "";
  // A redirect to the identity provider is no answer to the client, whatever its parameters are called.
  const isCode = location.startsWith(redirectUri) && responseParameter(location, "code") !== undefined;
  if (isCode) throw new Violation("no code", `${exchange.response.status} with one`);
}

const rendersSignIn = check({
  id: "AUTHZ-01",
  claim:
    "A valid request without a session is answered with a page or a redirect to sign-in, and with no code.",
  act: firstAnswer,
  assert({ first, redirectUri }) {
    expectThat(showsSignIn(first, [redirectUri]), "a page or a redirect to sign-in", summary(first));
    expectNoCodeFor(redirectUri, first);
  },
});

const provider = check({
  id: "AUTHZ-16",
  claim: "Where a browser without a session is sent to sign in is recorded.",
  act: firstAnswer,
  assert({ first }) {
    const location = header(first, "location");
    const place = location?.split(/[?#]/u, 1)[0];
    return observation(place === undefined ? summary(first) : `${first.response.status} to ${shown(place)}`);
  },
});

interface Request {
  readonly url: string;
  readonly headers?: HeaderLines;
  readonly body?: string;
}

interface PostedRequest {
  readonly slug: string;
  /** Reads after "A POST". */
  readonly words: string;
  readonly request: (endpoint: string, parameters: Parameters) => Request;
}

const form = ["Content-Type", "application/x-www-form-urlencoded"] as const;

const formPost: PostedRequest = {
  slug: "form",
  words: "of the valid parameters as a form",
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
    words: "of the valid parameters as JSON",
    request: (url, parameters) => ({
      url,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(Object.fromEntries(parameters)),
    }),
  },
];

function expectNothingThere(exchange: Exchange): void {
  expectStatus(exchange, 404);
  const location = header(exchange, "location");
  if (location !== undefined) throw new Violation("no Location", shown(location));
}

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

const postIsNotThere = posted.map((one) =>
  check({
    id: `AUTHZ-02/${one.slug}`,
    claim: `A POST ${one.words} is answered with 404 and no Location.`,
    act: (target) => post(target, one),
    assert: expectNothingThere,
  }),
);

const signedInPost = check({
  id: "AUTHZ-02/signed-in",
  claim: `A POST ${formPost.words} by a browser that is signed in is answered with 404 and no Location.`,
  needs: ["human"],
  async act(target) {
    await authorizingClient(target);
    const { jar } = await humanSession(target, "first");
    const cookies = jar.headerFor(`${target.authUrl}/oauth/authorize`);
    if (cookies === undefined)
      throw new InconclusiveError(
        "precondition-missing",
        "signing in left no cookie for the authorization endpoint",
      );
    return post(target, formPost, [["Cookie", cookies]]);
  },
  assert: expectNothingThere,
});

const otherMethods = ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"].map((method) =>
  check({
    id: `AUTHZ-03/${method.toLowerCase()}`,
    claim: `What a valid request by ${method} is answered is recorded; it is no code.`,
    async act(target) {
      const client = await authorizingClient(target);
      const { parameters } = authorizationRequest(target, client);
      const exchange = await target.send({ method, url: authorizationUrl(target, parameters) });
      return { exchange, redirectUri: registeredRedirectUri(client) };
    },
    assert({ exchange, redirectUri }) {
      expectNoCodeFor(redirectUri, exchange);
      return observation(summary(exchange));
    },
  }),
);

export const signInChecks = [rendersSignIn, provider, ...postIsNotThere, signedInPost, ...otherMethods];
