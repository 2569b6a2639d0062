import type { Run, RunCheck } from "../../reports/run-format.ts";

/** What a run must have been made of. */
export interface FrozenSet {
  readonly version: string;
  readonly checksSha256: string;
  readonly requirementsSha256: string;
  /** Ids of all checks. */
  readonly checks: readonly string[];
}

/** What stands in the way of a certificate, one line for each; none where the run can be certified. */
export function obstacles(run: Run, frozen: FrozenSet): string[] {
  return [
    ...ofTheRun(run),
    ...ofTheSelection(run, frozen),
    ...run.checks.flatMap(ofTheCheck),
    ...run.knownProblems,
  ];
}

function ofTheRun({ isComplete, isReadOnly, checks, target }: Run): string[] {
  return [
    ...(isComplete ? [] : ["the run was interrupted"]),
    ...(isReadOnly ? ["the run was read-only, so most checks could not be judged"] : []),
    ...(checks.length === 0 ? ["nothing was judged"] : []),
    ...(target.fingerprint === undefined
      ? ["the target gave nothing to know it by: no metadata, no keys"]
      : []),
  ];
}

function ofTheSelection(run: Run, frozen: FrozenSet): string[] {
  const { suite, checks, leftOut } = run;
  if (suite.version !== frozen.version)
    return [`mailproof ${suite.version} made the run; this is ${frozen.version}`];
  if (suite.checksSha256 !== frozen.checksSha256 || suite.requirementsSha256 !== frozen.requirementsSha256)
    return ["the run chose from other checks or requirements than those that come with this mailproof"];
  const accounted = new Set([...checks.map(({ id }) => id), ...leftOut.flatMap((one) => one.checks)]);
  const missing = frozen.checks.filter((id) => !accounted.has(id));
  return missing.length === 0
    ? []
    : [`${missing.length} of ${frozen.checks.length} checks were not selected: ${shortList(missing)}`];
}

function ofTheCheck({ id, verdict, known, reason, observed, defect }: RunCheck): string[] {
  if (defect) return [`${id}: a defect of mailproof itself${because(reason)}`];
  if (verdict === "pass" || verdict === "warn" || verdict === "observed") return [];
  const isKnown = known === undefined ? "" : `, which the profile knows (${known})`;
  if (verdict === "fail") return [`${id}: fails${isKnown}${because(observed)}`];
  return [`${id}: is ${verdict}${isKnown}${because(reason)}`];
}

function because(text: string | undefined): string {
  return text === undefined ? "" : `: ${text}`;
}

function shortList(ids: readonly string[]): string {
  const shown = 5;
  const more = ids.length - shown;
  return `${ids.slice(0, shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
