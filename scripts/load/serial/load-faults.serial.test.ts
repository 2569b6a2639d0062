import { expect, test } from "vitest";
import { loadFaults } from "../../../fixtures/faults/load/load.ts";
import { startEmbeddedService } from "../../embedded-service.ts";
import { NoisyMachineError, measureWithRetries } from "./measured-load.ts";

const cases = loadFaults.flatMap(({ id, defect, caughtBy }) =>
  caughtBy.map((name) => ({ id, defect, name })),
);

test.for(cases)("$name catches $id: $defect", async ({ id, name }, { skip }) => {
  const service = await startEmbeddedService({ difficultyBits: 1, loadFault: id });
  try {
    const { verdict, thresholds, violations, invalid } = await measureWithRetries(
      service.profile,
      name,
      (judged) => judged.verdict === "missed",
    );
    const missed = thresholds.filter((it) => it.verdict === "missed").map((it) => it.id);
    const violated = violations.map(({ expected, observed }) => `expected ${expected}; observed ${observed}`);
    const reasons = invalid.map(({ text }) => text).join("\n");
    expect([...missed, ...violated], `${verdict}: ${reasons}`).not.toEqual([]);
    expect(verdict === "missed" || verdict === "violated" ? verdict : reasons).toBe(verdict);
  } catch (error) {
    if (!(error instanceof NoisyMachineError)) throw error;
    skip(error.message);
  } finally {
    await service.stop();
  }
});
