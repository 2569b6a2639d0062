import { controlRefused } from "../support/wire/control-refused.ts";
import {
  authorizationRequest,
  authorizationUrl,
  type Client,
  codeExchange,
  postToken,
  requireTokens,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { attempt, obtainCode, showsSignIn } from "../support/actors/authorization.ts";
import { check, observe } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoTokens, expectStatus, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError, Violation } from "../support/verdict.ts";
import {
  confidentialRegistration,
  outcome,
  publicMetadata,
  publicRegistration,
  registerAs,
  registerFlawed,
  registrationWithoutMethod,
  registrationWithSecret,
  requireRegistered,
} from "./registered-clients.ts";

const open = check({
  id: "DCR-01",
  claim: "A public client registers without any credential and is given a `client_id`.",
  act: publicRegistration,
  assert(exchange) {
    const { client_id: clientId } = jsonMembers(exchange);
    expectThat(
      isSuccess(exchange) && typeof clientId === "string" && clientId !== "",
      "2xx with client_id",
      summary(exchange),
      exchange,
    );
  },
});

const noSecret = check({
  id: "DCR-02/no-secret",
  claim: "The registration of a public client returns no `client_secret`.",
  async act(target) {
    const exchange = await publicRegistration(target);
    requireRegistered(exchange);
    return exchange;
  },
  assert(exchange) {
    const { client_secret: secret } = jsonMembers(exchange);
    // An empty one is none, as a serializer without a null writes it.
    expectThat(typeof secret !== "string" || secret === "", "no client_secret", "one was returned", exchange);
  },
});

const worksWithoutSecret = check({
  id: "DCR-02/flow",
  claim: "A registered public client redeems a code without a `client_secret`.",
  needs: ["human"],
  async act(target) {
    const { client_id, redirect_uris } = requireRegistered(await publicRegistration(target));
    const code = await obtainCode(target, authorizationRequest(target, { client_id, redirect_uris }));
    return postToken(target, codeExchange(code));
  },
  assert(exchange) {
    const { access_token: token } = jsonMembers(exchange);
    if (exchange.response.status === 200 && typeof token === "string") return;
    throw new Violation("200 with access_token", summary(exchange), { exchange, explainedBy: "TOKEN-01" });
  },
});

const secretIssued = check({
  id: "DCR-03/issued",
  claim:
    "A client that registers for `client_secret_post`, and is registered for it, is given a `client_secret`.",
  async act(target) {
    requireRegistered(await publicRegistration(target.control));
    return confidentialRegistration(target);
  },
  assert(exchange) {
    const { client_secret: secret, token_endpoint_auth_method: method } = jsonMembers(exchange);
    // A server may replace what a client asked for (RFC 7591 §2), and its answer says what it registered (C-40).
    if (isSuccess(exchange) && method === "none" && secret === undefined)
      throw new NotApplicableError("the client was registered with the method none, which takes no secret");
    expectThat(
      isSuccess(exchange) && typeof secret === "string" && secret !== "",
      "a registration with client_secret",
      summary(exchange),
      exchange,
    );
  },
});

const secretRequired = check({
  id: "DCR-03/required",
  claim:
    "A client registered for `client_secret_post` is refused a code exchange without its `client_secret`.",
  needs: ["human"],
  async act(target) {
    const client = requireRegistered(await registrationWithSecret(target.setup));
    const control = await obtainCode(target.setup, authorizationRequest(target, client));
    const redeemed = await postToken(target.control, codeExchange(control));
    requireTokens(redeemed, "the exchange with the client_secret");
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    return postToken(target, without(codeExchange(code), "client_secret"));
  },
  assert(exchange) {
    expectNoTokens(exchange);
    // The document names neither status nor code for a secret that is missing.
    expectThat(isRefusal(exchange), "a refusal", summary(exchange), exchange);
  },
});

