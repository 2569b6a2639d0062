import type { Measure, ThresholdVerdict } from "./thresholds.ts";

/** What must be known of a profile in a run, this one or an earlier one. */
export interface ComparableProfile {
  readonly name: string;
  /** `invalid` when its figures say nothing. */
  readonly verdict: string;
  readonly thresholds: readonly ComparableThreshold[];
}

export interface ComparableThreshold {
  readonly id: string;
  /** Unknown in files of versions that did not write it. */
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
  /** The earlier run's. */
  readonly interval?: readonly [number, number];
  readonly now?: number;
  /** Worse by this share; negative when it is better. */
  readonly worseBy?: number;
  readonly isRegression: boolean;
  /** Why the two were not compared. */
  readonly notCompared?: string;
}

const toleratedShare = 0.1;

/**
 * What became worse since an earlier run: outside that run's interval, and by more than a tenth. Every threshold of this run
 * has a row, and so has one of the same profiles that only the earlier run had.
 *
 * Only ratios are compared: times and rates are those of a machine.
 */
export function compareRuns(
  now: readonly ComparableProfile[],
  earlier: readonly ComparableProfile[],
): Comparison[] {
  return now.flatMap((profile) => {
    const before = earlier.find(({ name }) => name === profile.name);
    const gone = (before?.thresholds ?? []).filter(
      ({ id }) => !profile.thresholds.some((it) => it.id === id),
    );
    return [
      ...profile.thresholds.map((threshold) => compareThreshold(profile, threshold, before)),
      ...gone.map(({ id, value }) => ({
        profile: profile.name,
        threshold: id,
        ...(value !== undefined && { before: value }),
        isRegression: false,
        notCompared: "gone: this run has no such threshold",
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
  const figures = { ...(before !== undefined && { before }), ...(now !== undefined && { now }) };
  const why = (notCompared: string): Comparison => ({ ...common, ...figures, notCompared });

  if (threshold.kind === "latency-ms" || threshold.kind === "rate")
    return why("absolute: it depends on the machine");
  if (now === undefined || threshold.verdict === "not-judged") return why("this run could not judge it");
  if (profile.verdict === "invalid") return why("this run of it is invalid");
  if (earlier === undefined) return why("new: the earlier run does not have it");
  if (before === undefined || earlier.verdict === "not-judged")
    return why("new: the earlier run did not judge it");
  if (earlierProfile?.verdict === "invalid") return why("new: the earlier run of it is invalid");
  if (earlier.bound !== threshold.bound || earlier.kind !== threshold.kind)
    return why("new: the earlier run measured something else under this name");
  const { interval } = earlier;
  if (interval === undefined) return why("its figure has no interval to be outside of");
  if (before === 0) return why("it was 0, of which nothing is a share");

  const isAtLeast = threshold.bound === "at-least";
  const worseBy = (isAtLeast ? before - now : now - before) / Math.abs(before);
  const isOutside = isAtLeast ? now < interval[0] : now > interval[1];
  return { ...common, before, interval, now, worseBy, isRegression: isOutside && worseBy > toleratedShare };
}
