import { InconclusiveError } from "../../verdict.ts";

/** A capability that is renewed while the load runs. */
export interface RenewedCapability {
  /** Undefined when renewal failed for so long that the capability may expire in flight. */
  current(): string | undefined;
  close(): void;
}

// A capability lives for 120 s: this allows three attempts to renew it, and a margin for requests in flight.
const renewEveryMs = 30_000;
const maxAgeMs = 100_000;

/** @throws what the first call of `mint` throws */
export async function renewCapability(mint: () => Promise<string>): Promise<RenewedCapability> {
  let mintedAtMs = performance.now();
  let capability = await mint();
  let defect: unknown;

  async function renew(): Promise<void> {
    const startedMs = performance.now();
    try {
      capability = await mint();
      mintedAtMs = startedMs;
    } catch (error) {
      // The target is overloaded: retry at the next interval.
      if (!(error instanceof InconclusiveError)) defect = error;
    }
  }
  const timer = setInterval(() => void renew(), renewEveryMs);

  return {
    current() {
      if (defect !== undefined) throw defect;
      return performance.now() - mintedAtMs > maxAgeMs ? undefined : capability;
    },
    close: () => clearInterval(timer),
  };
}
