import { unguessable } from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { requireLoopback } from "../support/material/loopback-policy.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { encodeParameters } from "../support/wire/parameters.ts";
import { Violation } from "../support/verdict.ts";
import {
  expectRegistrationRefused,
  outcome,
  publicMetadata,
  registerAs,
  registerFlawed,
  requireRegistration,
} from "./registered-clients.ts";

const refusals = ["invalid_redirect_uri", "invalid_client_metadata"];

interface FlawedMetadata {
  readonly id: string;
  /** Reads after "A registration". */
  readonly words: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

const badRedirectUris: readonly FlawedMetadata[] = [
  // JSON leaves a member out whose value is undefined.
  { id: "B-DCR-05", words: "without `redirect_uris`", changes: { redirect_uris: undefined } },
  { id: "B-DCR-04/no-uri", words: "with empty `redirect_uris`", changes: { redirect_uris: [] } },
  {
    id: "B-DCR-04/string",
    words: "with a string as `redirect_uris`",
    changes: { redirect_uris: redirectUris.main },
  },
  { id: "B-DCR-04/number", words: "with a number as redirect URI", changes: { redirect_uris: [1] } },
  { id: "B-DCR-04/empty-uri", words: "with an empty redirect URI", changes: { redirect_uris: [""] } },
  {
    id: "B-DCR-10/fragment",
    words: "with a redirect URI that has a fragment",
    changes: { redirect_uris: [`${redirectUris.main}#x`] },
  },
  {
    id: "B-DCR-10/absolute-path",
    words: "with an absolute path as redirect URI",
    changes: { redirect_uris: ["/cb"] },
  },
  {
    id: "B-DCR-10/relative-path",
    words: "with a relative path as redirect URI",
    changes: { redirect_uris: ["cb"] },
  },
  {
    id: "B-DCR-11/http",
    words: "with an http redirect URI that is not on loopback",
    changes: { redirect_uris: ["http://cb.example.test/cb"] },
  },
  {
    id: "B-DCR-12/javascript",
    words: "with a `javascript:` redirect URI",
    changes: { redirect_uris: ["javascript:alert(1)"] },
  },
  {
    id: "B-DCR-12/data",
    words: "with a `data:` redirect URI",
    changes: { redirect_uris: ["data:text/html,x"] },
  },
  {
    id: "B-DCR-12/vbscript",
    words: "with a `vbscript:` redirect URI",
    changes: { redirect_uris: ["vbscript:msgbox(1)"] },
  },
  {
    id: "B-DCR-12/file",
    words: "with a `file:` redirect URI",
    changes: { redirect_uris: ["file:///etc/passwd"] },
  },
  {
    id: "B-DCR-12/blob",
    words: "with a `blob:` redirect URI",
    changes: { redirect_uris: ["blob:https://cb.example.test/x"] },
  },
];

const refusedMetadata = badRedirectUris.map(({ id, words, changes }) =>
  recommend({
    id,
    claim: `A registration ${words} is refused with \`invalid_redirect_uri\` or \`invalid_client_metadata\`.`,
    act: (target) => registerFlawed(target, JSON.stringify(publicMetadata(changes))),
    assert: (exchange) => expectRegistrationRefused(exchange, refusals),
  }),
);

const notOffered = [
  { member: "grant_types", value: "password" },
  { member: "response_types", value: "token" },
].map(({ member, value }) =>
  recommend({
    id: `B-DCR-04/${member.replace("_", "-")}`,
    claim: `A registration for \`${member}\` \`${value}\` is refused with \`invalid_client_metadata\`, or the response shows other values.`,
    act: (target) => registerFlawed(target, JSON.stringify(publicMetadata({ [member]: [value] }))),
    assert(exchange) {
      if (!isSuccess(exchange)) return expectRegistrationRefused(exchange, ["invalid_client_metadata"]);
      const registered = jsonMembers(exchange)[member];
      return expectThat(
        Array.isArray(registered) && !registered.includes(value),
        `${member} without ${value} in the response`,
        JSON.stringify(registered) ?? "absent",
        exchange,
      );
    },
  }),
);

const twoKeySets = recommend({
  id: "B-DCR-16",
  claim:
    "A registration with both `jwks` and `jwks_uri` is refused with `invalid_client_metadata`, or the response shows neither.",
  act: (target) =>
    registerFlawed(
      target,
      JSON.stringify(publicMetadata({ jwks: { keys: [] }, jwks_uri: "https://cb.example.test/jwks.json" })),
    ),
  assert(exchange) {
    if (!isSuccess(exchange)) return expectRegistrationRefused(exchange, ["invalid_client_metadata"]);
    // A response shows all that is registered (RFC 7591 §3.2.1): members that it lacks were ignored.
    // Null is written for what a client has not (RFC 7592 §2.2).
    const { jwks, jwks_uri: jwksUri } = jsonMembers(exchange);
    const registered = Object.entries({ jwks, jwks_uri: jwksUri }).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [name],
    );
    return expectThat(
      registered.length === 0,
      "neither jwks nor jwks_uri in the response",
      registered.join(" and "),
      exchange,
    );
  },
});

