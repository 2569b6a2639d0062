import { expect, test } from "vitest";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { addressMend } from "./address-mend.ts";

test.for([
  { code: "ECONNREFUSED", mend: "start the service, or correct auth_url in the profile" },
  { code: "SELF_SIGNED_CERT_IN_CHAIN", mend: "ca_file of the profile, or in NODE_EXTRA_CA_CERTS" },
  { code: "DEPTH_ZERO_SELF_SIGNED_CERT", mend: "ca_file of the profile, or in NODE_EXTRA_CA_CERTS" },
  { code: "CERT_HAS_EXPIRED", mend: "give the service a new certificate" },
  { code: "ERR_SSL_WRONG_VERSION_NUMBER", mend: "write auth_url with http:// in the profile" },
])("$code: $mend", ({ code, mend }) => {
  const cause = Object.assign(new TypeError("of the connection"), { code });
  expect(
    addressMend("auth_url", new InconclusiveError("target-unreachable", "no answer", { cause })),
  ).toContain(mend);
});

test("no answer in time: raise timeout_seconds", () => {
  const silent = new InconclusiveError("target-silent", "no complete answer within 10 s");
  expect(addressMend("mcp_url", silent)).toMatch(/^raise timeout_seconds .* correct mcp_url$/u);
});

test("a reason that does not tell what is wrong has no mend of its own", () => {
  const cause = Object.assign(new TypeError("of the connection"), { code: "ECONNRESET" });
  const reset = new InconclusiveError("target-unreachable", "no answer", { cause });
  expect(addressMend("auth_url", reset)).toBeUndefined();
});
