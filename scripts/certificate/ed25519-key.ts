import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import type { CertifierKey } from "../../reports/certificate-format.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { UsageError } from "../usage-error.ts";

/** RFC 7638. */
export function keyIdOf({ crv, kty, x }: CertifierKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest("base64url");
}

export function publicKeyOf({ crv, kty, x }: CertifierKey): KeyObject {
  return createPublicKey({ format: "jwk", key: { crv, kty, x } });
}

/** @param key - private or public */
export function certifierKeyOf(key: KeyObject): CertifierKey {
  const { x = "" } = key.export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x };
}

/**
 * Makes a key pair: the private key as a JWK that nobody else can read, and the public one beside it.
 *
 * @throws {OutputError} when a file of one of these names exists, since a key that is overwritten is lost
 */
export function writeNewKey(path: string): { readonly keyId: string; readonly publicPath: string } {
  const { privateKey } = generateKeyPairSync("ed25519");
  const certifier = certifierKeyOf(privateKey);
  const publicPath = `${path}.pub`;
  const keyId = keyIdOf(certifier);
  const write = (name: string, key: object, mode: number): void => {
    const text = `${JSON.stringify({ ...key, kid: keyId, alg: "EdDSA", use: "sig" }, undefined, 2)}\n`;
    onFileSystem(`write ${name}`, () => writeFileSync(name, text, { flag: "wx", mode }));
  };
  write(path, privateKey.export({ format: "jwk" }), 0o600);
  write(publicPath, certifier, 0o644);
  return { keyId, publicPath };
}

/**
 * @param reference - `env:NAME`, or a file, also as `file:PATH`
 * @throws {UsageError} when there is no Ed25519 private key
 */
export function readPrivateKey(reference: string): KeyObject {
  const key = parseKey(readReference(reference), reference);
  if (key.type === "private") return key;
  throw new UsageError(`--key ${reference}: is a public key; signing needs the private one`);
}

/** @throws {UsageError} when there is no Ed25519 key; of a private key, its public half is taken */
export function readPublicKey(reference: string): CertifierKey {
  return certifierKeyOf(parseKey(readReference(reference), reference));
}

/** Whether others than the owner may read the file of a key. */
export function isReadByOthers(reference: string): boolean {
  if (reference.startsWith("env:") || process.platform === "win32") return false;
  const mode = statSync(pathOf(reference), { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o077) !== 0;
}

function pathOf(reference: string): string {
  return reference.replace(/^file:/u, "");
}

function readReference(reference: string): string {
  if (reference.startsWith("env:")) {
    const text = process.env[reference.slice("env:".length)];
    if (text === undefined) throw new UsageError(`--key ${reference}: this environment variable is not set`);
    return text;
  }
  const path = pathOf(reference);
  return onFileSystem(`read --key ${path}`, () => readFileSync(path, "utf8"));
}

function parseKey(text: string, reference: string): KeyObject {
  const key = text.trimStart().startsWith("{") ? keyOfJwk(text) : keyOfPem(text);
  if (key === undefined) throw new UsageError(`--key ${reference}: expected a key as JWK or PEM`);
  if (key.asymmetricKeyType !== "ed25519")
    throw new UsageError(`--key ${reference}: expected an Ed25519 key, got ${key.asymmetricKeyType}`);
  return key;
}

function keyOfJwk(text: string): KeyObject | undefined {
  try {
    const key = JSON.parse(text) as Record<string, unknown>;
    return "d" in key ? createPrivateKey({ format: "jwk", key }) : createPublicKey({ format: "jwk", key });
  } catch {
    // Its caller says what was expected; the reason may quote the key.
    return undefined;
  }
}

function keyOfPem(text: string): KeyObject | undefined {
  try {
    return text.includes("PRIVATE KEY") ? createPrivateKey(text) : createPublicKey(text);
  } catch {
    return undefined;
  }
}
