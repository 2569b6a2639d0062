import { exactInterval, reproductionOf, reproductionWords } from "../reproduction.ts";
import type { RunCheck, RunVerdict } from "../run-format.ts";
import { stableText } from "../stable-text.ts";

/**
 * `broken`: fails now. `warned`: passed, and warns now. `undecided`: was decided, and is not now. `fixed`: failed, and does
 * not now. `improved`: warned or was undecided, and passes now. `fails differently` and `answers differently`: the same
 * verdict for another reason. `new` and `gone`: judged in one of the runs only.
 */
export const changeKinds = [
  "broken",
  "warned",
  "undecided",
  "new",
  "fixed",
  "improved",
  "fails differently",
  "answers differently",
  "gone",
] as const;

export type ChangeKind = (typeof changeKinds)[number];

export interface Change {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly isWorse: boolean;
  readonly sentence: string;
  /** The verdict and what it rests on; absent where the run did not judge it. */
  readonly before?: string;
  readonly after?: string;
  /** What speaks against taking it for a change. */
  readonly note?: string;
}

/** @returns undefined when nothing changed but what is new in each run */
export function changeOf(
  id: string,
  before: RunCheck | undefined,
  after: RunCheck | undefined,
): Change | undefined {
  const kind = kindOf(before, after);
  if (kind === undefined) return undefined;
  const note = noteOf(before, after);
  return {
    id,
    kind,
    isWorse: isWorse(kind, before, after),
    sentence: (after ?? before)?.sentence ?? "",
    ...(before && { before: resultWords(before) }),
    ...(after && { after: resultWords(after) }),
    ...(note !== undefined && { note }),
  };
}

function kindOf(before: RunCheck | undefined, after: RunCheck | undefined): ChangeKind | undefined {
  if (before === undefined) return "new";
  if (after === undefined) return "gone";
  if (after.verdict === before.verdict) return sameVerdict(before, after);
  if (after.verdict === "fail") return "broken";
  if (isUndecided(after.verdict)) return isUndecided(before.verdict) ? undefined : "undecided";
  if (before.verdict === "fail") return "fixed";
  return after.verdict === "warn" && before.verdict === "pass" ? "warned" : "improved";
}

function sameVerdict(before: RunCheck, after: RunCheck): ChangeKind | undefined {
  const isAnotherReason = stableText(reasonOf(before)) !== stableText(reasonOf(after));
  switch (after.verdict) {
    case "fail":
    case "warn":
      return isAnotherReason || hasAnotherRate(before, after) ? "fails differently" : undefined;
    case "observed":
      return isAnotherReason ? "answers differently" : undefined;
    case "pass":
    case "inconclusive":
    case "blocked":
      return undefined;
  }
}

/** Only where the intervals of both rates have nothing in common. */
function hasAnotherRate({ reproduced: before }: RunCheck, { reproduced: after }: RunCheck): boolean {
  if (before === undefined || after === undefined) return false;
  const [low, high] = exactInterval(before.failed, before.tried);
  const [nowLow, nowHigh] = exactInterval(after.failed, after.tried);
  return nowLow > high || nowHigh < low;
}

/** Known results are expected. A failure that was already undecided is one that nobody knew of. */
function isWorse(kind: ChangeKind, before: RunCheck | undefined, after: RunCheck | undefined): boolean {
  if (after?.known !== undefined) return false;
  if (kind === "new") return after?.verdict === "fail";
  if (kind === "undecided") return before?.verdict !== "fail";
  return kind === "broken" || kind === "warned";
}

function noteOf(before: RunCheck | undefined, after: RunCheck | undefined): string | undefined {
  if (after?.known !== undefined) return `known: ${after.known}`;
  const reproduced = after?.reproduced ?? (after?.verdict === "fail" ? undefined : before?.reproduced);
  if (reproduced === undefined || reproductionOf(reproduced) === "deterministic") return undefined;
  return after?.verdict === "fail"
    ? reproductionWords(reproduced)
    : `it was ${reproductionWords(reproduced)}; that it did not fail now does not show that it is fixed`;
}

function resultWords(check: RunCheck): string {
  const words = reasonOf(check);
  return words === "" ? check.verdict : `${check.verdict}: ${words}`;
}

function reasonOf({ expected, observed = "", reason = "" }: RunCheck): string {
  return expected === undefined ? reason : `expected ${expected}, observed ${observed}`;
}

function isUndecided(verdict: RunVerdict): boolean {
  return verdict === "inconclusive" || verdict === "blocked";
}
