import { expect, test } from "vitest";
import { exampleLoadRun, exampleProfile, exampleViolation } from "../../reports/load/example-load-run.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { ownText } from "./own-text.ts";

test("a password that is a word of the page is not a leak, one that a target's answer holds is", () => {
  const mask = createSecretMask();
  mask.add("password", "dataset");
  const password = mask.fingerprintsIn("dataset");
  mask.add("client_secret", "said-by-the-target");
  const answered = { ...exampleViolation, observed: "said-by-the-target" };
  const run = exampleLoadRun([exampleProfile({ violations: [answered] })]);

  expect([...mask.fingerprintsIn(ownText(run))]).toEqual([...password]);
});
