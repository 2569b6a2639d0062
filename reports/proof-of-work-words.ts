import { counted } from "./page/verdict-words.ts";
import type { Run } from "./run-format.ts";

/** What the searches for proofs cost, and how long a run of the same searches takes at least on this machine. */
export function proofOfWorkWords({ proofOfWork: { tries, busyMs }, environment: { cpus } }: Run): string {
  if (tries === 0) return "no proof of work";
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return `proof of work: ${counted(tries, "try", "tries")}, ${seconds(busyMs)} of computing: no less than ${seconds(busyMs / cpus)} on ${counted(cpus, "core", "cores")}`;
}
