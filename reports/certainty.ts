import type { Run, RunCertainty, RunCheck } from "./run-format.ts";
import { counted } from "./format.ts";

/** `99.93 % sure: over 18 new connections, …`, or what was tried alone where nothing was left to chance. */
export function certaintyWords({ probability, basis }: RunCertainty): string {
  return probability === 1 ? basis : `${percent(probability)} sure: ${basis}`;
}

/** Rounded down: what is left to chance is never rounded away. */
function percent(probability: number): string {
  return `${(Math.floor(probability * 10_000) / 100).toFixed(2)} %`;
}

/** How sure the passes of a run are that rest on samples, by the least sure one; undefined without any. */
export function sampledPasses({ checks }: Pick<Run, "checks">): string | undefined {
  const sampled = checks.filter(isSampled);
  const [least] = sampled.toSorted((a, b) => a.certainty.probability - b.certainty.probability);
  if (least === undefined) return undefined;
  const rest = `${counted(sampled.length, "pass", "passes")} ${sampled.length === 1 ? "rests" : "rest"} on samples`;
  return `${rest}; the least sure is ${least.id}, ${certaintyWords(least.certainty)}`;
}

function isSampled(check: RunCheck): check is RunCheck & { readonly certainty: RunCertainty } {
  return check.certainty !== undefined && check.verdict === "pass";
}