const withoutMethod = check({
  id: "DCR-03/method-left-out",
  claim:
    "A client that registers without `token_endpoint_auth_method` redeems codes with the `client_secret` that it is given and not otherwise, or without any.",
  needs: ["human"],
  async act(target) {
    const registration = await registrationWithoutMethod(target.setup);
    if (isRefusal(registration))
      throw new BlockedError("needs a target that registers clients without `token_endpoint_auth_method`");
    const { client_id, redirect_uris } = requireRegistered(registration);
    const secret = issuedSecret(registration);
    const client = { client_id, redirect_uris, ...(secret !== undefined && { client_secret: secret }) };
    const first = await redeemFor(secret === undefined ? target : target.control, client);
    if (secret === undefined) return { valid: first, refused: [] };
    requireTokens(first, "the exchange with the client_secret that was issued", "DCR-03/required");
    return {
      refused: [
        await redeemFor(target, { client_id, redirect_uris }),
        await redeemFor(target, { ...client, client_secret: unguessable() }),
      ],
    };
  },
  assert({ valid, refused }) {
    if (valid !== undefined) explained("DCR-02/flow", () => expectStatus(valid, 200));
    for (const exchange of refused) {
      expectNoTokens(exchange);
      expectThat(isRefusal(exchange), "a refusal", summary(exchange), exchange);
    }
  },
});

async function redeemFor(target: Target, client: Client): Promise<Exchange> {
  return postToken(
    target,
    codeExchange(await obtainCode(target.setup, authorizationRequest(target, client))),
  );
}

/**
 * The `client_secret` of a client that the response does not call public.
 *
 * @throws {BlockedError} when the client is to authenticate by a method that the document does not have
 */
function issuedSecret(registration: Exchange): string | undefined {
  const { client_secret: secret, token_endpoint_auth_method: method } = jsonMembers(registration);
  if (method === "none" || (method === undefined && secret === undefined)) return undefined;
  const isByForm = method === "client_secret_post" || method === undefined;
  if (isByForm && typeof secret === "string") return secret;
  throw new BlockedError(`needs a client for client_secret_post or none; got one for ${shown(method)}`);
}

const usableAtOnce = check({
  id: "DCR-04/at-once",
  claim:
    "The first authorization request of a client that has just registered is answered with sign-in or consent.",
  async act(target) {
    const client = requireRegistered(await registerAs(target.setup, publicMetadata()));
    const { parameters } = authorizationRequest(target, client);
    const first = await target.send({ method: "GET", url: authorizationUrl(target, parameters) });
    return { first, redirectUris: client.redirect_uris };
  },
  assert({ first, redirectUris }) {
    if (showsSignIn(first, redirectUris)) return;
    throw new Violation("a page or a redirect to sign-in", summary(first), {
      exchange: first,
      explainedBy: "AUTHZ-01",
    });
  },
});

async function requireAuthorizing(target: Target) {
  const client = requireRegistered(await publicRegistration(target.setup));
  await target.control.once(`control:registered:${client.client_id}`, async (recording) => {
    const { parameters } = authorizationRequest(recording, client);
    const first = await recording.send({ method: "GET", url: authorizationUrl(recording, parameters) });
    if (showsSignIn(first, client.redirect_uris)) return;
    throw controlRefused("the registered redirect_uri", "sign-in or consent", first, "AUTHZ-01");
  });
  return client;
}

