import { observe, recommend } from "../support/judging/check.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { isSuccess, jsonMembers, listHeader, mediaType, summary } from "../support/wire/exchange.ts";
import { expectStringSet, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import {
  outcome,
  publicMetadata,
  publicRegistration,
  registerAs,
  registrationWithoutMethod,
  registrationWithSecret,
  requireRegistered,
} from "./registered-clients.ts";

const created = recommend({
  id: "B-DCR-01/status",
  claim: "A registration is answered with 201.",
  act: publicRegistration,
  assert: (exchange) => expectThat(exchange.response.status === 201, "201", summary(exchange), exchange),
});

const json = recommend({
  id: "B-DCR-01/media-type",
  claim: "The response to a registration has the media type `application/json`.",
  act: publicRegistration,
  assert(exchange) {
    const type = mediaType(exchange);
    expectThat(type === "application/json", "application/json", type || "no media type", exchange);
  },
});

const secretExpiry = recommend({
  id: "B-DCR-02",
  claim: "A registration that issues a `client_secret` has an integer `client_secret_expires_at`.",
  act: registrationWithSecret,
  assert(exchange) {
    const { client_secret_expires_at: expiry } = jsonMembers(exchange);
    expectThat(Number.isInteger(expiry), "an integer client_secret_expires_at", shown(expiry), exchange);
  },
});

// Clocks differ, and a registration may have been made for an earlier check.
const mostSecondsApart = 86_400;

const issuedAt = recommend({
  id: "B-DCR-02/issued-at",
  claim:
    "`client_id_issued_at` of a registration, where it is present, is a time of today in seconds since 1970.",
  async act(target) {
    const exchange = await publicRegistration(target);
    return { exchange, nowSeconds: target.nowSeconds() };
  },
  assert({ exchange, nowSeconds }) {
    const { client_id_issued_at: time } = jsonMembers(exchange);
    if (time === undefined) throw new NotApplicableError("the registration does not say when it was made");
    const isNear = typeof time === "number" && Math.abs(time - nowSeconds) < mostSecondsApart;
    expectThat(isNear, `a time near ${Math.round(nowSeconds)}`, shown(time), exchange);
  },
});

const returned = recommend({
  id: "B-DCR-03",
  claim: "A registration returns all metadata of the client, and `redirect_uris` byte for byte.",
  act: publicRegistration,
  assert(exchange) {
    const body = jsonMembers(exchange);
    expectStringSet(body["redirect_uris"], [redirectUris.main], "redirect_uris");
    for (const member of ["client_name", "grant_types", "response_types", "token_endpoint_auth_method"])
      expectThat(member in body, `${member} in the response`, Object.keys(body).join(", "), exchange);
  },
});

/** What the metadata of every conforming service has, which is all that can be registered. Document, "Resources". */
const known = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };

const knownValues = recommend({
  id: "B-DCR-03/known-values",
  claim:
    "The `grant_types` and `response_types` that a registration returns are among those of the server's metadata, `authorization_code` and `code` among them.",
  act: publicRegistration,
  assert(exchange) {
    const body = jsonMembers(exchange);
    for (const [member, values] of Object.entries(known)) {
      const returned = body[member];
      // Whether it is returned at all is judged by B-DCR-03.
      if (returned === undefined) continue;
      const isKnown =
        Array.isArray(returned) &&
        returned.includes(values[0]) &&
        returned.every((value) => values.some((name) => name === value));
      expectThat(isKnown, `${member} among ${values.join(", ")}`, shown(returned), exchange);
    }
  },
});

const notCached = recommend({
  id: "B-DCR-08",
  claim: "The response that carries a `client_secret` has `Cache-Control: no-store`.",
  act: registrationWithSecret,
  assert(exchange) {
    const cacheControl = listHeader(exchange, "cache-control") ?? "absent";
    expectThat(/\bno-store\b/iu.test(cacheControl), "Cache-Control: no-store", cacheControl, exchange);
  },
});