const bodies = [
  { slug: "malformed", words: "malformed JSON", body: '{"redirect_uris":[', type: "application/json" },
  { slug: "null", words: "`null`", body: "null", type: "application/json" },
  { slug: "array", words: "an array", body: "[]", type: "application/json" },
  {
    slug: "form",
    words: "a form",
    body: encodeParameters([["redirect_uris", redirectUris.main]]),
    type: "application/x-www-form-urlencoded",
  },
].map(({ slug, words, body, type }) =>
  recommend({
    id: `B-DCR-07/${slug}`,
    claim: `A registration whose body is ${words} is refused.`,
    act: (target) => registerFlawed(target, body, type),
    assert: (exchange) => expectThat(isRefusal(exchange), "a refusal with 4xx", summary(exchange), exchange),
  }),
);

const otherTypes = [
  { member: "scope", words: "a number", value: 1 },
  { member: "grant_types", words: "a number", value: 1 },
  { member: "client_name", words: "a number", value: 1 },
  { member: "response_types", words: "a string", value: "code" },
  { member: "token_endpoint_auth_method", words: "an array", value: ["none"] },
].map(({ member, words, value }) =>
  check({
    id: `ERR-11/registered-${member.replaceAll("_", "-")}`,
    claim: `A registration with ${words} as \`${member}\` is not answered with 5xx.`,
    act: (target) => registerFlawed(target, JSON.stringify(publicMetadata({ [member]: value }))),
    assert: (exchange) => expectThat(exchange.response.status < 500, "no 5xx", summary(exchange), exchange),
  }),
);

const loopback = recommend({
  id: "B-DCR-11/loopback-ipv6",
  claim: "An http redirect URI on the loopback address `[::1]` is registered.",
  async act(target) {
    const exchange = await registerAs(target, publicMetadata({ redirect_uris: ["http://[::1]:8123/cb"] }));
    if (!isSuccess(exchange)) await requireLoopback(target);
    return exchange;
  },
  assert: (exchange) => expectThat(isSuccess(exchange), "a registration", summary(exchange), exchange),
});

const recorded = [
  {
    id: "B-NAT-02",
    words: "with a redirect URI on localhost",
    changes: { redirect_uris: ["http://localhost:8123/cb"] },
  },
  {
    id: "B-DCR-13",
    words: "of a redirect URI with a private-use scheme",
    changes: { redirect_uris: ["test.example.mailproof:/cb"] },
  },
  {
    id: "B-DCR-17",
    words: "with a software statement that is not a JWT",
    changes: { software_statement: unguessable() },
  },
].map(({ id, words, changes }) =>
  observe({
    id,
    question: `How is a registration ${words} answered?`,
    act: (target) => registerAs(target, publicMetadata(changes)),
    answer: (exchange) => outcome(exchange),
  }),
);

/** Other media types may be refused as such, with 415 (RFC 9110 §15.5.16). */
function isSentAsJson({ request }: Exchange): boolean {
  return request.headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("application/json"),
  );
}

const status = recommend({
  id: "B-DCR-04/status",
  claim: "Registrations of the run, sent as JSON, are refused for their metadata, and all of them with 400.",
  last: true,
  async act(target) {
    requireRegistration(target);
    // What was refused before a restart of the target is forgotten: one refusal of its own is always there.
    await registerAs(target, publicMetadata({ redirect_uris: [] }));
    return target
      .runExchanges()
      .filter(
        (exchange) =>
          exchange.request.url === `${target.authUrl}/oauth/register` &&
          isSentAsJson(exchange) &&
          refusals.some((code) => code === jsonMembers(exchange)["error"]),
      );
  },
  assert(refused) {
    expectThat(refused.length > 0, `a refusal with ${refusals.join(" or ")}`, "none in this run");
    // One that is too large is refused for its size too (C-90).
    const others = refused.filter(({ response: { status: it } }) => it !== 400 && it !== 413);
    const [first] = others;
    if (first === undefined) return;
    const observed = `${others.length} of ${refused.length} otherwise, the first ${summary(first)}`;
    throw new Violation("400 with every refusal of metadata", observed, { exchange: first });
  },
});

/** Metadata that RFC 7591 and RFC 9700 want refused, or leave open. */
export const refusedMetadataChecks = [
  ...refusedMetadata,
  ...notOffered,
  twoKeySets,
  ...bodies,
  ...otherTypes,
  loopback,
  ...recorded,
  status,
];