const onlyRegisteredUris = check({
  id: "DCR-04/unregistered-uri",
  claim: "A `redirect_uri` that a new client did not register is refused without a redirect.",
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

const partOfString = check({
  id: "DCR-04/part-of-string",
  claim:
    "A client that registered a string for its `redirect_uris` is refused, or gets no redirect to the beginning of that string.",
  async act(target) {
    await requireAuthorizing(target);
    const uris = `${redirectUris.main}/whole`;
    const exchange = await registerFlawed(
      target.setup,
      JSON.stringify(publicMetadata({ redirect_uris: uris })),
    );
    const { client_id: id } = jsonMembers(exchange);
    // A framework may read a list of one from it, and B-DCR-04/string recommends to refuse it.
    if (!isSuccess(exchange) || typeof id !== "string") return exchange;
    const client = { client_id: id, redirect_uris: [uris] };
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, {
      client,
      parameters: replacing(parameters, "redirect_uri", redirectUris.main),
    });
  },
  assert(tried) {
    if ("end" in tried) return explained("REDIR-04", () => expectNoRedirect(tried));
    if (isRefusal(tried)) return undefined;
    throw controlRefused("registering a string", "a client, or a refusal", tried, "B-DCR-04/string");
  },
});

const uniqueIds = check({
  id: "DCR-05",
  claim: "Two registrations of the same metadata are given different `client_id`s.",
  act: async (target) => [await publicRegistration(target), await registerAs(target, publicMetadata())],
  assert(registrations) {
    const [first, second] = registrations.map((exchange) => requireRegistered(exchange).client_id);
    if (first === second)
      throw new Violation("different client_ids", "the same one twice", { exchange: registrations[1] });
  },
});

const atOnce = 5;

const uniqueAtOnce = check({
  id: "DCR-05/simultaneous",
  claim: `${atOnce} simultaneous registrations are given different \`client_id\`s.`,
  act: (target) => Promise.all(Array.from({ length: atOnce }, () => registerAs(target, publicMetadata()))),
  assert(registrations) {
    const ids = registrations.map((exchange) => requireRegistered(exchange).client_id);
    const repeated = ids.findIndex((id, at) => ids.indexOf(id) !== at);
    if (repeated < 0) return;
    throw new Violation("different client_ids", "the same one twice", {
      exchange: registrations[repeated],
      explainedBy: "DCR-05",
    });
  },
});

const chosenId = check({
  id: "DCR-05/chosen",
  claim: "A registration that names the `client_id` of another client is refused, or gets a new `client_id`.",
  async act(target) {
    // A client of its own: a target that overwrites it would spoil others.
    const taken = requireRegistered(await registerAs(target.control, publicMetadata())).client_id;
    const exchange = await registerAs(target, publicMetadata({ client_id: taken }));
    return { taken, exchange };
  },
  assert({ taken, exchange }) {
    if (!isSuccess(exchange))
      return expectThat(isRefusal(exchange), "a refusal or another client_id", summary(exchange), exchange);
    const { client_id: id } = jsonMembers(exchange);
    expectThat(id !== taken, "another client_id", "that of the other client", exchange);
  },
});

const otherMethods = ["client_secret_basic", "private_key_jwt"].map((method) =>
  observe({
    id: `DCR-08/${method.replaceAll("_", "-")}`,
    question: `How is a registration for \`${method}\`, a method that is not offered, answered?`,
    async act(target) {
      requireRegistered(await publicRegistration(target.control));
      return registerAs(target, publicMetadata({ token_endpoint_auth_method: method }));
    },
    answer: (exchange) => outcome(exchange, "token_endpoint_auth_method"),
  }),
);

const scopeLimits = observe({
  id: "DCR-10",
  question: "What does a client that registered the scope `mail.read` get when it asks for both?",
  async act(target) {
    const client = await sharedClient(target, "readOnly");
    const { parameters } = authorizationRequest(target, client);
    const first = await target.send({ method: "GET", url: authorizationUrl(target, parameters) });
    return { first, redirectUris: client.redirect_uris };
  },
  answer: ({ first, redirectUris }) =>
    showsSignIn(first, redirectUris) ? "sign-in or consent" : summary(first),
});

export const openRegistrationChecks = [
  open,
  noSecret,
  worksWithoutSecret,
  secretIssued,
  secretRequired,
  withoutMethod,
  usableAtOnce,
  onlyRegisteredUris,
  partOfString,
  uniqueIds,
  uniqueAtOnce,
  chosenId,
  ...otherMethods,
  scopeLimits,
];
