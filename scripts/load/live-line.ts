import type { Phase } from "../../suites/support/load/load-profile.ts";
import type { StreamGlance } from "../../suites/support/load/run-load-profile.ts";
import type { Units } from "../../suites/support/load/figures/thresholds.ts";

export interface LiveLine {
  profile(name: string): void;
  glance(phase: Phase, second: number, glances: readonly StreamGlance[]): void;
  end(): void;
}

/** On a terminal lines rewritten in place, one a stream; elsewhere, as in the log of a CI server, a line now and then. */
export function showLive({ scryptMs, cores }: Units, stream: NodeJS.WriteStream = process.stderr): LiveLine {
  let shownLines = 0;
  let lastShownMs = -Infinity;
  let profileName = "";

  function clear(): void {
    if (stream.isTTY && shownLines > 0) stream.write(`\u{1B}[${shownLines}A\u{1B}[0J`);
    shownLines = 0;
  }

  return {
    profile(name) {
      clear();
      profileName = name;
      stream.write(`${name}: setting up\n`);
      shownLines = 1;
    },
    glance(phase, second, glances) {
      if (!stream.isTTY && performance.now() - lastShownMs < 5000) return;
      lastShownMs = performance.now();
      clear();
      const lines = glances.map((glance) => lineOf(glance, scryptMs, cores));
      for (const line of lines) stream.write(`${profileName} · ${phase.name} ${second} s · ${line}\n`);
      shownLines = lines.length;
    },
    end: clear,
  };
}

function lineOf(glance: StreamGlance, scryptMs: number, cores: number): string {
  const { stream, plannedPerSecond, p50Ms, p99Ms, shed, errors, scryptsPerRequest } = glance;
  const scrypts = plannedPerSecond * scryptsPerRequest;
  const parts = [
    `${stream} ${plannedPerSecond}/s`,
    `p50 ${ms(p50Ms)}`,
    `p99 ${ms(p99Ms)}`,
    ...(shed > 0 ? [`${shed} shed`] : []),
    `${errors} errors`,
    ...(scrypts > 0 ? [`${scrypts} scrypt/s, E ${((scrypts * scryptMs) / (1000 * cores)).toFixed(2)}`] : []),
  ];
  return parts.join(", ");
}

function ms(value: number | undefined): string {
  return value === undefined ? "–" : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