const defaultMethod = observe({
  id: "B-DCR-09",
  question: "Which method does a client get that registers without `token_endpoint_auth_method`?",
  act: registrationWithoutMethod,
  answer: (exchange) => outcome(exchange, "token_endpoint_auth_method"),
});

const methods: readonly unknown[] = ["none", "client_secret_post"];

const knownMethod = recommend({
  id: "B-DCR-03/known-method",
  claim:
    "A client that registers without `token_endpoint_auth_method` is not registered for a method that the document does not have.",
  act: registrationWithoutMethod,
  assert(exchange) {
    const method = jsonMembers(exchange)["token_endpoint_auth_method"];
    const isKnown = !isSuccess(exchange) || method === undefined || methods.includes(method);
    expectThat(isKnown, "none or client_secret_post", shown(method), exchange);
  },
});

const ownName = recommend({
  id: "B-DCR-14",
  claim: "A registered `client_id` does not look like the URL of a metadata document.",
  act: publicRegistration,
  assert(exchange) {
    const clientId = requireRegistered(exchange).client_id;
    expectThat(!clientId.startsWith("https://"), "no https:// at its start", shown(clientId), exchange);
  },
});

const management = observe({
  id: "B-DCR-20",
  question: "Does the response to a registration offer client management (RFC 7592)?",
  act: publicRegistration,
  answer(exchange) {
    const { registration_client_uri: uri } = jsonMembers(exchange);
    return uri === undefined ? "not offered" : "offered";
  },
});

const managementMembers = recommend({
  id: "B-DCR-20/both-members",
  claim:
    "A registration returns `registration_client_uri` and `registration_access_token` together, or neither.",
  act: publicRegistration,
  assert(exchange) {
    const { registration_client_uri: uri, registration_access_token: token } = jsonMembers(exchange);
    expectThat(
      (uri === undefined) === (token === undefined),
      "both or neither",
      uri === undefined ? "the token alone" : "the URI alone",
      exchange,
    );
  },
});

const unknownMember = recommend({
  id: "B-DCR-06",
  claim: "A registration with metadata that the server does not know succeeds.",
  act: (target) => registerAs(target, publicMetadata({ foo: 1 })),
  assert(exchange) {
    const { client_id: clientId } = jsonMembers(exchange);
    const isRegistered = isSuccess(exchange) && typeof clientId === "string";
    expectThat(isRegistered, "2xx with client_id", summary(exchange), exchange);
  },
});

const chosen = {
  client_id: "mailproof-chosen-id",
  client_secret: "mailproof-chosen-secret",
  client_id_issued_at: 1,
  scope: "mail.read admin",
};

const notAdopted = recommend({
  id: "B-DCR-15",
  claim:
    "A registration adopts no `client_id`, `client_secret`, `client_id_issued_at` or unknown scope from the caller.",
  async act(target) {
    requireRegistered(await publicRegistration(target.control));
    return registerAs(target, publicMetadata(chosen));
  },
  assert(exchange) {
    const isDecided = isSuccess(exchange) || isRefusal(exchange);
    expectThat(isDecided, "a registration or a refusal", summary(exchange), exchange);
    const body = jsonMembers(exchange);
    const { scope } = body;
    const adopted = (["client_id", "client_secret", "client_id_issued_at"] as const).filter(
      (member) => body[member] === chosen[member],
    );
    if (typeof scope === "string" && scope.split(" ").includes("admin"))
      throw new Violation("no scope admin", shown(scope), { exchange });
    expectThat(adopted.length === 0, "values of the server's own", `${adopted.join(", ")} as sent`, exchange);
  },
});

/** What RFC 7591 asks of the answer to a registration. */
export const responseChecks = [
  created,
  json,
  secretExpiry,
  issuedAt,
  returned,
  knownValues,
  notCached,
  defaultMethod,
  knownMethod,
  ownName,
  management,
  managementMembers,
  unknownMember,
  notAdopted,
];
