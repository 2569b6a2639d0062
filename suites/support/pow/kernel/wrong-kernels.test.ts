import { expect, test } from "vitest";
import { claimedVectors, givesKnownAnswer } from "./known-answers.ts";
import { scryptPlan, type QuarterStep, type RoundPlan, type Turns } from "./round-plan.ts";

interface WrongKernel {
  /** Its one mistake. */
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

const wrongTurns = (["turnsAfterColumns", "turnsAfterRows"] as const).flatMap((name) =>
  [0, 1, 2].flatMap((index) =>
    [1, 2, 3].map((by) => ({
      mistake: `${name} moves diagonal ${index + 1} ${by} words too far`,
      plan: { ...scryptPlan, [name]: withTurn(scryptPlan[name], index, by) },
    })),
  ),
);

const wrongDetails = [
  { mistake: "computes two rounds less", plan: { ...scryptPlan, doubleRounds: 3 } },
  { mistake: "computes Salsa20/20", plan: { ...scryptPlan, doubleRounds: 10 } },
  { mistake: "drops the addition after the rounds", plan: { ...scryptPlan, feedsForward: false } },
  { mistake: "drops the XOR with the block before", plan: { ...scryptPlan, chainsBlocks: false } },
  { mistake: "leaves odd blocks between even ones", plan: { ...scryptPlan, separatesOddBlocks: false } },
  { mistake: "drops the XOR with the row looked up", plan: { ...scryptPlan, mixesLookup: false } },
  { mistake: "looks up by another word", plan: { ...scryptPlan, lookupWord: 1 } },
  { mistake: "looks up in the table of the first lane", plan: { ...scryptPlan, separatesTables: false } },
  { mistake: "leaves words in their natural order", plan: { ...scryptPlan, wordStep: 1 } },
  { mistake: "takes diagonals the other way", plan: { ...scryptPlan, wordStep: 13 } },
];

const wrongKernels: readonly WrongKernel[] = [...wrongSteps, ...wrongTurns, ...wrongDetails];

test("there are 76 wrong kernels", () => {
  expect(wrongKernels).toHaveLength(8 * 6 + 6 * 3 + 10);
});

/** What memory holds differs by width alone, and what the processor does by what V8 makes of it. */
const forms = [
  { chains: 2, width: 1 },
  { chains: 1, width: 2 },
] as const;

test.for(forms)("the right one gives every known answer, $width wide", (form) => {
  expect(claimedVectors.filter((vector) => givesKnownAnswer(vector, form, scryptPlan))).toEqual(
    claimedVectors,
  );
});

// The vectors in their order: the small one catches most within a millisecond, and has only two blocks a row.
test.for(wrongKernels.flatMap((wrong) => forms.map((form) => ({ ...wrong, form }))))(
  "a known answer of RFC 7914 catches the kernel, $form.width wide, that $mistake",
  ({ form, plan }) => {
    expect(claimedVectors.every((vector) => givesKnownAnswer(vector, form, plan))).toBe(false);
  },
);

function withStep(steps: readonly QuarterStep[], index: number, step: QuarterStep): QuarterStep[] {
  return steps.with(index, step);
}

function withTurn([first, second, third]: Turns, index: number, by: number): Turns {
  const add = (turn: number, place: number): number => (place === index ? (turn + by) % 4 : turn);
  return [add(first, 0), add(second, 1), add(third, 2)];
}
