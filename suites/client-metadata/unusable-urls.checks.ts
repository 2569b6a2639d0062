import { check, observe, recommend } from "../support/judging/check.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { explained } from "../support/judging/explained.ts";
import { answering, attemptRefused, documentText, jsonType } from "./published-documents.ts";
import { attemptAs, expectNoClient, unresolvable } from "./url-clients.ts";

const plainHttp = check({
  id: "CIMD-04/http",
  claim: "An `http` URL as `client_id` is refused without a redirect.",
  act: (target) => attemptAs(target, `http://${unresolvable}/doc.json`),
  assert: expectNoClient,
});

const plainHttpServed = check({
  id: "CIMD-04/http-served",
  claim: "An `http` URL as `client_id`, at which a valid document is served, is refused without a redirect.",
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const plain = (url: string): string => url.replace(/^https:/u, "http:");
    const { url } = await target.documents.serve((at) => answering(200, jsonType, documentText(plain(at))));
    return attemptRefused(target, plain(url));
  },
  assert: (seen) => explained("CIMD-04/http", () => expectNoClient(seen)),
});

const noDocument = check({
  id: "CIMD-05/no-such-host",
  claim: "An `https` URL as `client_id` whose host does not resolve is refused without a redirect.",
  act: (target) => attemptAs(target, `https://${unresolvable}/doc.json`),
  assert: expectNoClient,
});

const errorCode = check({
  id: "CIMD-05/error-code",
  claim:
    "The error of an `https` URL as `client_id` that leads to no document is `invalid_client`, where one is shown.",
  act: (target) => attemptAs(target, `https://${unresolvable}/unknown.json`),
  assert(seen): Warning | undefined {
    explained("CIMD-05/no-such-host", () => expectNoClient(seen));
    const { error } = jsonMembers(seen.end.exchange);
    // The document has the code for a client_id that is unknown, and fixes no body for the authorization endpoint (C-01).
    const isOther = typeof error === "string" && error !== "invalid_client";
    return isOther ? warning(`the error is ${shown(error)}`) : undefined;
  },
});

const malformed = [
  { slug: "no-path", words: "without a path", url: `https://${unresolvable}` },
  { slug: "dot-segments", words: "with dot segments", url: `https://${unresolvable}/a/../doc.json` },
  {
    slug: "encoded-dot-segment",
    words: "with an encoded dot segment",
    url: `https://${unresolvable}/%2e/doc.json`,
  },
  { slug: "fragment", words: "with a fragment", url: `https://${unresolvable}/doc.json#x` },
  { slug: "user-info", words: "with userinfo", url: `https://user:password@${unresolvable}/doc.json` },
].map(({ slug, words, url }) =>
  recommend({
    id: `B-CIMD-01/${slug}`,
    claim: `A URL ${words} as \`client_id\` is refused without a redirect.`,
    act: (target) => attemptAs(target, url),
    assert: expectNoClient,
  }),
);

// Loopback, private, link-local with its metadata service, and a name for loopback.
const specialAddresses = [
  { slug: "loopback-ipv4", url: "https://127.0.0.1/doc.json" },
  { slug: "loopback-ipv6", url: "https://[::1]/doc.json" },
  { slug: "private", url: "https://10.0.0.1/doc.json" },
  { slug: "link-local", url: "https://169.254.169.254/latest/meta-data" },
  { slug: "localhost", url: "https://localhost/doc.json" },
];

const specialUse = specialAddresses.map(({ slug, url }) =>
  recommend({
    id: `B-CIMD-06/${slug}`,
    claim: `\`${url}\`, at a special-use address, is refused as \`client_id\` without a redirect.`,
    act: (target) => attemptAs(target, url),
    assert: expectNoClient,
  }),
);

const descriptions = observe({
  id: "B-CIMD-06/descriptions",
  // Words that differ may tell a stranger about hosts that only the server can reach.
  question:
    "What does `error_description` say of a special-use address as `client_id`, and of an unknown host?",
  async act(target) {
    const urls = [`https://${unresolvable}/other.json`, ...specialAddresses.map(({ url }) => url)];
    return Promise.all(urls.map(async (url) => (await attemptAs(target, url)).first));
  },
  answer(exchanges) {
    const words = new Set(exchanges.map((exchange) => shown(jsonMembers(exchange)["error_description"])));
    return words.size === 1 ? `the same of all: ${[...words].join()}` : `different: ${[...words].join("; ")}`;
  },
});

export const unusableUrlChecks = [
  plainHttp,
  plainHttpServed,
  noDocument,
  errorCode,
  ...malformed,
  ...specialUse,
  descriptions,
];
