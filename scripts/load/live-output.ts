import type { Phase } from "../../suites/support/load/load-profile.ts";
import type { LiveStreamStats } from "../../suites/support/load/run-load-profile.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";

export interface LiveOutput {
  startProfile(name: string): void;
  update(phase: Phase, second: number, stats: readonly LiveStreamStats[]): void;
  clear(): void;
}

/** One line per stream: updated in place on a terminal, and printed every five seconds otherwise. */
export function createLiveOutput(
  { scryptMs, cores }: Units,
  stream: NodeJS.WriteStream = process.stderr,
): LiveOutput {
  let shownLines = 0;
  let lastShownMs = -Infinity;
  let profileName = "";

  function clear(): void {
    if (stream.isTTY && shownLines > 0) stream.write(`\u{1B}[${shownLines}A\u{1B}[0J`);
    shownLines = 0;
  }

  return {
    startProfile(name) {
      clear();
      profileName = name;
      stream.write(`${name}: setting up\n`);
      shownLines = 1;
    },
    update(phase, second, stats) {
      if (!stream.isTTY && performance.now() - lastShownMs < 5000) return;
      lastShownMs = performance.now();
      clear();
      const lines = stats.map((each) => formatLine(each, scryptMs, cores));
      for (const line of lines) stream.write(`${profileName} · ${phase.name} ${second} s · ${line}\n`);
      shownLines = lines.length;
    },
    clear,
  };
}

function formatLine(stats: LiveStreamStats, scryptMs: number, cores: number): string {
  const { stream, plannedPerSecond, p50Ms, p99Ms, shed, errors, scryptsPerRequest } = stats;
  const scrypts = plannedPerSecond * scryptsPerRequest;
  const parts = [
    `${stream} ${plannedPerSecond}/s`,
    `p50 ${formatMs(p50Ms)}`,
    `p99 ${formatMs(p99Ms)}`,
    ...(shed > 0 ? [`${shed} shed`] : []),
    `${errors} errors`,
    ...(scrypts > 0 ? [`${scrypts} scrypt/s, E ${((scrypts * scryptMs) / (1000 * cores)).toFixed(2)}`] : []),
  ];
  return parts.join(", ");
}

function formatMs(value: number | undefined): string {
  return value === undefined ? "–" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
