import type { RoundPlan } from "./round-plan.ts";
import { salsaRounds, type Lane } from "./salsa-code.ts";
import type { Code, ValueType, WasmFunction } from "./wasm-encoder.ts";
import { getLocal, i32, drop, repeatWhile, setLocal, vec, type Local } from "./wasm-instructions.ts";

/** What one module is made for. */
export interface Shape {
  /** Hashes computed at once. */
  lanes: number;
  /** Block size parameter of scrypt. */
  r: number;
  plan: RoundPlan;
}

const blockBytes = 64;
const diagonalOffsets = [0, 16, 32, 48];

/** Of one hash. */
export function rowBytes({ r }: Pick<Shape, "r">): number {
  return 2 * blockBytes * r;
}

/** `(source, target)`: scryptBlockMix (RFC 7914 §4) of each lane's row at the one address, written to the other. */
export function fillRow(shape: Shape): WasmFunction {
  return blockMix(shape, () => ({ enter: [], pointers: [] }));
}

/**
 * `(source, target, mask)`: as {@link fillRow}, of the row XORed with the row of the table that it chooses (RFC 7914 §5,
 * step 3). The mask is N - 1.
 */
export function mixRow(
  shape: Shape,
  { table, strideBytes }: { table: number; strideBytes: number },
): WasmFunction {
  const { lanes, r, plan } = shape;
  return blockMix(shape, ({ source, newLocal }) => {
    const mask = 2;
    const pointers = Array.from({ length: lanes }, () => newLocal("i32"));
    const enter = pointers.map((pointer, lane) => {
      const lastBlock = lane * rowBytes(shape) + (2 * r - 1) * blockBytes;
      const chosen = i32.and(i32.load(getLocal(source), lastBlock + 4 * plan.lookupWord), getLocal(mask));
      const start = i32.const(table + lane * rowBytes(shape));
      return setLocal(pointer, i32.add(i32.multiply(chosen, i32.const(strideBytes)), start));
    });
    const every = Number(process.env["TOUCH"] ?? 0); const most = Number(process.env["MOST"] ?? 2 * r);
    const touch = every ? Array.from({ length: most / every }, (_, b) => pointers.map((p) => drop(i32.load(getLocal(p), b * 64 * every)))) : [];
    return { enter: [enter, touch], pointers: plan.mixesLookup ? pointers : [] };
  });
}

interface Extra {
  enter: Code;
  /** One a lane, or none: a second row that is XORed in. */
  pointers: readonly Local[];
}

type Opening = (frame: { source: Local; newLocal(type: ValueType): Local }) => Extra;

function blockMix(shape: Shape, open: Opening): WasmFunction {
  const { lanes: laneCount, r, plan } = shape;
  const [source, target] = [0, 1];
  const params: ValueType[] = ["i32", "i32", "i32"];
  const locals: ValueType[] = [];
  const newLocal = (type: ValueType): Local => params.length + locals.push(type) - 1;
  const { enter, pointers } = open({ source, newLocal });
  const [pairsLeft, counter] = [newLocal("i32"), newLocal("i32")];
  const newVector = (): Local => newLocal("v128");
  const lanes = Array.from({ length: laneCount }, (): Lane => ({
    diagonals: [newVector(), newVector(), newVector(), newVector()],
    sum: newVector(),
  }));

  /** Every diagonal of every lane, with its offset in that lane's row. */
  const everyDiagonal = (write: (diagonal: Local, offset: number, lane: number) => Code): Code =>
    lanes.map(({ diagonals }, lane) =>
      diagonals.map((diagonal, index) => write(diagonal, diagonalOffsets[index] ?? 0, lane)),
    );
  const rowOf = (lane: number): number => lane * rowBytes(shape);
  const input = (offset: number, lane: number): Code => {
    const own = vec.load(getLocal(source), rowOf(lane) + offset);
    const pointer = pointers[lane];
    return pointer === undefined ? own : vec.xor(own, vec.load(getLocal(pointer), offset));
  };
  /** Block at `from` bytes past the source pointers, made into that at `to` bytes past the target's. */
  const mixBlock = (from: number, to: number): Code => [
    everyDiagonal((diagonal, offset, lane) => {
      const block = input(from + offset, lane);
      return setLocal(diagonal, plan.chainsBlocks ? vec.xor(getLocal(diagonal), block) : block);
    }),
    // What the rounds start from waits in the target: the registers are all taken.
    everyDiagonal((diagonal, offset, lane) =>
      vec.store(getLocal(target), rowOf(lane) + to + offset, getLocal(diagonal)),
    ),
    salsaRounds(lanes, plan, counter),
    plan.feedsForward
      ? everyDiagonal((diagonal, offset, lane) =>
          setLocal(
            diagonal,
            vec.add(getLocal(diagonal), vec.load(getLocal(target), rowOf(lane) + to + offset)),
          ),
        )
      : [],
    everyDiagonal((diagonal, offset, lane) =>
      vec.store(getLocal(target), rowOf(lane) + to + offset, getLocal(diagonal)),
    ),
  ];
  const advance = (pointer: Local, bytes: number): Code =>
    setLocal(pointer, i32.add(getLocal(pointer), i32.const(bytes)));
  const oddTarget = plan.separatesOddBlocks ? r * blockBytes : blockBytes;
  const lastBlock = (2 * r - 1) * blockBytes;

  const body = [
    enter,
    everyDiagonal((diagonal, offset, lane) => setLocal(diagonal, input(lastBlock + offset, lane))),
    setLocal(pairsLeft, i32.const(r)),
    repeatWhile(
      [
        mixBlock(0, 0),
        mixBlock(blockBytes, oddTarget),
        [source, ...pointers].map((pointer) => advance(pointer, 2 * blockBytes)),
        advance(target, plan.separatesOddBlocks ? blockBytes : 2 * blockBytes),
        advance(pairsLeft, -1),
      ],
      getLocal(pairsLeft),
    ),
  ];
  return { params, locals, body };
}
