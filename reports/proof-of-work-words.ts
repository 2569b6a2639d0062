import { formatCount } from "./format.ts";
import type { Run } from "./run-format.ts";

/** What the searches for proofs cost, and how long a run of the same searches takes at least on this machine. */
export function proofOfWorkWords({ proofOfWork, environment: { cpus } }: Run): string {
  const { tries, busyMs } = proofOfWork;
  if (tries === 0) return "no proof of work";
  // What else the machine does lengthens the time by the clock, and not that of the processors.
  const { cpuMs = busyMs } = proofOfWork;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return `proof of work: ${formatCount(tries, "try", "tries")}, ${seconds(cpuMs)} of computing: no less than ${seconds(cpuMs / cpus)} on ${formatCount(cpus, "core", "cores")}`;
}
