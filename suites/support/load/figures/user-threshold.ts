import type { Threshold } from "./thresholds.ts";

/**
 * A limit in the target's profile as a threshold.
 *
 * @param text - `p99 < 50ms` or `rate > 100/s`, as validated with the profile
 */
export function userThreshold(profile: string, phase: string, stream: string, text: string): Threshold {
  const at = { phase, stream };
  const id = `profile file: ${profile}/${phase}/${stream} ${text}`;
  const claim = `${stream} in ${phase}: ${text} (set in the target's profile).`;
  const [, percentile, maxMs] = /^p([\d.]+) < ([\d.]+)ms$/u.exec(text) ?? [];
  if (percentile !== undefined) {
    return {
      id,
      claim,
      measure: { kind: "latency-ms", at, percentile: Number(percentile) },
      bound: "at-most",
      pass: Number(maxMs),
    };
  }
  const [, minRate] = /^rate > ([\d.]+)\/s$/u.exec(text) ?? [];
  return { id, claim, measure: { kind: "rate", at }, bound: "at-least", pass: Number(minRate) };
}
