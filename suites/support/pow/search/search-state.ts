/**
 * What all threads that work on one search share, changed atomically. Tries are counted from 0: number `n` is the nonce `n` after
 * the search's first. The threads take numbers one by one, in order, as many as they have lanes free; a hit ends the taking
 * at its number, so that none below it is left out and none above it is begun.
 */
export type SearchState = Int32Array<SharedArrayBuffer>;

const next = 0;
const end = 1;
const firstThread = 2;

/** Above every number. */
export const nothing = 2 ** 31 - 1;

/** What a search that is not limited ends at, after some months. Room for every thread to count beyond it. */
const mostTries = nothing - 2 ** 16;

export function createSearchState(threads: number, limitTries = Infinity): SearchState {
  const state = new Int32Array(new SharedArrayBuffer(4 * (firstThread + threads)));
  state[end] = Math.min(limitTries, mostTries);
  state.fill(nothing, firstThread);
  return state;
}

/** Whether every number below the end was taken: then it stays so. */
export function isExhausted(state: SearchState): boolean {
  return Atomics.load(state, next) >= endOf(state);
}

/** The next number to try, or null when there is none below the end. */
export function takeNumber(state: SearchState): number | null {
  const taken = Atomics.add(state, next, 1);
  return taken < endOf(state) ? taken : null;
}

/** Nothing from here on matters: the limit, or the lowest hit so far. */
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
 * @param lowest - the lowest number that the thread has taken and not decided, or {@link nothing}. A thread says 0 before it
 * takes its first number, so that no moment shows it idle with a number in hand.
 */
export function setOpen(state: SearchState, thread: number, lowest: number): void {
  Atomics.store(state, firstThread + thread, lowest);
}

/** Below it every number was taken and decided, and none is a hit; at the end when all are. */
export function lowestUndecided(state: SearchState): number {
  const open = state.subarray(firstThread).map((_, thread) => Atomics.load(state, firstThread + thread));
  return Math.min(Atomics.load(state, next), endOf(state), ...open);
}

/** Whether every number below the end was taken and decided. */
export function isDecided(state: SearchState): boolean {
  return lowestUndecided(state) === endOf(state);
}
