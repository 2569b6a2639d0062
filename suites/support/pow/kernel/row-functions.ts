import type { RoundPlan } from "./round-plan.ts";
import { diagonal, salsaRounds, type Lane } from "./salsa-code.ts";
import type { Code, ValueType, WasmFunction } from "./wasm-encoder.ts";
import { drop, getLocal, i32, repeatWhile, setLocal, vec, type Local } from "./wasm-instructions.ts";

/**
 * How many hashes are computed at once, and how. Lanes are numbered through all chains.
 *
 * A chain is one sequence of dependent operations; several fill the time that the processor would wait for each result.
 */
export interface Form {
  chains: number;
  /**
   * Hashes of one chain. Two stand side by side in memory, diagonal by diagonal, so that a compiler that knows how makes one
   * operation on 256 bits of the same two on 128.
   */
  width: 1 | 2;
}

/** What one module is made for. */
export interface Shape extends Form {
  /** Block size parameter of scrypt. */
  r: number;
  plan: RoundPlan;
}

const blockBytes = 64;
const diagonalBytes = 16;

// Parameters of both functions; the first does not use its mask.
const [source, target, mask]: readonly [Local, Local, Local] = [0, 1, 2];
const params: readonly ValueType[] = ["i32", "i32", "i32"];

export function lanesOf({ chains, width }: Form): number {
  return chains * width;
}

/** Of one hash. */
export function rowBytes({ r }: Pick<Shape, "r">): number {
  return 2 * blockBytes * r;
}

/** Where a lane's byte is in a row of all lanes. @param offset - in the lane's own row, in diagonal order */
export function placeInRow(shape: Shape, lane: number, offset: number): number {
  const { width } = shape;
  const within = offset % diagonalBytes;
  const chain = Math.floor(lane / width);
  const start = chain * width * rowBytes(shape) + (lane % width) * diagonalBytes;
  return start + (offset - within) * width + within;
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
  const { width, r, plan } = shape;
  return blockMix(shape, (newLocal) => {
    const lookups = Array.from({ length: lanesOf(shape) }, () => newLocal("i32"));
    const choose = lookups.map((lookup, lane) => {
      const word = placeInRow(shape, lane, (2 * r - 1) * blockBytes + 4 * plan.lookupWord);
      const chosen = i32.and(i32.load(getLocal(source), word), getLocal(mask));
      const tableOfLane = table + (plan.separatesTables ? placeInRow(shape, lane, 0) : 0);
      return setLocal(lookup, i32.add(i32.multiply(chosen, i32.const(strideBytes)), i32.const(tableOfLane)));
    });
    // A load of every cache line, all at once and its value unused, because WebAssembly has no prefetch: the rows come from
    // main memory. It took about 10 % off the whole hash (Zen 5); every second line or the first few, less.
    const fetch = Array.from({ length: width * 2 * r }, (_, line) =>
      lookups.map((lookup) => drop(i32.load(getLocal(lookup), line * blockBytes))),
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
  const { chains, width, r, plan } = shape;
  const locals: ValueType[] = [];
  const newLocal = (type: ValueType): Local => params.length + locals.push(type) - 1;
  const newVector = (): Local => newLocal("v128");
  const { enter, lookups } = open(newLocal);
  const [blockPairsLeft, roundsLeft] = [newLocal("i32"), newLocal("i32")];
  const lanes = Array.from({ length: lanesOf(shape) }, (): Lane => ({
    diagonals: [newVector(), newVector(), newVector(), newVector()],
    sum: newVector(),
  }));

  /**
   * Neighbours follow each other, the later one first: V8 then stores 256 bits in place of both; the other way round it
   * stores them and the first one's 128.
   *
   * @param write - is given where in its block a diagonal is, in bytes of its lane's own row
   */
  const everyDiagonal = (write: (vector: Local, offset: number, lane: number) => Code): Code =>
    Array.from({ length: chains }, (_, chain) => {
      const neighbours = lanes.slice(chain * width, (chain + 1) * width);
      return [0, 1, 2, 3].map((index) =>
        neighbours
          .map((lane, at) => write(diagonal(lane, index), index * diagonalBytes, chain * width + at))
          .toReversed(),
      );
    });
  const at = (lane: number, offset: number): number => placeInRow(shape, lane, offset);
  const input = (offset: number, lane: number): Code => {
    const own = vec.load(getLocal(source), at(lane, offset));
    const lookup = lookups[lane];
    return lookup === undefined ? own : vec.xor(own, vec.load(getLocal(lookup), offset * width));
  };
  /** The block `from` bytes past the source, made into the one `to` bytes past the target. */
  const mixBlock = (from: number, to: number): Code => {
    const store = everyDiagonal((vector, offset, lane) =>
      vec.store(getLocal(target), at(lane, to + offset), getLocal(vector)),
    );
    return [
      everyDiagonal((vector, offset, lane) => {
        const block = input(from + offset, lane);
        return setLocal(vector, plan.chainsBlocks ? vec.xor(getLocal(vector), block) : block);
      }),
      // What the rounds start from waits in the target: all registers are taken.
      store,
      salsaRounds(lanes, plan, roundsLeft),
      everyDiagonal((vector, offset, lane) => {
        const start = vec.load(getLocal(target), at(lane, to + offset));
        return plan.feedsForward ? setLocal(vector, vec.add(getLocal(vector), start)) : [];
      }),
      store,
    ];
  };

  // Even blocks go to the first half of the row, odd ones to the second (RFC 7914 §4, step 3).
  const toOdd = plan.separatesOddBlocks ? r * blockBytes : blockBytes;
  const targetStep = plan.separatesOddBlocks ? blockBytes : 2 * blockBytes;
  const add = (local: Local, value: number): Code =>
    setLocal(local, i32.add(getLocal(local), i32.const(value)));
  const advance = (pointer: Local, by: number): Code => add(pointer, by * width);
  const lastBlock = (2 * r - 1) * blockBytes;
  const body = [
    enter,
    everyDiagonal((vector, offset, lane) => setLocal(vector, input(lastBlock + offset, lane))),
    setLocal(blockPairsLeft, i32.const(r)),
    repeatWhile(
      [
        mixBlock(0, 0),
        mixBlock(blockBytes, toOdd),
        [source, ...lookups].map((pointer) => advance(pointer, 2 * blockBytes)),
        advance(target, targetStep),
        add(blockPairsLeft, -1),
      ],
      getLocal(blockPairsLeft),
    ),
  ];
  return { params, locals, body };
}
