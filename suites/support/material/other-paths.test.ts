import { expect, test } from "vitest";
import { otherSpellings } from "./other-paths.ts";

test("the spellings of a path differ from it and from each other, and a URL keeps them apart", () => {
  const spellings = otherSpellings("/api/v1/agents");
  expect(spellings).toContain("/api/v1/%61gents");
  expect(spellings).toContain("/API/V1/AGENTS");
  expect(new Set(["/api/v1/agents", ...spellings]).size).toBe(9);
});
