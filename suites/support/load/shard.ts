/** One of several generators that offer one load together. */
export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

export const oneShard: Shard = { index: 0, count: 1 };

/** How many of the connections a shard opens; the first ones take what does not divide. */
export function shareOfConnections(connections: number, { index, count }: Shard): number {
  return Math.floor(connections / count) + (index < connections % count ? 1 : 0);
}
