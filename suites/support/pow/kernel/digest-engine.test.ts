import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { recipeOverrides } from "../recipes.ts";
import { documentInput, scryptDigestSync, type ScryptInput } from "../scrypt-digest.ts";
import { calibrate, candidateForms } from "./calibrate.ts";
import { createSharedChoice, kernelEngine, nodeEngine, startDigestEngine } from "./digest-engine.ts";
import { scryptPlan } from "./round-plan.ts";
import { lanesOf } from "./row-functions.ts";
import { createKernel } from "./scrypt-kernel.ts";

// Hashes take seconds on a busy machine.

const challenge = { jti: "4f6a", nonce: "162", saltHexText: "9f86" };
const withRecipe = (recipe: "no-colon" | "r=16" | "decoded-salt" | "document"): ScryptInput => ({
  ...documentInput(challenge),
  ...recipeOverrides(recipe, challenge),
});

test.for(candidateForms)(
  "a kernel of $chains chains, $width wide: digests are in the order of the inputs, whatever their cost",
  (form) => {
    const small = { ...documentInput(challenge), N: 2, r: 1, p: 2, dkLen: 7 };
    const inputs = [withRecipe("no-colon"), withRecipe("r=16"), small, withRecipe("decoded-salt")];
    const digests = kernelEngine(createKernel({ form })).digests(inputs);
    expect(digests.map((digest) => Buffer.from(digest))).toEqual(inputs.map(scryptDigestSync));
  },
);

test("more inputs than lanes are computed in several batches, including a single remaining one", () => {
  const inputs = ["1", "2", "3", "4", "5"].map((nonce) => documentInput({ ...challenge, nonce }));
  const digests = kernelEngine(createKernel({ form: { chains: 2, width: 2 } })).digests(inputs);
  expect(digests.map((digest) => Buffer.from(digest))).toEqual(nodeEngine.digests(inputs));
});

test("the first engine chooses the form for all that share its choice", () => {
  const choice = createSharedChoice();
  const first = startDigestEngine(choice);
  const decided = candidateForms.map(lanesOf)[(choice[0] ?? 0) - 1];
  expect(decided).toBe(first.lanes);
  choice[0] = candidateForms.findIndex((form) => lanesOf(form) === 3) + 1;
  expect(startDigestEngine(choice).lanes).toBe(3);
});

test("calibration times every form in less memory than one full table needs", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { form, trials } = calibrate(memory);
  expect(trials.map((trial) => trial.form)).toEqual(candidateForms);
  expect(trials.map(({ isCorrect }) => isCorrect)).toEqual(candidateForms.map(() => true));
  expect(candidateForms).toContain(form);
  expect(memory.buffer.byteLength).toBeLessThan(2 ** 24);
});

const wrong = { ...scryptPlan, doubleRounds: 1 };

test("a form with wrong digests is not chosen, however fast it is", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { form, trials } = calibrate(memory, {
    makeKernel: (options) => createKernel(options.form.width === 2 ? { ...options, plan: wrong } : options),
  });
  expect(form?.width).toBe(1);
  expect(trials.filter(({ isCorrect }) => isCorrect).map((trial) => trial.form.width)).toEqual([1, 1, 1]);
});

test("when every form is wrong, none is chosen", () => {
  const makeKernel: typeof createKernel = (options) => createKernel({ ...options, plan: wrong });
  const { form } = calibrate(new WebAssembly.Memory({ initial: 1 }), { budgetMs: 0, makeKernel });
  expect(form).toBeNull();
});

test("every form is timed once, however short the time", () => {
  const { form, rounds, trials } = calibrate(new WebAssembly.Memory({ initial: 1 }), { budgetMs: 0 });
  expect(rounds).toBe(1);
  expect(trials.every(({ msPerHash }) => msPerHash < Infinity)).toBe(true);
  expect(candidateForms).toContain(form);
});

test("without the vector instructions that WebAssembly needs, node:crypto computes", () => {
  const program = `
    import { nodeEngine, startDigestEngine } from ${JSON.stringify(new URL("./digest-engine.ts", import.meta.url).href)};
    console.log(startDigestEngine() === nodeEngine);`;
  const isNodeEngine = (flags: string[]): string =>
    execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
      encoding: "utf8",
    }).trim();
  expect(isNodeEngine([])).toBe("false");
  // Makes V8 treat the processor as one without SSSE3. It has no effect except on x64.
  expect(isNodeEngine(["--no-enable-ssse3"])).toBe(process.arch === "x64" ? "true" : "false");
});
