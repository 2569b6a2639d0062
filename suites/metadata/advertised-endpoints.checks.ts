import {
  authorizationRequest,
  codeExchange,
  formContentType,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { showsSignIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient, requireDynamicRegistration } from "../support/material/clients.ts";
import { registrationMetadata, redirectUris } from "../support/material/registrations.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { advertised } from "./documents.ts";

function postForm(target: Target, url: string, fields: Parameters): Promise<Exchange> {
  return target.send({
    method: "POST",
    url,
    headers: [formContentType, ["Accept", "application/json"]],
    body: encodeParameters(fields),
  });
}

/** @param explainedBy - the requirement that judges the same endpoint at the profile's address */
function expectWorks(exchange: Exchange, works: boolean, expected: string, explainedBy: string): void {
  if (!works) throw new Violation(expected, summary(exchange), { exchange, explainedBy });
}

const authorization = check({
  id: "META-16/authorization",
  claim: "The advertised `authorization_endpoint` shows sign-in or consent for a valid request.",
  async act(target) {
    const client = await sharedClient(target, "public");
    const { parameters } = authorizationRequest(target, client);
    const url = `${await advertised(target, "authorization_endpoint")}?${encodeParameters(parameters)}`;
    return { first: await target.send({ method: "GET", url }), redirect_uris: client.redirect_uris };
  },
  assert: ({ first, redirect_uris }) =>
    expectWorks(first, showsSignIn(first, redirect_uris), "a page or a redirect to sign-in", "AUTHZ-01"),
});

const codeGrant = check({
  id: "META-16/token",
  claim: "The advertised `token_endpoint` redeems a code and then refreshes.",
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
      const isToken = exchange.response.status === 200 && typeof token === "string";
      expectWorks(exchange, isToken, "200 with access_token", "TOKEN-01");
    }
  },
});

const revocation = check({
  id: "META-16/revocation",
  claim: "The advertised `revocation_endpoint` answers the revocation of a refresh token with 200.",
  needs: ["human"],
  async act(target) {
    const url = await advertised(target, "revocation_endpoint");
    const { client, tokens } = await freshGrant(target);
    return postForm(target, url, [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
    ]);
  },
  assert: (exchange) => expectWorks(exchange, exchange.response.status === 200, "200", "REVOKE-04"),
});

const registration = check({
  id: "META-16/registration",
  claim: "The advertised `registration_endpoint` registers a client.",
  async act(target) {
    requireDynamicRegistration(target, "to register a client");
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
    const isRegistered = isSuccess(exchange) && typeof clientId === "string";
    expectWorks(exchange, isRegistered, "2xx with client_id", "DCR-01");
  },
});

const keys = check({
  id: "META-16/keys",
  claim: "The advertised `jwks_uri` serves a JWK set.",
  act: async (target) => target.send({ method: "GET", url: await advertised(target, "jwks_uri") }),
  assert(exchange) {
    const { keys: published } = jsonMembers(exchange);
    const isKeySet = exchange.response.status === 200 && Array.isArray(published);
    expectWorks(exchange, isKeySet, "200 with an array keys", "JWKS-01");
  },
});

/** Every endpoint is driven at the address that the metadata gives; all other suites drive those of the profile. */
export const advertisedEndpointChecks = [authorization, codeGrant, revocation, registration, keys];
