import { controlRefused } from "../support/wire/control-refused.ts";
import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postToken,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { attempt, obtainCode, showsSignIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectNoTokens,
  expectOAuthErrorShape,
  expectThat,
  isRefusalStatus,
} from "../support/judging/expect.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";
import {
  confidentialRegistration,
  outcome,
  publicMetadata,
  publicRegistration,
  registerAs,
  requireRegistered,
} from "./registered-clients.ts";

const open = check({
  id: "DCR-01",
  claim: "A public client registers without any credential and is given a client_id.",
  act: publicRegistration,
  assert(exchange) {
    const { client_id: clientId } = jsonMembers(exchange);
    expectThat(
      isSuccess(exchange) && typeof clientId === "string" && clientId !== "",
      "201 with client_id",
      summary(exchange),
    );
    const { status } = exchange.response;
    return status === 201 ? undefined : warning(`registered with ${status}; RFC 7591 §3.2.1 says 201`);
  },
});

const noSecret = check({
  id: "DCR-02/no-secret",
  claim: "The registration of a public client returns no client_secret.",
  async act(target) {
    const exchange = await publicRegistration(target);
    requireRegistered(exchange);
    return exchange;
  },
  assert(exchange) {
    const { client_secret: secret } = jsonMembers(exchange);
    expectThat(typeof secret !== "string", "no client_secret", "one was returned");
  },
});

const worksWithoutSecret = check({
  id: "DCR-02/flow",
  claim: "A registered public client redeems a code without a client_secret.",
  needs: ["human"],
  async act(target) {
    const { client_id, redirect_uris } = requireRegistered(await publicRegistration(target));
    const code = await obtainCode(target, authorizationRequest(target, { client_id, redirect_uris }));
    return postToken(target, codeExchange(code));
  },
  assert(exchange) {
    const { access_token: token } = jsonMembers(exchange);
    expectThat(
      exchange.response.status === 200 && typeof token === "string",
      "200 with access_token",
      summary(exchange),
    );
  },
});

const secretIssued = check({
  id: "DCR-03/issued",
  claim: "A client that registers client_secret_post is given a client_secret.",
  async act(target) {
    requireRegistered(await publicRegistration(target));
    return confidentialRegistration(target);
  },
  assert(exchange) {
    const { client_secret: secret } = jsonMembers(exchange);
    expectThat(
      isSuccess(exchange) && typeof secret === "string" && secret !== "",
      "a registration with client_secret",
      summary(exchange),
    );
  },
});

const secretRequired = check({
  id: "DCR-03/required",
  claim: "A client registered for client_secret_post redeems no code without its client_secret.",
  needs: ["human"],
  async act(target) {
    const client = requireRegistered(await confidentialRegistration(target));
    if (client.client_secret === undefined)
      throw new InconclusiveError(
        "precondition-missing",
        "no client_secret was issued, which DCR-03/issued judges",
      );
    const control = await obtainCode(target, authorizationRequest(target, client));
    requireTokens(await postToken(target, codeExchange(control)), "the exchange with the client_secret");
    const code = await obtainCode(target, authorizationRequest(target, client));
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert(exchange) {
    expectNoTokens(exchange);
    // The document names no status for a secret that is missing; RFC 6749 §5.2 has 400 and 401.
    expectThat([400, 401].includes(exchange.response.status), "400 or 401", summary(exchange));
    expectOAuthErrorShape(exchange);
  },
});

const usableAtOnce = check({
  id: "DCR-04/at-once",
  claim: "The first authorization request of a client that has just registered shows sign-in or consent.",
  async act(target) {
    const client = requireRegistered(await registerAs(target, publicMetadata()));
    const { parameters } = authorizationRequest(target, client);
    const first = await target.send({ method: "GET", url: authorizationUrl(target, parameters) });
    return { first, redirectUris: client.redirect_uris };
  },
  assert: ({ first, redirectUris }) =>
    expectThat(showsSignIn(first, redirectUris), "a page or a redirect to sign-in", summary(first)),
});

async function requireAuthorizing(target: Target) {
  const client = requireRegistered(await publicRegistration(target));
  await target.once(`control:registered:${client.client_id}`, async (recording) => {
    const { parameters } = authorizationRequest(recording, client);
    const first = await recording.send({ method: "GET", url: authorizationUrl(recording, parameters) });
    if (showsSignIn(first, client.redirect_uris)) return;
    throw controlRefused("the registered redirect_uri", "sign-in or consent", first);
  });
  return client;
}

const onlyRegisteredUris = check({
  id: "DCR-04/unregistered-uri",
  claim: "A redirect_uri that the new client did not register is refused without a redirect.",
  async act(target) {
    const client = await requireAuthorizing(target);
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, {
      client,
      parameters: replacing(parameters, "redirect_uri", "https://evil.test/cb"),
    });
  },
  assert: expectNoRedirect,
});

const uniqueIds = check({
  id: "DCR-05",
  claim: "Two registrations of the same metadata give two client_ids.",
  async act(target) {
    const first = requireRegistered(await publicRegistration(target));
    const second = requireRegistered(await registerAs(target, publicMetadata()));
    return [first.client_id, second.client_id];
  },
  assert([first, second]) {
    if (first === second) throw new Violation("two client_ids", "the same one twice");
  },
});

const otherMethods = ["client_secret_basic", "private_key_jwt"].map((method) =>
  check({
    id: `DCR-08/${method.replaceAll("_", "-")}`,
    claim: `What becomes of a registration for ${method}, which is not offered, is recorded.`,
    async act(target) {
      requireRegistered(await publicRegistration(target));
      return registerAs(target, publicMetadata({ token_endpoint_auth_method: method }));
    },
    assert: (exchange) => observation(outcome(exchange, "token_endpoint_auth_method")),
  }),
);

const scopeLimits = check({
  id: "DCR-10",
  claim: "What a client that registered the scope mail.read gets when it asks for both is recorded.",
  async act(target) {
    const client = await sharedClient(target, "readOnly");
    const { parameters } = authorizationRequest(target, client);
    const first = await target.send({ method: "GET", url: authorizationUrl(target, parameters) });
    return { first, redirectUris: client.redirect_uris };
  },
  assert: ({ first, redirectUris }) =>
    observation(
      showsSignIn(first, redirectUris) && !isRefusalStatus(first.response.status)
        ? "sign-in or consent"
        : summary(first),
    ),
});

export const openRegistrationChecks = [
  open,
  noSecret,
  worksWithoutSecret,
  secretIssued,
  secretRequired,
  usableAtOnce,
  onlyRegisteredUris,
  uniqueIds,
  ...otherMethods,
  scopeLimits,
];
