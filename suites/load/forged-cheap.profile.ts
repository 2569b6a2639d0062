import type { LoadProfile } from "../support/load/load-profile.ts";
import { cheapForgeries } from "../support/load/steps/cheap-forgeries.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";

const connections = 16;
const verifying = { phase: "verifying", stream: "verify-forged" };

export const forgedCheap: LoadProfile = {
  name: "forged-cheap",
  question: "Are proofs of work with an obvious flaw rejected without computing scrypt?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "closed", step: verifyForged, connections }],
    },
    {
      name: "verifying",
      seconds: 5,
      shortSeconds: 3,
      streams: [{ model: "closed", step: verifyForged, connections }],
    },
    ...cheapForgeries.map((step) => ({
      name: step.name,
      seconds: 3,
      shortSeconds: 2,
      streams: [{ model: "closed", step, connections } as const],
    })),
  ],
  thresholds: cheapForgeries.flatMap(({ name }) => [
    {
      id: `${name}/rate`,
      claim: `${name}: rejected at least 10 times as fast as a proof that needs scrypt.`,
      measure: { kind: "rate-ratio", of: { phase: name, stream: name }, to: verifying },
      bound: "at-least",
      pass: 10,
    } as const,
    {
      id: `${name}/latency`,
      claim: `${name}: the median latency is at most 0.25 S.`,
      measure: { kind: "latency-in-scrypts", at: { phase: name, stream: name }, percentile: 50 },
      bound: "at-most",
      pass: 0.25,
    } as const,
  ]),
};
