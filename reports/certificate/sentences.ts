import type { CertificateStatement } from "../certificate-format.ts";

/** What a certificate proves to whoever has verified its signature. */
export function provedSentences({ predicate }: CertificateStatement): string[] {
  const { suite, evidence, certifiedAt } = predicate;
  return [
    `The owner of the key signed this statement; nothing in it was changed since.`,
    `By that statement, every check of mailproof ${suite.version} that could be run was judged, and none failed.`,
    `Results and evidence were fixed when it was signed: any of its ${evidence.leaves} entries can be shown later, and none can be changed. By the clock of whoever signed, that was at ${certifiedAt}.`,
  ];
}

/**
 * What it cannot prove.
 *
 * @param isKeyKnown - whoever verifies it knows whose the key is
 */
export function unprovedSentences({ predicate }: CertificateStatement, isKeyKnown = false): string[] {
  const { target, notCertified, run } = predicate;
  const leftOut = notCertified.leftOut.reduce((sum, { checks }) => sum + checks.length, 0);
  return [
    ...(isKeyKnown ? [] : ["Whose the key is: compare its id with one that you have from its owner."]),
    "That the run took place as it says: its signer could invent results. A sample tried against the service shows it.",
    `That the service still behaves so: the run was at ${run.startedAt}.`,
    "That the service has no defects: only what checks look for was looked for.",
    ...(leftOut === 0 ? [] : [`Anything that ${leftOut} checks judge that the profile had no keys for.`]),
    ...(target.isEmbedded
      ? ["Anything about a product: the target is the reference service that comes with mailproof."]
      : []),
  ];
}
