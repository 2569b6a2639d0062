import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { redirectUris } from "../support/material/clients.ts";
import { header, isSuccess, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import {
  expectEqual,
  expectStringSet,
  expectThat,
  isRefusalStatus,
  shown,
} from "../support/judging/expect.ts";
import { observation, Violation } from "../support/verdict.ts";
import {
  confidentialRegistration,
  outcome,
  publicMetadata,
  publicRegistration,
  registerAs,
  requireRegistered,
} from "./registered-clients.ts";

const created = check({
  id: "B-DCR-01",
  claim: "A registration is answered with 201 and application/json.",
  act: publicRegistration,
  assert: (exchange) =>
    advise(() => {
      expectEqual(exchange.response.status, 201, "the status");
      expectEqual(mediaType(exchange), "application/json", "the media type");
    }),
});

const secretExpiry = check({
  id: "B-DCR-02",
  claim: "A registration that issues a client_secret says when it expires, as an integer.",
  act: confidentialRegistration,
  assert: (exchange) =>
    advise(() => {
      const { client_secret: secret, client_secret_expires_at: expiry } = jsonMembers(exchange);
      expectThat(typeof secret === "string", "a client_secret", summary(exchange));
      expectThat(Number.isInteger(expiry), "an integer client_secret_expires_at", shown(expiry));
    }),
});

const returned = check({
  id: "B-DCR-03",
  claim: "A registration returns all metadata of the client, redirect_uris byte for byte.",
  act: publicRegistration,
  assert: (exchange) =>
    advise(() => {
      const body = jsonMembers(exchange);
      expectStringSet(body["redirect_uris"], [redirectUris.main], "redirect_uris");
      for (const member of ["client_name", "grant_types", "response_types", "token_endpoint_auth_method"])
        expectThat(member in body, `${member} in the response`, Object.keys(body).join(", "));
    }),
});

const notCached = check({
  id: "B-DCR-08",
  claim: "The response that carries a client_secret has Cache-Control: no-store.",
  act: confidentialRegistration,
  assert: (exchange) =>
    advise(() => {
      const { client_secret: secret } = jsonMembers(exchange);
      expectThat(typeof secret === "string", "a client_secret", summary(exchange));
      const cacheControl = header(exchange, "cache-control") ?? "absent";
      expectThat(/\bno-store\b/iu.test(cacheControl), "Cache-Control: no-store", cacheControl);
    }),
});

const defaultMethod = check({
  id: "B-DCR-09",
  claim: "Which method a client gets that registers without token_endpoint_auth_method is recorded.",
  async act(target) {
    const { token_endpoint_auth_method: _method, ...metadata } = publicMetadata();
    return registerAs(target, metadata);
  },
  assert: (exchange) => observation(outcome(exchange, "token_endpoint_auth_method")),
});

const ownName = check({
  id: "B-DCR-14",
  claim: "A registered client_id does not begin like the URL of a metadata document.",
  act: async (target) => requireRegistered(await publicRegistration(target)).client_id,
  assert: (clientId) =>
    advise(() => expectThat(!clientId.startsWith("https://"), "no https:// in front", shown(clientId))),
});

const management = check({
  id: "B-DCR-20",
  claim:
    "Whether the response offers client management (RFC 7592) is recorded; its two members come together.",
  act: publicRegistration,
  assert(exchange) {
    const { registration_client_uri: uri, registration_access_token: token } = jsonMembers(exchange);
    const isWhole = (uri === undefined) === (token === undefined);
    return (
      advise(() =>
        expectThat(
          isWhole,
          "registration_client_uri and registration_access_token together or neither",
          uri === undefined ? "the token alone" : "the URI alone",
        ),
      ) ?? observation(uri === undefined ? "not offered" : "offered")
    );
  },
});

const unknownMember = check({
  id: "B-DCR-06",
  claim: "A registration with a member that no specification knows succeeds.",
  act: (target) => registerAs(target, publicMetadata({ foo: 1 })),
  assert: (exchange) =>
    advise(() => {
      const { client_id: clientId } = jsonMembers(exchange);
      expectThat(isSuccess(exchange) && typeof clientId === "string", "a client_id", summary(exchange));
    }),
});

const chosen = {
  client_id: "mailproof-chosen-id",
  client_secret: "mailproof-chosen-secret",
  client_id_issued_at: 1,
  scope: "mail.read admin",
};

const notAdopted = check({
  id: "B-DCR-15",
  claim:
    "A registration does not adopt a client_id, a client_secret, a time of issue or an unknown scope of the caller.",
  async act(target) {
    requireRegistered(await publicRegistration(target));
    return registerAs(target, publicMetadata(chosen));
  },
  assert: (exchange) =>
    advise(() => {
      const wasJudged = isSuccess(exchange) || isRefusalStatus(exchange.response.status);
      expectThat(wasJudged, "a registration or a refusal", summary(exchange));
      const body = jsonMembers(exchange);
      const { scope } = body;
      const adopted = (["client_id", "client_secret", "client_id_issued_at"] as const).filter(
        (member) => body[member] === chosen[member],
      );
      if (typeof scope === "string" && scope.split(" ").includes("admin"))
        throw new Violation("no scope admin", shown(scope));
      expectThat(adopted.length === 0, "values of the server's own", `${adopted.join(", ")} as sent`);
    }),
});

/** What RFC 7591 asks of the answer to a registration: warnings and observations alone. */
export const responseChecks = [
  created,
  secretExpiry,
  returned,
  notCached,
  defaultMethod,
  ownName,
  management,
  unknownMember,
  notAdopted,
];
