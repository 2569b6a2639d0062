import { sign, verify, type KeyObject } from "node:crypto";
import { z } from "zod";
import {
  type CertificateStatement,
  type CertifierKey,
  type Envelope,
  payloadType,
  predicateType,
  statementSchema,
} from "../../reports/certificate-format.ts";
import type { RunTargetFingerprint } from "../../reports/run-format.ts";
import { decodeBase64 } from "./base64.ts";
import { canonicalJson } from "./canonical-json.ts";
import { CertificateError } from "./certificate-error.ts";
import { keyIdOf, publicKeyOf } from "./ed25519-key.ts";
import { sha256 } from "../sha256.ts";
import { parseStrictJson } from "./strict-json.ts";

const envelopeSchema = z.looseObject({
  payloadType: z.string(),
  payload: z.string(),
  signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.string() })),
});

/** What a DSSE signature covers: type and body, each with its length in bytes. */
export function preAuthEncoding(type: string, body: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Signs a statement whose certifier is the owner of the key. */
export function signStatement(statement: CertificateStatement, key: KeyObject): Envelope {
  const body = Buffer.from(JSON.stringify(statement));
  const signature = sign(null, preAuthEncoding(payloadType, body), key);
  const keyid = keyIdOf(statement.predicate.certifier);
  return {
    payloadType,
    payload: body.toString("base64"),
    signatures: [{ keyid, sig: signature.toString("base64") }],
  };
}

/**
 * Reads a certificate, and believes nothing of it before its signature is verified.
 *
 * @param expected - the key that must have signed it; without one, the key that it names itself
 * @throws {CertificateError} naming the part that is not as it was signed
 */
export function openEnvelope(text: string, expected?: CertifierKey | string): CertificateStatement {
  const envelope = parsed(envelopeSchema, text, "the certificate");
  const [signature, ...others] = envelope.signatures;
  if (signature === undefined || others.length > 0)
    throw new CertificateError("signatures", "a certificate has one signature");
  // Read once: what is verified is what is parsed.
  const body = decoded(envelope.payload, "payload");
  const key = typeof expected === "object" ? expected : statementOf(body).predicate.certifier;
  const keyId = keyIdOf(key);
  if (typeof expected === "string" && keyId !== expected)
    throw new CertificateError("key", `it names the key ${keyId}, not ${expected}`);
  const signed = preAuthEncoding(envelope.payloadType, body);
  if (!isSigned(signed, decoded(signature.sig, "signature"), key))
    throw new CertificateError(
      "signature",
      "the signature does not fit: the statement, its type or the signature was changed, or another key signed it",
    );
  if (signature.keyid !== keyId)
    throw new CertificateError("key id", `its key id is not that of the key that signed it, ${keyId}`);
  if (envelope.payloadType !== payloadType)
    throw new CertificateError("payload type", `it is signed, but as ${envelope.payloadType}`);
  const statement = statementOf(body);
  const named = keyIdOf(statement.predicate.certifier);
  if (named !== keyId) throw new CertificateError("key", `${keyId} signed it, but it names ${named}`);
  return statement;
}

function isSigned(signed: Uint8Array, signature: Uint8Array, key: CertifierKey): boolean {
  try {
    return verify(null, signed, publicKeyOf(key), signature);
  } catch (cause) {
    throw new CertificateError("key", "the key that it names is none", { cause });
  }
}

/** Also holds what the schema cannot say: that the first subject is the target. */
function statementOf(body: Uint8Array): CertificateStatement {
  const statement = parsed(statementSchema, textOf(body), "the statement");
  if (statement.subject[0]?.digest.sha256 !== fingerprintDigest(statement.predicate.target.fingerprint))
    throw new CertificateError("statement", "its first subject is not the target that it describes");
  return statement;
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new CertificateError("statement", "the statement is not UTF-8", { cause });
  }
}

/** Undefined for a fingerprint that canonical JSON cannot spell. */
function fingerprintDigest(fingerprint: RunTargetFingerprint): string | undefined {
  try {
    return sha256(canonicalJson(fingerprint));
  } catch {
    // Of JSON that was parsed, only half a surrogate pair has no spelling.
    return undefined;
  }
}

function parsed<Value>(schema: z.ZodType<Value>, text: string, what: string): Value {
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CertificateError("statement", `${what} is not JSON of one meaning: ${reason}`, { cause });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined ? "" : z.core.toDotPath(issue.path);
  throw new CertificateError(
    "statement",
    `${what} is not one of ${predicateType}: ${place}: ${issue?.message}`,
  );
}

function decoded(text: string, part: "payload" | "signature"): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes === undefined) throw new CertificateError(part, `the ${part} is not base64`);
  return bytes;
}
