import { splitUrl } from "../split-url.ts";
import type { Run } from "../run-format.ts";
import { stableText } from "../stable-text.ts";

/** A route that answers faster or slower than before. It is told and does not make anything worse: networks differ. */
export interface TimingShift {
  /** `POST /oauth/token` */
  readonly route: string;
  readonly beforeMs: Spread;
  readonly afterMs: Spread;
}

/** Of the times of all answers. */
export interface Spread {
  readonly count: number;
  readonly median: number;
  /** Quartiles. */
  readonly low: number;
  readonly high: number;
}

const fewestAnswers = 20;
const leastFactor = 1.5;
const leastMs = 5;

/** Routes whose middle halves of times do not overlap, and whose medians differ by half and by 5 ms or more. */
export function timingShifts(before: Run, after: Run): TimingShift[] {
  const [then, now] = [timesByRoute(before), timesByRoute(after)];
  return [...then]
    .flatMap(([route, times]) => {
      const beforeMs = spreadOf(times);
      const afterMs = spreadOf(now.get(route) ?? []);
      return isShift(beforeMs, afterMs) ? [{ route, beforeMs, afterMs }] : [];
    })
    .toSorted((a, b) => b.afterMs.median / b.beforeMs.median - a.afterMs.median / a.beforeMs.median);
}

function timesByRoute({ exchanges }: Run): Map<string, number[]> {
  const times = new Map<string, number[]>();
  for (const { request, response, durationMs } of exchanges) {
    if (response.status === 0) continue;
    const path = stableText(splitUrl(request.url).target.split("?", 1).join(""));
    const route = `${request.method} ${path}`;
    const known = times.get(route);
    if (known === undefined) times.set(route, [durationMs]);
    else known.push(durationMs);
  }
  return times;
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { count: sorted.length, median: at(0.5), low: at(0.25), high: at(0.75) };
}

function isShift(before: Spread, after: Spread): boolean {
  if (Math.min(before.count, after.count) < fewestAnswers) return false;
  const [small, large] = before.median < after.median ? [before, after] : [after, before];
  return (
    small.high < large.low &&
    large.median >= leastFactor * small.median &&
    large.median - small.median >= leastMs
  );
}
