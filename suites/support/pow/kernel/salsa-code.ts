import type { QuarterStep, RoundPlan, WordRotations } from "./round-plan.ts";
import type { Code } from "./wasm-encoder.ts";
import { getLocal, i32, repeatWhile, setLocal, vec, type Local } from "./wasm-instructions.ts";

/** The locals of one hash: its block as four diagonals, and the sum of the current step. */
export interface Lane {
  diagonals: readonly [Local, Local, Local, Local];
  sum: Local;
}

/**
 * The rounds of Salsa20/8 (RFC 7914 §3) on every lane, without the final addition.
 *
 * Each operation of a step is written for all lanes before the next operation: all additions, all left shifts, all right
 * shifts. The operations of a single hash depend on each other and leave most of the processor idle. V8 keeps this order, so
 * adjacent instructions are independent and run in parallel.
 */
export function salsaRounds(lanes: readonly Lane[], plan: RoundPlan, counter: Local): Code {
  return [
    setLocal(counter, i32.const(plan.doubleRounds)),
    repeatWhile(
      [
        plan.columns.map((step) => quarterStep(lanes, step)),
        rotateDiagonals(lanes, plan.rotationsAfterColumns),
        plan.rows.map((step) => quarterStep(lanes, step)),
        rotateDiagonals(lanes, plan.rotationsAfterRows),
        setLocal(counter, i32.add(getLocal(counter), i32.const(-1))),
      ],
      getLocal(counter),
    ),
  ];
}

function quarterStep(lanes: readonly Lane[], { target, left, right, bits }: QuarterStep): Code {
  const value = (lane: Lane, index: number): Code => getLocal(diagonal(lane, index));
  const flip = (lane: Lane, part: Code): Code =>
    setLocal(diagonal(lane, target), vec.xor(value(lane, target), part));
  return [
    lanes.map((lane) => setLocal(lane.sum, vec.add(value(lane, left), value(lane, right)))),
    lanes.map((lane) => flip(lane, vec.shiftLeft(getLocal(lane.sum), bits))),
    lanes.map((lane) => flip(lane, vec.shiftRight(getLocal(lane.sum), 32 - bits))),
  ];
}

function rotateDiagonals(lanes: readonly Lane[], rotations: WordRotations): Code {
  return rotations.map((words, index) =>
    lanes.map((lane) => {
      const moved = diagonal(lane, index + 1);
      return setLocal(moved, vec.rotateWords(moved, words));
    }),
  );
}

/** @throws {RangeError} unless the index is 0 to 3 */
export function diagonal(lane: Lane, index: number): Local {
  const local = lane.diagonals[index];
  if (local === undefined) throw new RangeError(`a block has diagonals 0 to 3, but the plan uses ${index}`);
  return local;
}
