import type { Measure, ThresholdVerdict } from "./thresholds.ts";

/** The result of a profile in this run or an earlier one. */
export interface ComparableProfile {
  readonly name: string;
  /** `invalid` when the measurement is unusable. */
  readonly verdict: string;
  readonly thresholds: readonly ComparableThreshold[];
}

export interface ComparableThreshold {
  readonly id: string;
  /** Undefined in files of versions that did not write it. */
  readonly kind?: Measure["kind"] | undefined;
  readonly bound: "at-least" | "at-most";
  readonly verdict: ThresholdVerdict;
  readonly value?: number | undefined;
  /** 95 % bootstrap interval of the value. */
  readonly interval?: readonly [number, number] | undefined;
}

export interface Comparison {
  readonly profile: string;
  readonly threshold: string;
  readonly before?: number;
  /** 95 % interval of `before`. */
  readonly interval?: readonly [number, number];
  readonly now?: number;
  /** Relative change: positive is worse, negative is better. */
  readonly worseBy?: number;
  readonly isRegression: boolean;
  /** Why the values were not compared. */
  readonly notCompared?: string;
}

const toleratedShare = 0.1;

/**
 * Compares a run with an earlier one. A regression is a value that is outside the earlier run's interval and worse by more
 * than 10 %. Has a row for every threshold of this run, and for those of the same profiles that only the earlier run has.
 *
 * Absolute latencies and rates are not compared, because they depend on the machine.
 */
export function compareRuns(
  now: readonly ComparableProfile[],
  earlier: readonly ComparableProfile[],
): Comparison[] {
  return now.flatMap((profile) => {
    const before = earlier.find(({ name }) => name === profile.name);
    const removed = (before?.thresholds ?? []).filter(
      ({ id }) => !profile.thresholds.some((it) => it.id === id),
    );
    return [
      ...profile.thresholds.map((threshold) => compareThreshold(profile, threshold, before)),
      ...removed.map(({ id, value }) => ({
        profile: profile.name,
        threshold: id,
        ...(value !== undefined && { before: value }),
        isRegression: false,
        notCompared: "removed: this run has no such threshold",
      })),
    ];
  });
}

function compareThreshold(
  profile: ComparableProfile,
  threshold: ComparableThreshold,
  earlierProfile: ComparableProfile | undefined,
): Comparison {
  const earlier = earlierProfile?.thresholds.find(({ id }) => id === threshold.id);
  const common = { profile: profile.name, threshold: threshold.id, isRegression: false };
  const [now, before] = [threshold.value, earlier?.value];
  const values = { ...(before !== undefined && { before }), ...(now !== undefined && { now }) };
  const skipped = (notCompared: string): Comparison => ({ ...common, ...values, notCompared });

  if (threshold.kind === "latency-ms" || threshold.kind === "rate")
    return skipped("absolute value, which depends on the machine");
  if (now === undefined || threshold.verdict === "not-judged") return skipped("not judged in this run");
  if (profile.verdict === "invalid") return skipped("the profile is invalid in this run");
  if (earlier === undefined) return skipped("new: not in the earlier run");
  if (before === undefined || earlier.verdict === "not-judged")
    return skipped("new: not judged in the earlier run");
  if (earlierProfile?.verdict === "invalid") return skipped("new: the profile is invalid in the earlier run");
  if (earlier.bound !== threshold.bound || earlier.kind !== threshold.kind)
    return skipped("new: the earlier run has another measure with this id");
  const { interval } = earlier;
  if (interval === undefined) return skipped("the earlier value has no interval");
  if (before === 0) return skipped("the earlier value is 0");

  const isAtLeast = threshold.bound === "at-least";
  const worseBy = (isAtLeast ? before - now : now - before) / Math.abs(before);
  const isOutside = isAtLeast ? now < interval[0] : now > interval[1];
  return { ...common, before, interval, now, worseBy, isRegression: isOutside && worseBy > toleratedShare };
}
