import { expect, test } from "vitest";
import { totpCode, totpCounter, totpSettings } from "./totp.ts";

// RFC 6238, appendix B: the secret is the ASCII text 12345678901234567890, repeated to the length of the hash.
const sha1Secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const sha256Secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA";

test.for([
  { seconds: 59, sha1: "94287082", sha256: "46119246" },
  { seconds: 1111111109, sha1: "07081804", sha256: "68084774" },
  { seconds: 1111111111, sha1: "14050471", sha256: "67062674" },
  { seconds: 1234567890, sha1: "89005924", sha256: "91819424" },
  { seconds: 2000000000, sha1: "69279037", sha256: "90698825" },
  { seconds: 20000000000, sha1: "65353130", sha256: "77737706" },
])("the codes at $seconds s are those of RFC 6238", ({ seconds, sha1, sha256 }) => {
  const codeOf = (secret: string): string => {
    const settings = totpSettings(secret);
    return totpCode(settings, totpCounter(settings, seconds * 1000));
  };
  expect(codeOf(`otpauth://totp/x?secret=${sha1Secret}&digits=8`)).toBe(sha1);
  expect(codeOf(`otpauth://totp/x?secret=${sha256Secret}&digits=8&algorithm=SHA256`)).toBe(sha256);
});

test("a secret may be written as apps show it", () => {
  const settings = totpSettings("gezd gnbv gy3t qojq gezd gnbv gy3t qojq");
  expect(totpCode(settings, totpCounter(settings, 59_000))).toBe("287082");
});
