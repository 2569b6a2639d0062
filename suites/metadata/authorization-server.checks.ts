import { browserAccept } from "../support/actors/browser-accept.ts";
import { check } from "../support/judging/check.ts";
import { expectStringSet, expectThat, shown } from "../support/judging/expect.ts";
import { expectDocument, expectMetadata, getDocument, metadataDocument, metadataUrl } from "./documents.ts";

const served = [
  { slug: "any", words: "accepts `*/*`", accept: "*/*" },
  { slug: "browser", words: "has the `Accept` of a browser", accept: browserAccept[1] },
].map(({ slug, words, accept }) =>
  check({
    id: `META-01/accept-${slug}`,
    claim: `The metadata is one JSON object, answered with 200 to a request without a credential that ${words}.`,
    act: (target) => getDocument(target, metadataUrl(target), accept),
    assert: (exchange) => void expectDocument(exchange),
  }),
);

const addresses = [
  { requirement: "META-02", member: "issuer", path: "" },
  { requirement: "META-03", member: "authorization_endpoint", path: "/oauth/authorize" },
  { requirement: "META-04", member: "token_endpoint", path: "/oauth/token" },
  { requirement: "META-05", member: "revocation_endpoint", path: "/oauth/revoke" },
  { requirement: "META-06", member: "registration_endpoint", path: "/oauth/register" },
  { requirement: "META-07", member: "jwks_uri", path: "/.well-known/jwks.json" },
].map(({ requirement, member, path }) =>
  check({
    id: requirement,
    claim: `\`${member}\` of the metadata is \`{auth_url}${path}\`, byte for byte.`,
    act: metadataDocument,
    assert(evidence) {
      const { [member]: value } = expectMetadata(evidence);
      const address = `${evidence.authUrl}${path}`;
      expectThat(value === address, `${member} ${shown(address)}`, shown(value), evidence.exchange);
    },
  }),
);

const sets = [
  { requirement: "META-08", member: "scopes_supported", values: ["mail.read", "mail.send"] },
  { requirement: "META-09", member: "response_types_supported", values: ["code"] },
  {
    requirement: "META-10",
    member: "grant_types_supported",
    values: ["authorization_code", "refresh_token"],
  },
  { requirement: "META-11", member: "code_challenge_methods_supported", values: ["S256"] },
  {
    requirement: "META-12",
    member: "token_endpoint_auth_methods_supported",
    values: ["client_secret_post", "none"],
  },
  { requirement: "META-15", member: "token_profiles_supported", values: ["at+jwt"] },
].map(({ requirement, member, values }) =>
  check({
    id: requirement,
    claim: `\`${member}\` of the metadata holds ${values.map((value) => `\`${value}\``).join(" and ")} and nothing else.`,
    act: metadataDocument,
    assert: (evidence) => expectStringSet(expectMetadata(evidence)[member], values, member),
  }),
);

const capabilities = [
  { requirement: "META-13", member: "authorization_response_iss_parameter_supported" },
  { requirement: "META-14", member: "client_id_metadata_document_supported" },
].map(({ requirement, member }) =>
  check({
    id: requirement,
    claim: `\`${member}\` of the metadata is the boolean true.`,
    act: metadataDocument,
    assert(evidence) {
      const { [member]: value } = expectMetadata(evidence);
      expectThat(value === true, `${member} true`, shown(value), evidence.exchange);
    },
  }),
);

export const authorizationServerChecks = [...served, ...addresses, ...sets, ...capabilities];
