import { readFileSync } from "node:fs";
import type { CertificateStatement } from "../../reports/certificate-format.ts";
import { sha256 } from "../sha256.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { replaceFile } from "../run-folder/replace-file.ts";
import { requirementAdvice } from "../requirement-checks.ts";
import { UsageError } from "../usage-error.ts";
import { leavesOfText, readHashes } from "./certified-run.ts";
import { extractOf, extractText, resultWords, shownCheck, verifyExtract } from "./extract.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Shows one result of the `run.json` among the files, and proves that it is part of the certificate.
 *
 * @throws {UsageError} when no run is among them, or it has no such result
 */
export function showResult(
  checkId: string,
  files: readonly string[],
  { subject, predicate: { evidence } }: CertificateStatement,
  { extract: extractPath }: { readonly extract?: string },
): Outcome {
  const ids: string[] = [];
  for (const path of files) {
    const text = onFileSystem(`read ${path}`, () => readFileSync(path, "utf8"));
    const leaves = leavesOfText(text);
    const leaf = leaves.find(({ kind, name }) => kind === "check" && name === checkId);
    if (leaf === undefined) {
      ids.push(...leaves.filter(({ kind }) => kind === "check").map(({ name }) => name));
      continue;
    }
    const hashes = readHashes(path, evidence);
    if (!("why" in hashes)) {
      const extract = extractOf({ leaves, hashes }, checkId);
      if (extractPath !== undefined) replaceFile(extractPath, [extractText(extract)]);
      const isShown = ({ kind }: { readonly kind: string }): boolean => kind === "check";
      return verifyExtract(path, { ...extract, entries: extract.entries.filter(isShown) }, evidence);
    }
    if (extractPath !== undefined) throw new UsageError(`--extract ${extractPath}: ${hashes.why} (${path})`);
    const isCertified = subject.some(({ digest }) => digest.sha256 === sha256(text));
    const words = resultWords(shownCheck.parse(JSON.parse(leaf.text)));
    return isCertified
      ? { proved: [`${words} (by the digest of ${path}; ${hashes.why})`], broken: [] }
      : { proved: [], broken: [`the result of ${checkId} in ${path} cannot be verified: ${hashes.why}`] };
  }
  const ofRequirement = requirementAdvice(checkId, ids);
  if (ofRequirement !== undefined) throw new UsageError(`--result ${checkId}: ${ofRequirement}`);
  throw new UsageError(`--result ${checkId}: needs the run.json that has this result; no file given has it`);
}
