import { requirements } from "../../fixtures/spec/requirements.ts";
import {
  type CertificateStatement,
  type CertificateSubject,
  type CertifierKey,
  predicateType,
  statementType,
} from "../../reports/certificate-format.ts";
import type { Run } from "../../reports/run-format.ts";
import { judgedElsewhere } from "../../suites/unchecked.ts";
import { canonicalJson } from "../certificate/canonical-json.ts";
import { sha256 } from "../sha256.ts";
import { UsageError } from "../usage-error.ts";
import { faultMatrix } from "./fault-matrix.ts";

export interface CertificateFacts {
  readonly certifiedAt: Date;
  readonly certifier: CertifierKey;
  readonly evidence: { readonly leaves: number; readonly root: Uint8Array };
  /** The files of the run that are certified with it. */
  readonly files: readonly CertificateSubject[];
}

/** @param run - one that nothing keeps from being certified */
export function statementOf(run: Run, facts: CertificateFacts): CertificateStatement {
  const { suite, target, id, startedAt, durationMs, counts, checks, coverage, leftOut } = run;
  const { fingerprint } = target;
  if (fingerprint === undefined) throw new UsageError("the run does not say what its target is known by");
  return {
    _type: statementType,
    subject: [
      { name: fingerprint.issuer ?? target.authUrl, digest: { sha256: sha256(canonicalJson(fingerprint)) } },
      ...facts.files,
    ],
    predicateType,
    predicate: {
      certifiedAt: facts.certifiedAt.toISOString(),
      certifier: facts.certifier,
      suite: {
        name: suite.name,
        version: suite.version,
        checksSha256: suite.checksSha256,
        requirementsSha256: suite.requirementsSha256,
        faultMatrix: faultMatrix(),
      },
      target: { ...target, fingerprint },
      run: { id, startedAt, durationMs },
      counts: { pass: counts.pass, warn: counts.warn, observed: counts.observed },
      warned: checks.filter(({ verdict }) => verdict === "warn").map((check) => check.id),
      coverage,
      evidence: {
        leaves: facts.evidence.leaves,
        root: Buffer.from(facts.evidence.root).toString("hex"),
      },
      notCertified: { leftOut, requirements: notJudged(run) },
    },
  };
}

function notJudged(run: Run): { id: string; reason: string }[] {
  return run.requirements
    .filter(({ id, verdict }) => verdict === undefined && requirements.has(id) && !(id in judgedElsewhere))
    .map(({ id, notJudged: reason = "no check of it was run" }) => ({ id, reason }));
}
