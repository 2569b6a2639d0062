import type { RoundPlan } from "./round-plan.ts";
import { salsaRounds, type Lane } from "./salsa-code.ts";
import type { Code, ValueType, WasmFunction } from "./wasm-encoder.ts";
import { drop, getLocal, i32, repeatWhile, setLocal, vec, type Local } from "./wasm-instructions.ts";

/** What one module is made for. */
export interface Shape {
  /** Hashes computed at once. */
  lanes: number;
  /** Block size parameter of scrypt. */
  r: number;
  plan: RoundPlan;
}

const blockBytes = 64;
const diagonalBytes = 16;

// Parameters of both functions; the first does not use its mask.
const [source, target, mask]: readonly [Local, Local, Local] = [0, 1, 2];
const params: readonly ValueType[] = ["i32", "i32", "i32"];

/** Of one hash. */
export function rowBytes({ r }: Pick<Shape, "r">): number {
  return 2 * blockBytes * r;
}

/** `(source, target, _)`: scryptBlockMix (RFC 7914 §4) of each lane's row at the one address, written to the other. */
export function fillRow(shape: Shape): WasmFunction {
  return blockMix(shape, () => ({ enter: [], lookups: [] }));
}

/**
 * `(source, target, mask)`: as {@link fillRow}, of the row XORed with that row of the table which it chooses (RFC 7914 §5,
 * step 3). The mask is N - 1.
 */
export function mixRow(
  shape: Shape,
  { table, strideBytes }: { table: number; strideBytes: number },
): WasmFunction {
  const { lanes, r, plan } = shape;
  return blockMix(shape, (newLocal) => {
    const lookups = Array.from({ length: lanes }, () => newLocal("i32"));
    const choose = lookups.map((lookup, lane) => {
      const lastBlock = lane * rowBytes(shape) + (2 * r - 1) * blockBytes;
      const chosen = i32.and(i32.load(getLocal(source), lastBlock + 4 * plan.lookupWord), getLocal(mask));
      const tableOfLane = table + (plan.separatesTables ? lane * rowBytes(shape) : 0);
      return setLocal(lookup, i32.add(i32.multiply(chosen, i32.const(strideBytes)), i32.const(tableOfLane)));
    });
    // A load of every cache line, all at once and its value unused, because WebAssembly has no prefetch: the rows come from
    // main memory. It took about 10 % off the whole hash (four lanes, Zen 5, a busy machine); every second line or the first few, less.
    const fetch = Array.from({ length: 2 * r }, (_, block) =>
      lookups.map((lookup) => drop(i32.load(getLocal(lookup), block * blockBytes))),
    );
    return { enter: [choose, fetch], lookups: plan.mixesLookup ? lookups : [] };
  });
}

interface Opening {
  enter: Code;
  /** One pointer a lane, or none: a second row that is XORed in. */
  lookups: readonly Local[];
}

function blockMix(shape: Shape, open: (newLocal: (type: ValueType) => Local) => Opening): WasmFunction {
  const { r, plan } = shape;
  const locals: ValueType[] = [];
  const newLocal = (type: ValueType): Local => params.length + locals.push(type) - 1;
  const newVector = (): Local => newLocal("v128");
  const { enter, lookups } = open(newLocal);
  const [pairsLeft, roundsLeft] = [newLocal("i32"), newLocal("i32")];
  const lanes = Array.from({ length: shape.lanes }, (): Lane => ({
    diagonals: [newVector(), newVector(), newVector(), newVector()],
    sum: newVector(),
  }));

  /** @param write - is given where in its block a diagonal is, and where its lane's row, in bytes */
  const everyDiagonal = (write: (diagonal: Local, offset: number, row: number, lane: number) => Code): Code =>
    lanes.map(({ diagonals }, lane) =>
      diagonals.map((diagonal, index) =>
        write(diagonal, index * diagonalBytes, lane * rowBytes(shape), lane),
      ),
    );
  const input = (offset: number, row: number, lane: number): Code => {
    const own = vec.load(getLocal(source), row + offset);
    const lookup = lookups[lane];
    return lookup === undefined ? own : vec.xor(own, vec.load(getLocal(lookup), offset));
  };
  /** The block `from` bytes past the source, made into the one `to` bytes past the target. */
  const mixBlock = (from: number, to: number): Code => {
    const store = everyDiagonal((diagonal, offset, row) =>
      vec.store(getLocal(target), row + to + offset, getLocal(diagonal)),
    );
    return [
      everyDiagonal((diagonal, offset, row, lane) => {
        const block = input(from + offset, row, lane);
        return setLocal(diagonal, plan.chainsBlocks ? vec.xor(getLocal(diagonal), block) : block);
      }),
      // What the rounds start from waits in the target: all registers are taken.
      store,
      salsaRounds(lanes, plan, roundsLeft),
      everyDiagonal((diagonal, offset, row) => {
        const start = vec.load(getLocal(target), row + to + offset);
        return plan.feedsForward ? setLocal(diagonal, vec.add(getLocal(diagonal), start)) : [];
      }),
      store,
    ];
  };

  // Even blocks go to the first half of the row, odd ones to the second (RFC 7914 §4, step 3).
  const toOdd = plan.separatesOddBlocks ? r * blockBytes : blockBytes;
  const targetStep = plan.separatesOddBlocks ? blockBytes : 2 * blockBytes;
  const advance = (pointer: Local, by: number): Code =>
    setLocal(pointer, i32.add(getLocal(pointer), i32.const(by)));
  const lastBlock = (2 * r - 1) * blockBytes;
  const body = [
    enter,
    everyDiagonal((diagonal, offset, row, lane) => setLocal(diagonal, input(lastBlock + offset, row, lane))),
    setLocal(pairsLeft, i32.const(r)),
    repeatWhile(
      [
        mixBlock(0, 0),
        mixBlock(blockBytes, toOdd),
        [source, ...lookups].map((pointer) => advance(pointer, 2 * blockBytes)),
        advance(target, targetStep),
        advance(pairsLeft, -1),
      ],
      getLocal(pairsLeft),
    ),
  ];
  return { params, locals, body };
}
