import type { Certificate } from "../../reports/certificate-format.ts";
import type { RunCheck, RunTargetFingerprint } from "../../reports/run-format.ts";
import { runSuite } from "../certificate/run-suite.ts";
import { catalogue, checkIds } from "../conformance/catalogue.ts";
import { readRun } from "../conformance/read-run.ts";
import { suiteDigests } from "../conformance/suite-digests.ts";
import { UsageError } from "../usage-error.ts";
import type { Outcome } from "./outcome.ts";
import { drawSample, oddsOfFinding } from "./sample.ts";

export interface RerunOptions {
  /** From 0 to 1. */
  readonly share: number;
  readonly target: string | undefined;
  readonly out: string;
  readonly yes: boolean;
}

/** Judges a sample again, drawn only now, and holds it against the certificate. */
export async function rerun(certificate: Certificate, options: RerunOptions): Promise<Outcome> {
  const { suite, notCertified, target, warned } = certificate;
  if (suite.checksSha256 !== suiteDigests(catalogue).checksSha256)
    throw new UsageError(
      `--rerun needs the checks that were certified, those of mailproof ${suite.version}: install that version`,
    );
  const leftOut = new Set(notCertified.leftOut.flatMap(({ checks }) => checks));
  const sample = drawSample(
    checkIds(catalogue).filter((id) => !leftOut.has(id)),
    options.share,
  );
  console.log(
    `a sample of ${sample.always.length + sample.drawn.length} checks: all ${sample.always.length} of account takeover, and ${sample.drawn.length} of the other ${sample.from}`,
  );
  const ids = [...sample.always, ...sample.drawn];
  const { folder } = await runSuite(
    [
      ...(options.target === undefined ? [] : ["--target", options.target]),
      ...ids.flatMap((id) => ["--check", id]),
      ...(options.yes ? ["--yes"] : []),
    ],
    options.out,
  );
  if (folder === undefined) return { proved: [], broken: [], untried: ["the sample: nothing was sent"] };
  const run = readRun(folder);
  const compared = compareResults(ids, run.checks, new Set(warned));
  // Each start of the reference service has addresses and keys of its own.
  const isReference = target.isEmbedded && run.target.isEmbedded;
  const identity = isReference
    ? { proved: [], notReproduced: [] }
    : compareFingerprints(target.fingerprint, run.target.fingerprint ?? {});
  const odds = Math.round(100 * oddsOfFinding(20, sample));
  return {
    proved: [
      `${compared.reproduced} of ${ids.length} sampled results were reproduced (${folder}). Had 20 of the ${sample.from} drawn from been false, such a sample would have shown it in ${odds} % of all draws.`,
      ...identity.proved,
    ],
    broken: [],
    notReproduced: [...identity.notReproduced, ...compared.notReproduced],
    untried: compared.untried,
  };
}

/** @param warned - ids of the checks whose certified verdict is a warning */
export function compareResults(
  ids: readonly string[],
  checks: readonly RunCheck[],
  warned: ReadonlySet<string>,
): { readonly reproduced: number; readonly notReproduced: string[]; readonly untried: string[] } {
  const now = new Map(checks.map((check) => [check.id, check]));
  const notReproduced: string[] = [];
  const untried: string[] = [];
  for (const id of ids) {
    const check = now.get(id);
    if (check === undefined)
      untried.push(`${id}: not run; the profile lacks a key, or the run was interrupted`);
    else if (check.verdict === "fail" || (check.verdict === "warn" && !warned.has(id)))
      notReproduced.push(
        `${id}: ${check.verdict}${check.observed === undefined ? "" : `: ${check.observed}`}`,
      );
    else if (check.verdict === "inconclusive" || check.verdict === "blocked")
      untried.push(`${id}: ${check.verdict}${check.reason === undefined ? "" : `: ${check.reason}`}`);
  }
  return { reproduced: ids.length - notReproduced.length - untried.length, notReproduced, untried };
}

/** Whether the target is the one that was certified, as far as can be seen from outside. */
export function compareFingerprints(
  certified: RunTargetFingerprint,
  now: RunTargetFingerprint,
): { readonly proved: string[]; readonly notReproduced: string[] } {
  const parts: readonly (readonly [string, keyof RunTargetFingerprint])[] = [
    ["the issuer", "issuer"],
    ["the metadata", "metadataSha256"],
    ["the signing keys", "jwkThumbprints"],
    ["the TLS certificates", "tls"],
  ];
  const spelled = (fingerprint: RunTargetFingerprint, part: keyof RunTargetFingerprint): string =>
    JSON.stringify(fingerprint[part]) ?? "none";
  const given = parts.filter(([, part]) => certified[part] !== undefined);
  const same = given.filter(([, part]) => spelled(certified, part) === spelled(now, part));
  const other = given.filter(([, part]) => spelled(certified, part) !== spelled(now, part));
  return {
    proved: same.length === 0 ? [] : [`As certified: ${same.map(([name]) => name).join(", ")}.`],
    notReproduced: other.map(
      ([name, part]) =>
        `${name}: not as certified${part === "jwkThumbprints" || part === "tls" ? "; they may have been renewed" : ""}`,
    ),
  };
}
