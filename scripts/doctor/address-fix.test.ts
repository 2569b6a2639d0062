import { expect, test } from "vitest";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { addressFix } from "./address-fix.ts";

test.for([
  { code: "ECONNREFUSED", fix: "start the service, or correct auth_url in the profile" },
  { code: "SELF_SIGNED_CERT_IN_CHAIN", fix: "ca_file of the profile, or in NODE_EXTRA_CA_CERTS" },
  { code: "DEPTH_ZERO_SELF_SIGNED_CERT", fix: "ca_file of the profile, or in NODE_EXTRA_CA_CERTS" },
  { code: "CERT_HAS_EXPIRED", fix: "give the service a new certificate" },
  { code: "ERR_SSL_WRONG_VERSION_NUMBER", fix: "write auth_url with http:// in the profile" },
])("$code: $fix", ({ code, fix }) => {
  const cause = Object.assign(new TypeError("of the connection"), { code });
  expect(
    addressFix("auth_url", new InconclusiveError("target-unreachable", "no answer", { cause })),
  ).toContain(fix);
});

test("no answer in time: raise timeout_seconds", () => {
  const silent = new InconclusiveError("target-silent", "no complete answer within 10 s");
  expect(addressFix("mcp_url", silent)).toMatch(/^raise timeout_seconds .* correct mcp_url$/u);
});

test("a reason that does not tell what is wrong has no fix of its own", () => {
  const cause = Object.assign(new TypeError("of the connection"), { code: "ECONNRESET" });
  const reset = new InconclusiveError("target-unreachable", "no answer", { cause });
  expect(addressFix("auth_url", reset)).toBeUndefined();
});
