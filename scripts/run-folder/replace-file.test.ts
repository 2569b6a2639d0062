import { lstatSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

const newFolder = (): string => mkdtempSync(join(tmpdir(), "mailproof-replace-"));

test("replaces a file, and leaves nothing beside it", () => {
  const folder = newFolder();
  const path = join(folder, "run.json");
  writeFileSync(path, "former");
  replaceFile(path, ["{", "}"]);
  expect(readFileSync(path, "utf8")).toBe("{}");
  expect(readdirSync(folder)).toEqual(["run.json"]);
});

test("writes through a link, and leaves it a link", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "elsewhere.json"), "former");
  symlinkSync("elsewhere.json", join(folder, "run.json"));
  replaceFile(join(folder, "run.json"), ["{}"]);
  expect(lstatSync(join(folder, "run.json")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "elsewhere.json"), "utf8")).toBe("{}");
});

// `--reporter json=/dev/null` of root once made a file of it, and nothing on the machine could write there any more.
test("leaves a device a device", () => {
  const path = join(newFolder(), "null");
  symlinkSync("/dev/null", path);
  replaceFile(path, ["{}"]);
  replaceFile("/dev/null", ["{}"]);
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
});
