import { expect, test } from "vitest";
import { readTrace } from "./sync-trace.ts";

const write = `71 pwrite64(21</d/service.db-wal>, "7\\177"..., 24, 0) = 24`;
const answer = `71 write(18<socket:[12]>, "HTTP/1.1 200 OK\\r\\n"..., 210) = 210`;

test("a sync that a call of another thread cut in two counts from its end", () => {
  const begin = "71 fdatasync(21</d/service.db-wal> <unfinished ...>";
  const between = `72 write(1<pipe:[9]>, "x", 1) = 1`;
  const end = "71 <... fdatasync resumed>)            = 0";
  const traced = (...lines: readonly string[]) => readTrace(lines.join("\n"));
  expect(traced(write, begin, between, end, answer)).toEqual([
    { head: "HTTP/1.1 200", logWrites: 1, unsynced: 0 },
  ]);
  expect(traced(write, begin, answer, end)).toMatchObject([{ unsynced: 1 }]);
  // Of another file.
  expect(traced(write, "71 fsync(20</d/service.db> <unfinished ...>", end, answer)).toMatchObject([
    { unsynced: 1 },
  ]);
});
