import { afterAll, beforeAll, expect, test } from "vitest";
import { loadProfiles } from "../../../suites/load/profiles.ts";
import { type EmbeddedService, startEmbeddedService } from "../../embedded-service.ts";
import { NoisyMachineError, measureWithRetries } from "./measured-load.ts";

let service: EmbeddedService;

beforeAll(async () => {
  service = await startEmbeddedService({ difficultyBits: 1 });
});

afterAll(() => service.stop());

test.for(loadProfiles.map(({ name }) => ({ name })))(
  "the reference service passes $name with --short",
  async ({ name }, { skip }) => {
    try {
      const { verdict, thresholds, invalid, violations } = await measureWithRetries(
        service.profile,
        name,
        (judged) => judged.verdict === "holds",
      );
      expect({
        verdict,
        thresholds: thresholds.filter(({ verdict }) => verdict === "missed" || verdict === "warn"),
        invalid,
        violations,
      }).toEqual({
        verdict: "holds",
        thresholds: [],
        invalid: [],
        violations: [],
      });
    } catch (error) {
      if (!(error instanceof NoisyMachineError)) throw error;
      skip(error.message);
    }
  },
);
