import { randomBytes, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { renderCertificatePage } from "../../reports/certificate/page.ts";
import type { CertificateSubject } from "../../reports/certificate-format.ts";
import type { Run } from "../../reports/run-format.ts";
import { certifierKeyOf, keyIdOf } from "../certificate/ed25519-key.ts";
import { signStatement } from "../certificate/envelope.ts";
import { leavesName, writeLeaves } from "../certificate/leaves-file.ts";
import { leavesOf, saltedHashes } from "../certificate/leaves.ts";
import { merkleRoot } from "../certificate/merkle.ts";
import { sha256 } from "../sha256.ts";
import { runName } from "../conformance/read-run.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { replaceFile } from "../run-folder/replace-file.ts";
import { statementOf } from "./statement.ts";

export const certificateName = "certificate.json";
export const pageName = "certificate.html";

/** Files of a run's folder that show its results; those that are there are certified. */
const reportNames = [runName, "report.html", "junit.xml"];

/**
 * Signs a run that nothing keeps from being certified, and writes what belongs to the certificate beside it.
 *
 * @returns the id of the key
 * @throws {OutputError}
 */
export function certifyRun(run: Run, folder: string, key: KeyObject): string {
  const seed = randomBytes(32);
  const content: unknown = JSON.parse(
    onFileSystem(`read ${runName}`, () => readFileSync(join(folder, runName), "utf8")),
  );
  const hashes = saltedHashes(leavesOf(content), seed);
  const certifier = certifierKeyOf(key);
  const statement = statementOf(run, {
    certifiedAt: new Date(),
    certifier,
    evidence: { leaves: hashes.length, root: merkleRoot(hashes) },
    files: reportNames
      .filter((name) => existsSync(join(folder, name)))
      .map((name) => subjectOf(folder, name)),
  });
  const envelope = signStatement(statement, key);
  writeLeaves(join(folder, leavesName), { seed, hashes });
  replaceFile(join(folder, certificateName), [`${JSON.stringify(envelope, undefined, 2)}\n`]);
  replaceFile(join(folder, pageName), [renderCertificatePage(envelope, statement, keyIdOf(certifier))]);
  return keyIdOf(certifier);
}

function subjectOf(folder: string, name: string): CertificateSubject {
  const path = join(folder, name);
  return { name, digest: { sha256: sha256(onFileSystem(`read ${path}`, () => readFileSync(path))) } };
}
