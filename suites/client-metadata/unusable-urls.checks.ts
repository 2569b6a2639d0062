import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { expectEqual } from "../support/judging/expect.ts";
import { attemptAs, expectUnknownClient, unresolvable } from "./url-clients.ts";

const plainHttp = check({
  id: "CIMD-04/http",
  claim: "An http:// URL as client_id is refused with 400 invalid_client and no redirect.",
  act: (target) => attemptAs(target, `http://${unresolvable}/doc.json`),
  assert: expectUnknownClient,
});

const noDocument = check({
  id: "CIMD-05/no-such-host",
  claim:
    "An https:// URL as client_id whose host does not resolve is refused with 400 invalid_client and no redirect.",
  act: (target) => attemptAs(target, `https://${unresolvable}/doc.json`),
  assert: expectUnknownClient,
});

const malformed = [
  { slug: "no-path", url: `https://${unresolvable}` },
  { slug: "dot-segments", url: `https://${unresolvable}/a/../doc.json` },
  { slug: "encoded-dot-segment", url: `https://${unresolvable}/%2e/doc.json` },
  { slug: "fragment", url: `https://${unresolvable}/doc.json#x` },
  { slug: "user-info", url: `https://user:password@${unresolvable}/doc.json` },
].map(({ slug, url }) =>
  check({
    id: `B-CIMD-01/${slug}`,
    claim: `The client_id ${url}, a URL of a form that names no client, is refused with 400 invalid_client.`,
    act: (target) => attemptAs(target, url),
    assert: (seen) => advise(() => expectUnknownClient(seen)),
  }),
);

// Loopback, private, link-local with its metadata service, and a name for loopback.
const specialAddresses = [
  { slug: "loopback-ipv4", url: "https://127.0.0.1/doc.json" },
  { slug: "loopback-ipv6", url: "https://[::1]/doc.json" },
  { slug: "private", url: "https://10.0.0.1/doc.json" },
  { slug: "link-local", url: "https://169.254.169.254/latest/meta-data" },
  { slug: "localhost", url: "https://localhost/doc.json" },
].map(({ slug, url }) =>
  check({
    id: `B-CIMD-06/${slug}`,
    claim: `The client_id ${url} is refused with 400 invalid_client, in the very words of a host that does not resolve.`,
    async act(target) {
      const seen = await attemptAs(target, url);
      return { seen, unknownHost: await attemptAs(target, `https://${unresolvable}/other.json`) };
    },
    assert: ({ seen, unknownHost }) =>
      advise(() => {
        const finding = expectUnknownClient(seen);
        // What differs tells a stranger about hosts that only the server can reach.
        expectEqual(
          jsonMembers(seen.first)["error_description"],
          jsonMembers(unknownHost.first)["error_description"],
          "error_description",
        );
        return finding;
      }),
  }),
);

export const unusableUrlChecks = [plainHttp, noDocument, ...malformed, ...specialAddresses];
