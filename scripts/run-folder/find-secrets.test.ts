import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";
import { findSecrets } from "./find-secrets.ts";

test("a secret is found in a file of a run and in one of its folders, and not where nobody wrote it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "stories"));
  writeFileSync(join(folder, "run.json"), '{"password": "correct horse battery"}\n');
  writeFileSync(join(folder, "stories/LIFE-01.test.mjs"), "// harmless\n// correct horse battery\n");
  writeFileSync(join(folder, "stories/LIFE-02.test.mjs"), "// harmless\n");
  const mask = createSecretMask();
  mask.add("password", "correct horse battery");
  const found = await findSecrets(folder, mask, "");
  expect(found.map((one) => /line (\d+) of (\S+) holds/u.exec(one)?.slice(1)).toSorted()).toEqual([
    ["1", join(folder, "run.json")],
    ["2", join(folder, "stories/LIFE-01.test.mjs")],
  ]);
  expect(found.join(" ")).not.toContain("horse");
});
