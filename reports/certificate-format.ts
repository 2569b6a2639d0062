import { z } from "zod";
import type { RunLeftOut, RunTarget, RunTargetFingerprint } from "./run-format.ts";
import { fingerprintSchema, sha256 } from "./run-schema.ts";

/** DSSE 1.0. */
export interface Envelope {
  readonly payloadType: string;
  /** Base64 of a {@link CertificateStatement} in JSON. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

export const payloadType = "application/vnd.in-toto+json";
export const statementType = "https://in-toto.io/Statement/v1";
export const predicateType = "urn:mailproof:certificate:1";

/** in-toto Statement v1. */
export interface CertificateStatement {
  readonly _type: typeof statementType;
  /** The target, by the digest of its fingerprint in canonical JSON (RFC 8785); then the files of the run. */
  readonly subject: readonly CertificateSubject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: Certificate;
}

export interface CertificateSubject {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

/** A public Ed25519 key (RFC 8037). */
export interface CertifierKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
}

/** What whoever signs vouches for. Digests are SHA-256 in hexadecimal. */
export interface Certificate {
  /** ISO 8601, by the clock of whoever signs. */
  readonly certifiedAt: string;
  readonly certifier: CertifierKey;
  readonly suite: {
    readonly name: "mailproof";
    readonly version: string;
    readonly checksSha256: string;
    readonly requirementsSha256: string;
    /** Which checks catch which deliberate defect of the reference service; its digest is of canonical JSON. */
    readonly faultMatrix: { readonly sha256: string; readonly faults: number; readonly checks: number };
  };
  readonly target: RunTarget & { readonly fingerprint: RunTargetFingerprint };
  readonly run: { readonly id: string; readonly startedAt: string; readonly durationMs: number };
  /** Results; there are no others. */
  readonly counts: { readonly pass: number; readonly warn: number; readonly observed: number };
  /** Ids of the checks that warn. */
  readonly warned: readonly string[];
  /** Requirements of the interface document, and how many of them were decided. */
  readonly coverage: { readonly requirements: number; readonly decided: number };
  /** The Merkle tree (RFC 9162) over everything in `run.json`, each entry with a salt. */
  readonly evidence: { readonly leaves: number; readonly root: string };
  readonly notCertified: {
    /** Checks that were not run, since the profile lacks a key that they need. */
    readonly leftOut: readonly RunLeftOut[];
    /** Requirements that no check of the run judges, and why. */
    readonly requirements: readonly { readonly id: string; readonly reason: string }[];
  };
}

const count = z.number().int().min(0);
const texts = z.array(z.string()).readonly();

const certifierKeySchema: z.ZodType<CertifierKey> = z.strictObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().regex(/^[\w-]{43}$/u, "expected 32 bytes in base64url"),
});

const certificateSchema: z.ZodType<Certificate> = z.looseObject({
  certifiedAt: z.iso.datetime(),
  certifier: certifierKeySchema,
  suite: z.looseObject({
    name: z.literal("mailproof"),
    version: z.string(),
    checksSha256: sha256,
    requirementsSha256: sha256,
    faultMatrix: z.looseObject({ sha256, faults: count, checks: count }),
  }),
  target: z.looseObject({
    authUrl: z.string(),
    apiUrl: z.string(),
    mcpUrl: z.string(),
    isEmbedded: z.boolean(),
    fingerprint: fingerprintSchema,
  }),
  run: z.looseObject({ id: z.string(), startedAt: z.iso.datetime(), durationMs: z.number().min(0) }),
  counts: z.looseObject({ pass: count, warn: count, observed: count }),
  warned: texts,
  coverage: z.looseObject({ requirements: count, decided: count }),
  evidence: z.looseObject({ leaves: count, root: sha256 }),
  notCertified: z.looseObject({
    leftOut: z.array(z.looseObject({ needs: z.string(), checks: texts })).readonly(),
    requirements: z.array(z.looseObject({ id: z.string(), reason: z.string() })).readonly(),
  }),
});

/** Loose: members that a later version adds are kept, and are signed too. */
export const statementSchema: z.ZodType<CertificateStatement> = z.looseObject({
  _type: z.literal(statementType),
  subject: z.array(z.looseObject({ name: z.string(), digest: z.looseObject({ sha256 }) })).readonly(),
  predicateType: z.literal(predicateType),
  predicate: certificateSchema,
});
