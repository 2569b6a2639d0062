import type { Shard } from "../../suites/support/load/shard.ts";
import { UsageError } from "../usage-error.ts";

export interface ShardOption extends Shard {
  /** When all shards start. */
  readonly startAt: Date;
}

/**
 * `--shard 2/4 --start-at 2026-01-31T12:00:00Z`: this is the second of four generators.
 *
 * @throws {UsageError}
 */
export function parseShard(shard: string | undefined, startAt: string | undefined): ShardOption | undefined {
  if (shard === undefined && startAt === undefined) return undefined;
  if (shard === undefined || startAt === undefined)
    throw new UsageError(
      "--shard and --start-at must be used together, such as --shard 2/4 --start-at 2026-01-31T12:00:00Z",
    );
  const [, number, count] = /^(\d{1,4})\/(\d{1,4})$/u.exec(shard) ?? [];
  if (number === undefined || Number(number) < 1 || Number(number) > Number(count))
    throw new UsageError(`--shard ${shard}: expected k/n with 1 ≤ k ≤ n, such as 2/4`);
  const at = new Date(startAt);
  if (Number.isNaN(at.getTime()) || !/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/u.test(startAt))
    throw new UsageError(
      `--start-at ${startAt}: expected an ISO 8601 time with a time zone, such as 2026-01-31T12:00:00Z`,
    );
  if (at.getTime() <= Date.now())
    throw new UsageError(`--start-at ${startAt} is in the past; give every shard the same future time`);
  return { index: Number(number) - 1, count: Number(count), startAt: at };
}
