/** What a trace of system calls says about one response. */
export interface TracedResponse {
  /** The beginning of the response. */
  readonly head: string;
  /** Writes to the write-ahead log since the response before. */
  readonly logWrites: number;
  /** Those that no fsync followed before the response. */
  readonly unsynced: number;
}

/** Options of strace whose output `readTrace` reads. */
export const straceOptions = ["-f", "-y", "-s", "40", "-e", "trace=fsync,fdatasync,pwrite64,write,writev"];

/** @param trace - the output of strace */
export function readTrace(trace: string): readonly TracedResponse[] {
  const responses: TracedResponse[] = [];
  let logWrites = 0;
  let unsynced = 0;
  // Where a call of another thread comes between, a call is two lines: its beginning and, by the same thread, its end.
  const syncing = new Set<string>();
  for (const line of trace.split("\n")) {
    const [thread = ""] = line.split(" ", 1);
    if (/ pwrite64\(\d+<[^>]*-wal>/.test(line)) {
      logWrites += 1;
      unsynced += 1;
    } else if (/ (?:fsync|fdatasync)\(\d+<[^>]*-wal> <unfinished/.test(line)) {
      syncing.add(thread);
    } else if (
      / (?:fsync|fdatasync)\(\d+<[^>]*-wal>\)/.test(line) ||
      (/ <\.\.\. (?:fsync|fdatasync) resumed>/.test(line) && syncing.delete(thread))
    ) {
      unsynced = 0;
    } else {
      const head = / writev?\(\d+<(?:socket|TCP)[^>]*>, (?:\[\{iov_base=)?"(HTTP\/1\.1 \d+)/.exec(line)?.[1];
      if (head === undefined) continue;
      responses.push({ head, logWrites, unsynced });
      logWrites = 0;
    }
  }
  return responses;
}
