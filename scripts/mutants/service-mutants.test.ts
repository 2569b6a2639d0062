import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { instrumentedService, instrumentService } from "./service-mutants.ts";

test("the service is instrumented with mutants of what it decides, numbers included", async () => {
  const mutants = await instrumentService();
  expect(mutants.length).toBeGreaterThan(5000);
  expect(new Set(mutants.map(({ key }) => key)).size).toBe(mutants.length);
  expect(mutants).toContainEqual(
    expect.objectContaining({
      file: "oauth/consent/code-expires-at.ts",
      line: 3,
      original: "issuedAt + lifetimeSeconds * 1000",
      replacement: "issuedAt - lifetimeSeconds * 1000",
    }),
  );
  expect(mutants).toContainEqual(
    expect.objectContaining({
      file: "oauth/consent/code-expires-at.ts",
      original: "1000",
      replacement: "2000",
    }),
  );
  expect(
    mutants.map(({ file }) => file).filter((file) => /^identity\/|\.test\.ts$|sqlite/u.test(file)),
  ).toEqual([]);
  expect(await readFile(instrumentedService, "utf8")).toContain("startService");
});

test("keys do not depend on other files", async () => {
  const [first, second] = [await instrumentService(), await instrumentService()];
  expect(second.map(({ key }) => key)).toEqual(first.map(({ key }) => key));
});
