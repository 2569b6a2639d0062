import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleCheck, exampleExchange, exampleRun } from "../../reports/example-run.ts";
import type { Run } from "../../reports/run-format.ts";
import packageJson from "../../package.json" with { type: "json" };
import { certifyRun } from "../certify/certify-run.ts";
import { writeRun } from "../conformance/write-run.ts";

/** A small run that can be certified, for tests. */
export function certifiableRun(changes: Partial<Run> = {}): Run {
  const checks = Array.from({ length: 5 }, (_, at) =>
    exampleCheck({ id: `REDIR-08/case-${at}`, exchanges: [{ number: at, role: "subject" }] }),
  );
  const run = exampleRun(checks, { exchanges: checks.map((_, at) => exampleExchange(at)) });
  const suite = { ...run.suite, version: packageJson.version };
  const { issuer, ...target } = { ...run.target, issuer: "https://auth.example" };
  const fingerprint = { issuer, metadataSha256: "c".repeat(64), jwkThumbprints: ["one", "two"] };
  return { ...run, suite, target: { ...target, fingerprint }, ...changes };
}

export interface CertifiedFolder {
  readonly folder: string;
  readonly key: KeyObject;
  readonly keyId: string;
}

/** Writes a run with its certificate into a new folder. */
export function certifiedFolder(run: Run = certifiableRun()): CertifiedFolder {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-certificate-"));
  const { privateKey: key } = generateKeyPairSync("ed25519");
  writeRun(run, folder);
  return { folder, key, keyId: certifyRun(run, folder, key) };
}
