import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256 } from "../certificate/sha256.ts";
import { readCaughtBy } from "../faults/caught-by.ts";

test("the digest that certificates name is that of the fault matrix; vitest -u writes it", async () => {
  const caughtBy = readCaughtBy();
  const matrix = {
    sha256: sha256(readFileSync(new URL("../../fixtures/faults/caught-by.json", import.meta.url))),
    faults: Object.keys(caughtBy).length,
    checks: new Set(Object.values(caughtBy).flatMap((checks) => Object.keys(checks))).size,
  };
  await expect(`${JSON.stringify(matrix, undefined, 2)}\n`).toMatchFileSnapshot("fault-matrix.json");
});
