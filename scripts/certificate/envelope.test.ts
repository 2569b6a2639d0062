import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CertificateStatement, type Envelope, payloadType } from "../../reports/certificate-format.ts";
import { CertificateError } from "./certificate-error.ts";
import { certifierKeyOf, keyIdOf } from "./ed25519-key.ts";
import { openEnvelope, preAuthEncoding, signStatement } from "./envelope.ts";
import { certifiedFolder } from "./example-certificate.ts";

const { folder, key, keyId } = certifiedFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const text = readFileSync(join(folder, "certificate.json"), "utf8");
const envelope = JSON.parse(text) as Envelope;
const body = Buffer.from(envelope.payload, "base64").toString();
const statement = JSON.parse(body) as CertificateStatement;
const other = generateKeyPairSync("ed25519").privateKey;

/** What opening says, or "valid". */
function opened(certificate: string, expected?: Parameters<typeof openEnvelope>[1]): string {
  try {
    openEnvelope(certificate, expected);
    return "valid";
  } catch (error) {
    if (error instanceof CertificateError) return error.part;
    throw error;
  }
}

/** Signs any text, as a certifier with ill intent could. */
function signed(payload: string | Uint8Array, type = payloadType): string {
  const bytes = Buffer.from(payload);
  const sig = sign(null, preAuthEncoding(type, bytes), key).toString("base64");
  return JSON.stringify({
    payloadType: type,
    payload: bytes.toString("base64"),
    signatures: [{ keyid: keyId, sig }],
  });
}

test("the encoding of the DSSE specification", () => {
  const encoded = preAuthEncoding("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(encoded.toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
});

test("the key of RFC 8037 has the id of its appendix A.3", () => {
  const x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
  expect(keyIdOf({ kty: "OKP", crv: "Ed25519", x })).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
});

test("a certificate opens with its key, the id of its key, or the key that it names", () => {
  expect(openEnvelope(text)).toEqual(statement);
  expect(opened(text, keyId)).toBe("valid");
  expect(opened(text, certifierKeyOf(key))).toBe("valid");
});

test("no single bit of a certificate can be flipped", () => {
  const bytes = Buffer.from(text);
  const survivors: string[] = [];
  for (let at = 0; at < bytes.length; at += 1)
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ (1 << bit);
      if (opened(flipped.toString()) === "valid") survivors.push(`bit ${bit} of byte ${at}`);
    }
  expect(survivors).toEqual([]);
});

test("no character can be left out but white space and padding", () => {
  const survivors = [...text].filter(
    (character, at) =>
      /[^\s=]/u.test(character) && opened(text.slice(0, at) + text.slice(at + 1)) === "valid",
  );
  expect(survivors).toEqual([]);
});

describe("another spelling of the same certificate is as good", () => {
  const url = (one: string): string => one.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "");
  const signature = envelope.signatures[0];
  test.for([
    { why: "on one line", certificate: JSON.stringify(envelope) },
    {
      why: "the other alphabet of base64",
      certificate: JSON.stringify({
        ...envelope,
        payload: url(envelope.payload),
        signatures: [{ keyid: keyId, sig: url(signature?.sig ?? "") }],
      }),
    },
  ])("$why", ({ certificate }) => {
    expect(openEnvelope(certificate)).toEqual(statement);
  });
});

describe("the part that is not as it was signed is named", () => {
  const [signature] = envelope.signatures;
  const changed = (changes: Partial<Envelope>): string => JSON.stringify({ ...envelope, ...changes });
  const otherSignature = sign(null, preAuthEncoding(payloadType, Buffer.from(body)), other).toString(
    "base64",
  );
  const inOther = { ...statement, predicate: { ...statement.predicate, certifier: certifierKeyOf(other) } };
  const renamed = { ...statement, subject: [{ name: "x", digest: { sha256: "0".repeat(64) } }] };
  const fingerprint = { ...statement.predicate.target.fingerprint, issuer: "\uD800" };
  const target = { ...statement.predicate.target, fingerprint };
  test.for([
    {
      why: "one more pass",
      part: "signature",
      certificate: changed({ payload: Buffer.from(body.replace('"pass":5', '"pass":6')).toString("base64") }),
    },
    {
      why: "another type than was signed",
      part: "signature",
      certificate: changed({ payloadType: "text/plain" }),
    },
    { why: "signed as another type", part: "payload type", certificate: signed(body, "application/json") },
    {
      why: "another's key id",
      part: "key id",
      certificate: changed({
        signatures: [{ keyid: keyIdOf(certifierKeyOf(other)), sig: signature?.sig ?? "" }],
      }),
    },
    {
      why: "signed with another key than it names",
      part: "signature",
      certificate: changed({ signatures: [{ keyid: keyId, sig: otherSignature }] }),
    },
    { why: "no signature", part: "signatures", certificate: changed({ signatures: [] }) },
    {
      why: "two signatures",
      part: "signatures",
      certificate: changed({ signatures: [...envelope.signatures, ...envelope.signatures] }),
    },
    { why: "a payload that is not base64", part: "payload", certificate: changed({ payload: "ä" }) },
    {
      why: "two payloads",
      part: "statement",
      certificate: text.replace('"payload":', '"payload": "AAAA", "payload":'),
    },
    {
      why: "signed, with a name twice",
      part: "statement",
      certificate: signed(body.replace('"pass":5', '"pass":6,"pass":5')),
    },
    {
      why: "signed, and not UTF-8",
      part: "statement",
      certificate: signed(Buffer.from(`${body}\u00ff`, "latin1")),
    },
    {
      why: "signed, with half a surrogate pair",
      part: "statement",
      certificate: signed(JSON.stringify({ ...statement, predicate: { ...statement.predicate, target } })),
    },
    {
      why: "signed, for another target than its subject",
      part: "statement",
      certificate: signed(JSON.stringify(renamed)),
    },
    {
      why: "signed, and another statement",
      part: "statement",
      certificate: signed(body.replace("mailproof:certificate:1", "mailproof:certificate:2")),
    },
    { why: "no JSON", part: "statement", certificate: text.slice(0, -4) },
    { why: "empty", part: "statement", certificate: "" },
  ])("$why: $part", ({ certificate, part }) => {
    expect(opened(certificate)).toBe(part);
  });

  test("with a key given, what another key signed is refused, whatever it names", () => {
    const others = JSON.stringify(signStatement(inOther, other));
    expect(opened(others)).toBe("valid");
    expect(opened(others, certifierKeyOf(key))).toBe("signature");
    expect(opened(others, keyId)).toBe("key");
    expect(opened(JSON.stringify(signStatement(inOther, key)))).toBe("signature");
    expect(opened(JSON.stringify(signStatement(inOther, key)), certifierKeyOf(key))).toBe("key id");
    expect(opened(signed(JSON.stringify(inOther)), certifierKeyOf(key))).toBe("key");
  });
});
