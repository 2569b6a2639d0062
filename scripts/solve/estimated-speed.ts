import { powDigestSync } from "../../suites/support/pow/scrypt-digest.ts";

/** How much faster the solver is than node:crypto on one core, for estimates. */
export const typicalSpeedup = 3;

const runs = 3;

/** Hashes per second of the solver on this machine, from a few of node:crypto: an estimate within a tenth of a second. */
export function estimatedHashesPerSecond(workers: number): number {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1)
    powDigestSync({ jti: "speed", saltHexText: "00", nonce: String(run) });
  const { user, system } = process.cpuUsage(before);
  return (workers * typicalSpeedup * runs * 1_000_000) / (user + system);
}
