import { InconclusiveError } from "../../verdict.ts";

/** A capability that is minted anew while the load goes on. */
export interface KeptCapability {
  /** Undefined when no new one could be had for so long that the last may expire under way. */
  current(): string | undefined;
  close(): void;
}

// A capability lives 120 s: time for three tries, and for what is under way with the last one.
const renewEveryMs = 30_000;
const mostAgeMs = 100_000;

/** @throws what `mint` throws, when there is not even a first */
export async function keepCapability(mint: () => Promise<string>): Promise<KeptCapability> {
  let sinceMs = performance.now();
  let capability = await mint();
  let defect: unknown;

  async function renew(): Promise<void> {
    const beganMs = performance.now();
    try {
      capability = await mint();
      sinceMs = beganMs;
    } catch (error) {
      // Turned away by a target under load: the one at hand is good for two more tries.
      if (!(error instanceof InconclusiveError)) defect = error;
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMs);

  return {
    current() {
      if (defect !== undefined) throw defect;
      return performance.now() - sinceMs > mostAgeMs ? undefined : capability;
    },
    close: () => clearInterval(timer),
  };
}
