import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { recipeOverrides } from "../recipes.ts";
import { documentInput, scryptDigestSync, type ScryptInput } from "../scrypt-digest.ts";
import { calibrate } from "./calibrate.ts";
import { createSharedChoice, kernelEngine, nodeEngine, startDigestEngine } from "./digest-engine.ts";
import { createKernel } from "./scrypt-kernel.ts";

const challenge = { jti: "4f6a", nonce: "162", saltHexText: "9f86" };
const withRecipe = (recipe: "no-colon" | "r=16" | "decoded-salt" | "document"): ScryptInput => ({
  ...documentInput(challenge),
  ...recipeOverrides(recipe, challenge),
});

test.for([1, 2, 3, 4])("an engine of %i lanes answers in order, whatever the cost of each input", (lanes) => {
  const small = { ...documentInput(challenge), N: 2, r: 1, p: 2, dkLen: 7 };
  const inputs = [withRecipe("no-colon"), withRecipe("r=16"), small, withRecipe("decoded-salt")];
  const digests = kernelEngine(createKernel({ lanes })).digests(inputs);
  expect(digests.map((digest) => Buffer.from(digest))).toEqual(inputs.map(scryptDigestSync));
});

test("more inputs than lanes are computed in several batches, and the one left over too", () => {
  const inputs = ["1", "2", "3", "4", "5"].map((nonce) => documentInput({ ...challenge, nonce }));
  const digests = kernelEngine(createKernel({ lanes: 4 })).digests(inputs);
  expect(digests.map((digest) => Buffer.from(digest))).toEqual(nodeEngine.digests(inputs));
});

test("the first engine decides the lanes for those that share its choice", () => {
  const choice = createSharedChoice();
  const first = startDigestEngine(choice);
  expect(first.lanes).toBeGreaterThanOrEqual(1);
  expect(choice[0]).toBe(first.lanes);
  choice[0] = 2;
  expect(startDigestEngine(choice).lanes).toBe(2);
});

test("calibration tries every number of lanes in a memory smaller than one table", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { lanes, trials } = calibrate(memory);
  expect(trials.map((trial) => trial.lanes)).toEqual([4, 3, 2, 1]);
  expect([1, 2, 3, 4]).toContain(lanes);
  expect(memory.buffer.byteLength).toBeLessThan(2 ** 24);
});

test("on a processor without the vectors that WebAssembly needs, node:crypto computes", () => {
  const program = `
    import { nodeEngine, startDigestEngine } from ${JSON.stringify(new URL("./digest-engine.ts", import.meta.url).href)};
    console.log(startDigestEngine() === nodeEngine);`;
  const isNodeEngine = (flags: string[]): string =>
    execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
      encoding: "utf8",
    }).trim();
  expect(isNodeEngine([])).toBe("false");
  // V8 then believes that the processor has no SSSE3. Elsewhere than on x64 the flag is of no effect.
  expect(isNodeEngine(["--no-enable-ssse3"])).toBe(process.arch === "x64" ? "true" : "false");
});
