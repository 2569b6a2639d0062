/** One of several load generators that share the load of a run. */
export interface Shard {
  /** Zero-based. */
  readonly index: number;
  readonly count: number;
}

export const oneShard: Shard = { index: 0, count: 1 };

/** How many of the connections this shard opens; the first shards take the remainder. */
export function shareOfConnections(connections: number, { index, count }: Shard): number {
  return Math.floor(connections / count) + (index < connections % count ? 1 : 0);
}
