import { expect, test } from "vitest";
import { supportedVectors, matchesKnownAnswer } from "./known-answers.ts";
import { scryptPlan, type QuarterStep, type RoundPlan, type WordRotations } from "./round-plan.ts";

// Hashes take seconds on a busy machine.

interface WrongKernel {
  /** Completes "the kernel that …". */
  mistake: string;
  plan: RoundPlan;
}

const wrongSteps = (["columns", "rows"] as const).flatMap((half) =>
  scryptPlan[half].flatMap((step, index) =>
    [
      { mistake: "rotates by one bit more", step: { ...step, bits: step.bits + 1 } },
      { mistake: "rotates by one bit less", step: { ...step, bits: step.bits - 1 } },
      { mistake: "rotates to the right", step: { ...step, bits: 32 - step.bits } },
      { mistake: "adds another left operand", step: { ...step, left: (step.left + 1) % 4 } },
      { mistake: "adds another right operand", step: { ...step, right: (step.right + 1) % 4 } },
      { mistake: "changes another diagonal", step: { ...step, target: (step.target + 1) % 4 } },
    ].map((wrong) => ({
      mistake: `step ${index} of the ${half} ${wrong.mistake}`,
      plan: { ...scryptPlan, [half]: withStep(scryptPlan[half], index, wrong.step) },
    })),
  ),
);

const wrongRotations = (["rotationsAfterColumns", "rotationsAfterRows"] as const).flatMap((name) =>
  [0, 1, 2].flatMap((index) =>
    [1, 2, 3].map((by) => ({
      mistake: `${name} moves diagonal ${index + 1} by ${by} words too many`,
      plan: { ...scryptPlan, [name]: withRotation(scryptPlan[name], index, by) },
    })),
  ),
);

const wrongDetails = [
  { mistake: "computes two rounds too few", plan: { ...scryptPlan, doubleRounds: 3 } },
  { mistake: "computes Salsa20/20", plan: { ...scryptPlan, doubleRounds: 10 } },
  { mistake: "drops the addition after the rounds", plan: { ...scryptPlan, feedsForward: false } },
  { mistake: "drops the XOR with the previous block", plan: { ...scryptPlan, chainsBlocks: false } },
  { mistake: "leaves odd blocks between the even ones", plan: { ...scryptPlan, separatesOddBlocks: false } },
  { mistake: "drops the XOR with the looked-up row", plan: { ...scryptPlan, mixesLookup: false } },
  { mistake: "selects the row by another word", plan: { ...scryptPlan, lookupWord: 1 } },
  { mistake: "uses the table of the first lane", plan: { ...scryptPlan, separatesTables: false } },
  { mistake: "leaves words in their natural order", plan: { ...scryptPlan, wordStep: 1 } },
  { mistake: "takes the diagonals in the other direction", plan: { ...scryptPlan, wordStep: 13 } },
];

const wrongKernels: readonly WrongKernel[] = [...wrongSteps, ...wrongRotations, ...wrongDetails];

test("there are 76 wrong kernels", () => {
  expect(wrongKernels).toHaveLength(8 * 6 + 6 * 3 + 10);
});

/** Width changes the memory layout; chains only repeat the code. */
const forms = [
  { chains: 2, width: 1 },
  { chains: 1, width: 2 },
] as const;

test.for(forms)("the correct kernel, $width wide, gives every known answer", (form) => {
  expect(supportedVectors.filter((vector) => matchesKnownAnswer(vector, form, scryptPlan))).toEqual(
    supportedVectors,
  );
});

// The small vector comes first: it catches most within a millisecond, but has only two blocks per row.
test.for(wrongKernels.flatMap((wrong) => forms.map((form) => ({ ...wrong, form }))))(
  "a known answer of RFC 7914 catches the kernel, $form.width wide, that $mistake",
  ({ form, plan }) => {
    expect(supportedVectors.every((vector) => matchesKnownAnswer(vector, form, plan))).toBe(false);
  },
);

function withStep(steps: readonly QuarterStep[], index: number, step: QuarterStep): QuarterStep[] {
  return steps.with(index, step);
}

function withRotation([first, second, third]: WordRotations, index: number, by: number): WordRotations {
  const add = (words: number, at: number): number => (at === index ? (words + by) % 4 : words);
  return [add(first, 0), add(second, 1), add(third, 2)];
}
