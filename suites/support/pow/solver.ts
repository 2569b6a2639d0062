import { availableParallelism } from "node:os";
import { InconclusiveError } from "../verdict.ts";
import type { Chunk, ChunkHit } from "./chunk-search.ts";
import { describeCriterion, type SearchCriterion } from "./criteria.ts";
import type { Recipe } from "./recipes.ts";
import { startSolverThread, type SolverThread } from "./solver-thread.ts";

export interface SearchRequest {
  jti: string;
  /** The hexadecimal text itself. */
  saltHexText: string;
  /** First nonce to try; 0 when absent. A bigint beyond 2^53. */
  from?: number | bigint;
  /** Text before and after the decimal number, for nonces that are none: `{ prefix: "-" }`. */
  around?: { prefix?: string; suffix?: string };
  accept: SearchCriterion;
  /** Of which digest the hit carries the hexadecimal text; `document` when absent. */
  recipe?: Recipe;
  /** Nonces, rounded up to whole chunks. Without it the search goes on until it is aborted. */
  limitTries?: number;
  signal?: AbortSignal;
}

export interface SearchHit extends ChunkHit {
  /** Nonces tried for this search, over all threads. */
  tries: number;
  /** From the call to the hit, waiting included. */
  durationMs: number;
}

export interface SolverStats {
  /** Nonces. */
  tries: number;
  /** scrypt evaluations. */
  digests: number;
  /** Summed over the threads. */
  busyMs: number;
  workers: number;
}

export interface Solver {
  /**
   * The first nonce, counting up, that satisfies the criterion: no smaller one from the start does.
   *
   * @throws {InconclusiveError} precondition-missing, when `limitTries` nonces have none
   * @throws {SolverError} when a thread crashed or the solver is closed
   * @throws the signal's reason, when it is aborted
   */
  search(request: SearchRequest): Promise<SearchHit>;
  stats(): SolverStats;
  /** Ends the threads and rejects what is under way. */
  close(): Promise<void>;
}

/** A defect on our side, not the target's. */
export class SolverError extends Error {
  override readonly name = "SolverError";
}

/** Nonces: about an eighth of a second, short enough for searches to share the threads fairly. */
const chunkSize = 4;

interface Search {
  request: SearchRequest;
  next: bigint;
  /** Chunks under way, by their first number. */
  underWay: Set<bigint>;
  best: { from: bigint; hit: ChunkHit } | null;
  tries: number;
  startedMs: number;
  resolve(hit: SearchHit): void;
  reject(reason: unknown): void;
}

/** @param workers - threads; by default one less than the processor has cores, and at least one */
export function createSolver({ workers = Math.max(1, availableParallelism() - 1) } = {}): Solver {
  const idle: SolverThread[] = [];
  const busy = new Set<SolverThread>();
  /** In turn: whoever was served goes to the end. */
  const searches = new Set<Search>();
  const totals = { tries: 0, digests: 0, busyMs: 0 };
  let closed = false;

  function dispatch(): void {
    while (!closed && busy.size < workers) {
      const search = nextInTurn(searches);
      if (search === undefined) return;
      void compute(search, idle.pop() ?? startSolverThread());
    }
  }

  async function compute(search: Search, thread: SolverThread): Promise<void> {
    const from = search.next;
    search.next += BigInt(chunkSize);
    search.underWay.add(from);
    busy.add(thread);
    try {
      const { hit, tries, digests, busyMs } = await thread.run(chunkOf(search.request, from));
      idle.push(thread);
      totals.tries += tries;
      totals.digests += digests;
      totals.busyMs += busyMs;
      search.tries += tries;
      if (hit !== null && (search.best === null || from < search.best.from)) search.best = { from, hit };
    } catch (cause) {
      // The thread is not put back: the next chunk starts another.
      search.reject(new SolverError("a thread of the proof-of-work solver crashed", { cause }));
      searches.delete(search);
    } finally {
      search.underWay.delete(from);
      busy.delete(thread);
    }
    if (searches.has(search) && settle(search)) searches.delete(search);
    dispatch();
  }

  return {
    async search(request) {
      if (closed) throw new SolverError("the proof-of-work solver is closed");
      request.signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<SearchHit>();
      const search: Search = {
        request,
        next: BigInt(request.from ?? 0),
        underWay: new Set(),
        best: null,
        tries: 0,
        startedMs: performance.now(),
        resolve,
        reject,
      };
      const abort = (): void => {
        searches.delete(search);
        reject(request.signal?.reason);
      };
      request.signal?.addEventListener("abort", abort, { once: true });
      searches.add(search);
      dispatch();
      return promise.finally(() => request.signal?.removeEventListener("abort", abort));
    },
    stats: () => ({ ...totals, workers }),
    async close() {
      closed = true;
      for (const search of searches) search.reject(new SolverError("the proof-of-work solver was closed"));
      searches.clear();
      await Promise.all([...idle, ...busy].map((thread) => thread.stop()));
    },
  };
}

/** The first search that has something to hand out, moved to the end of the queue. */
function nextInTurn(searches: Set<Search>): Search | undefined {
  const search = [...searches].find((candidate) => candidate.best === null && !isExhausted(candidate));
  if (search === undefined) return undefined;
  searches.delete(search);
  searches.add(search);
  return search;
}

function isExhausted({ request, next }: Search): boolean {
  const { from = 0, limitTries } = request;
  return limitTries !== undefined && next - BigInt(from) >= BigInt(limitTries);
}

/**
 * Answers a search that is decided: a hit counts once every chunk before it has come back without one.
 *
 * @returns whether it was
 */
function settle(search: Search): boolean {
  const { best, underWay, tries, startedMs } = search;
  if (best !== null) {
    if ([...underWay].some((from) => from < best.from)) return false;
    search.resolve({ ...best.hit, tries, durationMs: performance.now() - startedMs });
    return true;
  }
  if (!isExhausted(search) || underWay.size > 0) return false;
  const wanted = describeCriterion(search.request.accept);
  search.reject(
    new InconclusiveError("precondition-missing", `none of ${tries} nonces gives a digest with ${wanted}`),
  );
  return true;
}

function chunkOf(
  { jti, saltHexText, around = {}, accept, recipe = "document" }: SearchRequest,
  from: bigint,
): Chunk {
  const { prefix = "", suffix = "" } = around;
  return { jti, saltHexText, from, count: chunkSize, prefix, suffix, accept, recipe };
}
