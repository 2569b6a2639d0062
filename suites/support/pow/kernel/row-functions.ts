import type { RoundPlan } from "./round-plan.ts";
import { diagonal, salsaRounds, type Lane } from "./salsa-code.ts";
import type { Code, ValueType, WasmFunction } from "./wasm-encoder.ts";
import { drop, getLocal, i32, repeatWhile, setLocal, vec, type Local } from "./wasm-instructions.ts";

/**
 * How many hashes, or lanes, a kernel computes at once. A chain is a sequence of dependent operations; several of them keep
 * the processor busy while each waits for a result. Lanes are numbered across chains.
 */
export interface Form {
  chains: number;
  /**
   * Hashes per chain. Two are adjacent in memory, diagonal by diagonal, so that V8's revectorizer can merge their 128-bit
   * operations into 256-bit ones.
   */
  width: 1 | 2;
}

/** The parameters of a module. */
export interface Shape extends Form {
  /** Block size parameter of scrypt. */
  r: number;
  plan: RoundPlan;
}

const blockBytes = 64;
const diagonalBytes = 16;

// Parameters of both functions; fillRow does not use its mask.
const [source, target, mask]: readonly [Local, Local, Local] = [0, 1, 2];
const params: readonly ValueType[] = ["i32", "i32", "i32"];

export function lanesOf({ chains, width }: Form): number {
  return chains * width;
}

/** Bytes of one hash's row. */
export function rowBytes({ r }: Pick<Shape, "r">): number {
  return 2 * blockBytes * r;
}

/** Offset of a lane's byte in a row of all lanes. @param offset - in the lane's own row, in diagonal order */
export function offsetInRow(shape: Shape, lane: number, offset: number): number {
  const { width } = shape;
  const within = offset % diagonalBytes;
  const chain = Math.floor(lane / width);
  const start = chain * width * rowBytes(shape) + (lane % width) * diagonalBytes;
  return start + (offset - within) * width + within;
}

/** `(source, target, _)`: scryptBlockMix (RFC 7914 §4) of each lane's row at `source`, written to `target`. */
export function fillRow(shape: Shape): WasmFunction {
  return blockMix(shape, () => ({ code: [], lookups: [] }));
}

/**
 * `(source, target, mask)`: like {@link fillRow}, but first XORs the row with the table row that it selects (RFC 7914 §5,
 * step 3). `mask` is N - 1.
 */
export function mixRow(
  shape: Shape,
  { table, strideBytes }: { table: number; strideBytes: number },
): WasmFunction {
  const { width, r, plan } = shape;
  return blockMix(shape, (newLocal) => {
    const lookups = Array.from({ length: lanesOf(shape) }, () => newLocal("i32"));
    const select = lookups.map((lookup, lane) => {
      const word = offsetInRow(shape, lane, (2 * r - 1) * blockBytes + 4 * plan.lookupWord);
      const selected = i32.and(i32.load(getLocal(source), word), getLocal(mask));
      const tableOfLane = table + (plan.separatesTables ? offsetInRow(shape, lane, 0) : 0);
      return setLocal(
        lookup,
        i32.add(i32.multiply(selected, i32.const(strideBytes)), i32.const(tableOfLane)),
      );
    });
    // Loads every cache line of the row and drops the values, because WebAssembly has no prefetch and the rows are in main
    // memory. A hash took about 10 % less time (Zen 5); with every second line, or the first few, the gain was smaller.
    const prefetch = Array.from({ length: width * 2 * r }, (_, line) =>
      lookups.map((lookup) => drop(i32.load(getLocal(lookup), line * blockBytes))),
    );
    return { code: [select, prefetch], lookups: plan.mixesLookup ? lookups : [] };
  });
}

interface Prologue {
  code: Code;
  /** One pointer per lane to a second row, which is XORed in; empty for none. */
  lookups: readonly Local[];
}

function blockMix(shape: Shape, begin: (newLocal: (type: ValueType) => Local) => Prologue): WasmFunction {
  const { chains, width, r, plan } = shape;
  const locals: ValueType[] = [];
  const newLocal = (type: ValueType): Local => params.length + locals.push(type) - 1;
  const newVector = (): Local => newLocal("v128");
  const { code: prologue, lookups } = begin(newLocal);
  const [blockPairsLeft, roundsLeft] = [newLocal("i32"), newLocal("i32")];
  const lanes = Array.from({ length: lanesOf(shape) }, (): Lane => ({
    diagonals: [newVector(), newVector(), newVector(), newVector()],
    sum: newVector(),
  }));

  /**
   * Adjacent lanes follow each other, the second one first: V8 then merges their two stores. In the other order it keeps the
   * first one's 128-bit store beside the merged one.
   *
   * @param write - is called with the offset of a diagonal in its block, in bytes of its lane's own row
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
  const at = (lane: number, offset: number): number => offsetInRow(shape, lane, offset);
  const input = (offset: number, lane: number): Code => {
    const own = vec.load(getLocal(source), at(lane, offset));
    const lookup = lookups[lane];
    return lookup === undefined ? own : vec.xor(own, vec.load(getLocal(lookup), offset * width));
  };
  /** Mixes the block at `source + from` into the one at `target + to`. */
  const mixBlock = (from: number, to: number): Code => {
    const store = everyDiagonal((vector, offset, lane) =>
      vec.store(getLocal(target), at(lane, to + offset), getLocal(vector)),
    );
    return [
      everyDiagonal((vector, offset, lane) => {
        const block = input(from + offset, lane);
        return setLocal(vector, plan.chainsBlocks ? vec.xor(getLocal(vector), block) : block);
      }),
      // The input of the rounds is kept in the target, because all registers are in use.
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
  const oddBlockOffset = plan.separatesOddBlocks ? r * blockBytes : blockBytes;
  const targetStep = plan.separatesOddBlocks ? blockBytes : 2 * blockBytes;
  const add = (local: Local, value: number): Code =>
    setLocal(local, i32.add(getLocal(local), i32.const(value)));
  const advance = (pointer: Local, by: number): Code => add(pointer, by * width);
  const lastBlock = (2 * r - 1) * blockBytes;
  const body = [
    prologue,
    everyDiagonal((vector, offset, lane) => setLocal(vector, input(lastBlock + offset, lane))),
    setLocal(blockPairsLeft, i32.const(r)),
    repeatWhile(
      [
        mixBlock(0, 0),
        mixBlock(blockBytes, oddBlockOffset),
        [source, ...lookups].map((pointer) => advance(pointer, 2 * blockBytes)),
        advance(target, targetStep),
        add(blockPairsLeft, -1),
      ],
      getLocal(blockPairsLeft),
    ),
  ];
  return { params, locals, body };
}
