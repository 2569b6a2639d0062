import type { Threshold } from "./thresholds.ts";

/** A limit of the profile file as a threshold. */
export function userThreshold(profile: string, phase: string, stream: string, text: string): Threshold {
  const at = { phase, stream };
  const id = `profile file: ${profile}/${phase}/${stream} ${text}`;
  const claim = `${stream} in ${phase}: ${text}, as the target's profile asks.`;
  const [, percentile, mostMs] = /^p([\d.]+) < ([\d.]+)ms$/u.exec(text) ?? [];
  if (percentile !== undefined) {
    return {
      id,
      claim,
      measure: { kind: "latency-ms", at, percentile: Number(percentile) },
      bound: "at-most",
      pass: Number(mostMs),
    };
  }
  const [, least] = /^rate > ([\d.]+)\/s$/u.exec(text) ?? [];
  return { id, claim, measure: { kind: "rate", at }, bound: "at-least", pass: Number(least) };
}
