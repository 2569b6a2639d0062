import {
  authorizationRequest,
  codeExchange,
  formContentType,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { showsSignIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { registrationMetadata, redirectUris, sharedClient } from "../support/material/clients.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectStatus, expectThat } from "../support/judging/expect.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { advertised, expectDocument } from "./documents.ts";

function postForm(target: Target, url: string, fields: Parameters): Promise<Exchange> {
  return target.send({
    method: "POST",
    url,
    headers: [formContentType, ["Accept", "application/json"]],
    body: encodeParameters(fields),
  });
}

const authorization = check({
  id: "META-16/authorization",
  claim: "The advertised authorization_endpoint shows sign-in or consent for a valid request.",
  async act(target) {
    const client = await sharedClient(target, "public");
    const { parameters } = authorizationRequest(target, client);
    const url = `${await advertised(target, "authorization_endpoint")}?${encodeParameters(parameters)}`;
    return { first: await target.send({ method: "GET", url }), redirect_uris: client.redirect_uris };
  },
  assert: ({ first, redirect_uris }) =>
    expectThat(showsSignIn(first, redirect_uris), "a page or a redirect to sign-in", summary(first)),
});

const codeGrant = check({
  id: "META-16/token",
  claim: "The advertised token_endpoint redeems a code and then refreshes.",
  needs: ["human"],
  async act(target) {
    const url = await advertised(target, "token_endpoint");
    const code = await freshCode(target);
    const redeemed = await postForm(target, url, codeExchange(code));
    if (redeemed.response.status !== 200) return [redeemed];
    const { refresh_token } = requireTokens(redeemed, "a code exchange at the advertised endpoint");
    return [redeemed, await postForm(target, url, refreshExchange(code.client, refresh_token))];
  },
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { access_token: token } = jsonMembers(exchange);
      expectThat(
        exchange.response.status === 200 && typeof token === "string",
        "200 with access_token",
        summary(exchange),
      );
    }
  },
});

const revocation = check({
  id: "META-16/revocation",
  claim: "The advertised revocation_endpoint answers the revocation of a refresh token with 200.",
  needs: ["human"],
  async act(target) {
    const url = await advertised(target, "revocation_endpoint");
    const { client, tokens } = await freshGrant(target);
    return postForm(target, url, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

const registration = check({
  id: "META-16/registration",
  claim: "The advertised registration_endpoint registers a client.",
  async act(target) {
    if (target.profile.clients.registration === "none")
      throw new BlockedError("needs dynamic registration; allow it in the profile (clients.registration)");
    const url = await advertised(target, "registration_endpoint");
    target.spend("registrations");
    return target.send({
      method: "POST",
      url,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(
        registrationMetadata({ redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none" }),
      ),
    });
  },
  assert(exchange) {
    const { client_id: clientId } = jsonMembers(exchange);
    expectThat(
      isSuccess(exchange) && typeof clientId === "string",
      "a success with client_id",
      summary(exchange),
    );
  },
});

const keys = check({
  id: "META-16/keys",
  claim: "The advertised jwks_uri serves a JWK set.",
  act: async (target) => target.send({ method: "GET", url: await advertised(target, "jwks_uri") }),
  assert(exchange) {
    const { keys: published } = expectDocument(exchange);
    expectThat(Array.isArray(published), "an array keys", summary(exchange));
  },
});

/** Every endpoint is driven at the address that the metadata gives; all other suites drive those of the profile. */
export const advertisedEndpointChecks = [authorization, codeGrant, revocation, registration, keys];
