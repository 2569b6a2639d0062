/**
 * What the threads that work on one search share; every access is atomic. Number `n` stands for the nonce `n` after the
 * search's first. Threads take numbers in order, as many as they have free lanes. A hit becomes the new end: every lower
 * number has been taken, and no higher one is taken any more.
 */
export type SearchState = Int32Array<SharedArrayBuffer>;

const next = 0;
const end = 1;
const firstThread = 2;

/** Higher than every number. */
export const noNumber = 2 ** 31 - 1;

/** Where a search without a limit ends, after months. Every thread can count past it without an overflow. */
const maxTries = noNumber - 2 ** 16;

export function createSearchState(threads: number, limitTries = Infinity): SearchState {
  const state = new Int32Array(new SharedArrayBuffer(4 * (firstThread + threads)));
  state[end] = Math.min(limitTries, maxTries);
  state.fill(noNumber, firstThread);
  return state;
}

/** Whether every number below the end has been taken. Once true, it stays true. */
export function isExhausted(state: SearchState): boolean {
  return Atomics.load(state, next) >= endOf(state);
}

/** The next number to try, or null when none is left below the end. */
export function takeNumber(state: SearchState): number | null {
  const taken = Atomics.add(state, next, 1);
  return taken < endOf(state) ? taken : null;
}

/** The limit, or the lowest hit so far: higher numbers do not matter. */
export function endOf(state: SearchState): number {
  return Atomics.load(state, end);
}

export function lowerEnd(state: SearchState, to: number): void {
  for (let seen = endOf(state); to < seen;) {
    const found = Atomics.compareExchange(state, end, seen, to);
    if (found === seen) return;
    seen = found;
  }
}

/**
 * @param lowest - the lowest number that the thread has taken and not decided, or {@link noNumber}. A thread sets 0 before it
 * takes its first number, so that it never appears idle while it holds one.
 */
export function setLowestOpen(state: SearchState, thread: number, lowest: number): void {
  Atomics.store(state, firstThread + thread, lowest);
}

/** Every lower number has been decided, and none is a hit. The end, once all are decided. */
export function lowestUndecided(state: SearchState): number {
  const open = state.subarray(firstThread).map((_, thread) => Atomics.load(state, firstThread + thread));
  return Math.min(Atomics.load(state, next), endOf(state), ...open);
}

/** Whether every number below the end has been decided. */
export function isDecided(state: SearchState): boolean {
  return lowestUndecided(state) === endOf(state);
}
