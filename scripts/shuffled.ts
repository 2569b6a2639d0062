/** The items in an order that the seed decides. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed;
  const next = (): number => {
    // A linear congruential generator: any order will do, as long as the seed repeats it.
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
