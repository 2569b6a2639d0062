import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { CertificateStatement } from "../../reports/certificate-format.ts";
import { sha256 } from "../sha256.ts";
import { runName } from "../conformance/read-run.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { isSeedGenuine, changedEntries, leavesOfText, readHashes } from "./certified-run.ts";
import type { Outcome } from "./outcome.ts";
import { parseExtract, verifyExtract } from "./extract.ts";

/** Holds a file against the certificate: one that it names, or an extract of its run. */
export function verifyFile(path: string, statement: CertificateStatement): Outcome {
  const bytes = onFileSystem(`read ${path}`, () => readFileSync(path));
  const digest = sha256(bytes);
  const [, ...files] = statement.subject;
  const same = files.find((one) => one.digest.sha256 === digest);
  const name = same?.name ?? basename(path);
  if (name === runName) return verifyRun(path, bytes, same !== undefined, statement);
  if (same !== undefined) return { proved: [`${path} is the ${name} that was certified.`], broken: [] };
  const extract = parseExtract(bytes.toString());
  if (extract !== undefined) return verifyExtract(path, extract, statement.predicate.evidence);
  const isNamed = files.some((one) => one.name === name);
  return {
    proved: [],
    broken: [
      isNamed
        ? `${path} was changed: it is not the ${name} that was certified`
        : `${path} is none of the certified files: ${files.map((one) => one.name).join(", ")}, or an extract`,
    ],
  };
}

function verifyRun(
  path: string,
  bytes: Buffer,
  isSame: boolean,
  { predicate: { evidence } }: CertificateStatement,
): Outcome {
  const hashes = readHashes(path, evidence);
  if ("why" in hashes) {
    const { why, isForged } = hashes;
    if (!isSame) return { proved: [], broken: [`${path} was changed; where cannot be said, since ${why}`] };
    return {
      proved: [`${path} is the run that was certified, byte for byte.`],
      broken: isForged ? [`${path} is as certified, but ${why}`] : [],
    };
  }
  const run = { leaves: leavesOfText(bytes.toString()), hashes };
  if (isSame)
    return {
      proved: [`${path} is the run that was certified, byte for byte: ${evidence.leaves} entries.`],
      broken: isSeedGenuine(run) ? [] : [`the seed beside ${path} was changed`],
    };
  if (run.leaves.length === 0) return { proved: [], broken: [`${path} was changed: it is not JSON`] };
  if (!isSeedGenuine(run))
    return { proved: [], broken: [`${path} or the seed beside it was changed: no entry is as certified`] };
  const changed = changedEntries(run);
  return {
    proved: [],
    broken:
      changed.length > 0
        ? changed.map((one) => `${path}: ${one}`)
        : [`${path}: its bytes were changed, though not what JSON readers find in it`],
  };
}
