/** One operation of a history. Times are of one clock, and span at least from the first byte sent to the last one read. */
export interface Operation<Call> {
  readonly call: Call;
  readonly calledAt: number;
  /** Infinity without an answer: it may have taken effect at any time since, or never. */
  readonly returnedAt: number;
}

/** What is promised of operations that come one after the other. */
export interface Specification<State, Call> {
  /** The states that may follow; none where the call cannot have been answered so. */
  next(state: State, call: Call): readonly State[];
  /** The same text for equal states. */
  keyOf(state: State): string;
  /** The same text for calls that can take each other's place, so that one of their orders stands for all. */
  alike(call: Call): string;
}

export type Linearization<State, Call> =
  | { readonly kind: "explained"; readonly order: readonly Operation<Call>[] }
  | {
      readonly kind: "unexplained";
      /** The longest order of some of the operations that the specification allows, and the state after it. */
      readonly longest: readonly Operation<Call>[];
      readonly state: State;
    };

/** Sets of operations are bits of a number. */
export const mostOperations = 30;

/**
 * Looks for an order of the operations that explains all answers: one in which no operation comes before another that had
 * returned when it was called. Wing and Gong's search with Lowe's memory of what was tried. Exact, and exponential in the
 * number of operations that overlap and differ.
 *
 * @throws {RangeError} for more than {@link mostOperations}
 */
export function linearize<State, Call>(
  operations: readonly Operation<Call>[],
  initial: State,
  specification: Specification<State, Call>,
): Linearization<State, Call> {
  if (operations.length > mostOperations)
    throw new RangeError(`at most ${mostOperations} operations, got ${operations.length}`);
  const entries = operations
    .toSorted((a, b) => a.returnedAt - b.returnedAt)
    .map((operation, at) => ({ operation, bit: 1 << at, kind: specification.alike(operation.call) }));
  const answered = entries
    .filter(({ operation }) => operation.returnedAt !== Infinity)
    .reduce((bits, { bit }) => bits | bit, 0);
  const tried = new Set<string>();
  const order: Operation<Call>[] = [];
  let longest: { order: readonly Operation<Call>[]; state: State } = { order: [], state: initial };

  function search(done: number, state: State): boolean {
    if ((done & answered) === answered) return true;
    const key = `${done} ${specification.keyOf(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const open = entries.filter(({ bit }) => (done & bit) === 0);
    // They are sorted: nothing that was called after the first return can come before it.
    const firstReturn = open[0]?.operation.returnedAt ?? Infinity;
    const kinds = new Set<string>();
    for (const { operation, bit, kind } of open) {
      if (operation.calledAt > firstReturn || kinds.has(kind)) continue;
      kinds.add(kind);
      for (const next of specification.next(state, operation.call)) {
        order.push(operation);
        if (order.length > longest.order.length) longest = { order: [...order], state: next };
        if (search(done | bit, next)) return true;
        order.pop();
      }
    }
    return false;
  }

  return search(0, initial)
    ? { kind: "explained", order }
    : { kind: "unexplained", longest: longest.order, state: longest.state };
}

/**
 * Takes out of an unexplained history what its contradiction does not need.
 *
 * @param isNeeded - whether one of the others cannot do without it
 */
export function withoutBystanders<State, Call>(
  operations: readonly Operation<Call>[],
  initial: State,
  specification: Specification<State, Call>,
  isNeeded: (operation: Operation<Call>, others: readonly Operation<Call>[]) => boolean,
): readonly Operation<Call>[] {
  let kept = operations;
  for (const operation of operations.toReversed()) {
    const others = kept.filter((other) => other !== operation);
    if (isNeeded(operation, others)) continue;
    if (linearize(others, initial, specification).kind === "unexplained") kept = others;
  }
  return kept;
}
