import type { LoadProfile, OpenStream } from "../support/load/load-profile.ts";
import { challenge } from "../support/load/steps/challenge.ts";
import { verifyForged } from "../support/load/steps/verify-forged.ts";

function streams(ofCapacity: number): readonly OpenStream[] {
  return [
    { model: "open", step: verifyForged, rate: { ofCapacity } },
    { model: "open", step: challenge, rate: { perSecond: 20 } },
  ];
}
const stream = verifyForged.name;

export const spike: LoadProfile = {
  name: "spike",
  question: "Does the target shed what is too much, say so, and recover as soon as the spike is over?",
  phases: [
    {
      name: "warm-up",
      isWarmUp: true,
      seconds: 1,
      streams: [{ model: "closed", step: verifyForged, connections: 4 }],
    },
    { name: "before", seconds: 10, shortSeconds: 4, streams: streams(0.2) },
    { name: "spike", seconds: 5, shortSeconds: 4, streams: streams(3) },
    { name: "after", seconds: 20, shortSeconds: 8, streams: streams(0.2) },
  ],
  thresholds: [
    {
      id: "recovery",
      claim:
        "After the spike, waits are back to twice what they were within three times what the backlog needs by itself.",
      measure: {
        kind: "recovery",
        before: { phase: "before", stream },
        spike: { phase: "spike", stream },
        after: { phase: "after", stream },
      },
      bound: "at-most",
      pass: 3,
    },
    {
      id: "bounded-wait",
      claim: "Half of the verifications that were accepted in the spike end within seventy scrypt times.",
      // A queue of 64 makes its last wait 65 S on one core, and less on more. Without a bound, three times capacity for t
      // seconds makes half of them wait t or more: four seconds are more than 70 S wherever S is below 57 ms.
      measure: { kind: "latency-in-scrypts", at: { phase: "spike", stream }, percentile: 50 },
      bound: "at-most",
      pass: 70,
      warn: 100,
    },
  ],
};
