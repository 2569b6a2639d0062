import fc from "fast-check";
import { expect, test } from "vitest";
import { propertySettings } from "../support/pow/property-settings.ts";
import { lifeCases } from "./lives.checks.ts";
import type { Step } from "./grants.ts";
import { randomNumbers } from "./random.ts";
import { livedOn, type Simulated } from "./simulated-play.ts";
import {
  drawnChoices,
  type SimulatedAnswer,
  simulatedTarget,
  type TargetChoices,
} from "./simulated-target.ts";

const anyChoices: fc.Arbitrary<TargetChoices> = fc.integer().map((seed) => drawnChoices(randomNumbers(seed)));

test.for(lifeCases.map(({ slug }) => slug))(
  "no choice that the document leaves open is accused in lives of %s",
  async (slug) => {
    await fc.assert(
      fc.asyncProperty(anyChoices, fc.integer(), async (choices, seed) => {
        expect(await livedOn(simulatedTarget(choices), slug, seed)).toBeUndefined();
      }),
      { ...propertySettings, numRuns: 150 },
    );
  },
);

const ordinary: TargetChoices = {
  secondGrant: "another grant",
  olderAccessToken: "lives",
  refusedExchange: "keeps the code",
  replayedCode: "ends the grant",
  foreignRefresh: "changes nothing",
  olderRevocation: "ends the grant",
  widerScopes: "are refused",
  declined: "changes nothing",
  clockLeeway: 0,
};

/** The same target with one answer that the document does not allow. */
const defects: readonly { name: string; slug: string; broken: () => Simulated }[] = [
  {
    name: "a declined request that yields a code",
    slug: "resources",
    broken: () => answering((step, answer) => (step.kind === "deny" ? { isAccepted: true } : answer)),
  },
  {
    name: "a token for the MCP resource that JMAP serves",
    slug: "resources",
    broken: () => ({ ...simulatedTarget(ordinary), serves: () => true }),
  },
  {
    name: "a token that does not expire",
    slug: "time",
    broken: () => simulatedTarget({ ...ordinary, clockLeeway: 1e9 }),
  },
  {
    name: "a second grant whose tokens are refused",
    slug: "same-client",
    broken() {
      let exchanges = 0;
      return answering((step, answer) => {
        if (step.kind === "exchange") exchanges += 1;
        return step.kind === "exchange" && exchanges > 1 ? { isAccepted: false } : answer;
      });
    },
  },
];

function answering(change: (step: Step, answer: SimulatedAnswer) => SimulatedAnswer): Simulated {
  const target = simulatedTarget(ordinary);
  return {
    answer: (step) => change(step, target.answer(step)),
    serves: (step, place) => target.serves(step, place),
  };
}

test.for(defects)("lives of $slug find $name", async ({ slug, broken }) => {
  const found = await Promise.all(Array.from({ length: 60 }, (_, seed) => livedOn(broken(), slug, seed)));
  expect(found.filter((contradiction) => contradiction !== undefined).length).toBeGreaterThan(20);
});
