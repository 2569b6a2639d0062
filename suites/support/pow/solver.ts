import { availableParallelism } from "node:os";
import { InconclusiveError } from "../verdict.ts";
import type { Chunk, ChunkHit, ChunkResult } from "./chunk-search.ts";
import { describeCriterion, type SearchCriterion } from "./criteria.ts";
import type { Recipe } from "./recipes.ts";
import { expectedTries, type SearchProgress } from "./search-progress.ts";
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
  /** Nonces, rounded up to a multiple of 4. Without it the search goes on until it is aborted. */
  limitTries?: number;
  signal?: AbortSignal;
  /** Told after each chunk without a hit: several times a second. */
  onProgress?: (progress: SearchProgress) => void;
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
  /** scrypt evaluations that decided them. */
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
   * @throws {SolverError} when a thread crashed twice on the same nonces, or the solver is closed
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

/**
 * Nonces: a fraction of a second, short enough for searches to share the threads fairly. A multiple of 1, 2, 3 and 4, so that a
 * kernel of that many lanes computes in full batches.
 */
const chunkSize = 12;
/** A limit is rounded up to a multiple of this. */
const limitStep = 4;

interface Search {
  request: SearchRequest;
  next: bigint;
  /** Chunks under way, by their first number, with what ends them early. */
  underWay: Map<bigint, AbortController>;
  best: { from: bigint; hit: ChunkHit } | null;
  tries: number;
  startedMs: number;
  resolve(hit: SearchHit): void;
  reject(reason: unknown): void;
}

export interface SolverOptions {
  /** Threads; by default one for each core. Each takes up to 64 MiB. */
  workers?: number;
  startThread?: () => SolverThread;
}

export function createSolver({
  workers = availableParallelism(),
  startThread = startSolverThread,
}: SolverOptions = {}): Solver {
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
      void compute(search, idle.pop() ?? startThread());
    }
  }

  /** @throws whatever ended the thread */
  async function runOn(thread: SolverThread, search: Search, chunk: Chunk): Promise<ChunkResult> {
    busy.add(thread);
    const cancel = new AbortController();
    search.underWay.set(chunk.from, cancel);
    try {
      const result = await thread.run(chunk, cancel.signal);
      // Only now: a thread that ended is not put back, and the next chunk starts another.
      idle.push(thread);
      return result;
    } finally {
      busy.delete(thread);
    }
  }

  /** A thread that was lost says nothing of its chunk; a second one does. */
  async function runTwice(thread: SolverThread, search: Search, chunk: Chunk): Promise<ChunkResult> {
    try {
      return await runOn(thread, search, chunk).catch((cause: unknown) => {
        if (closed || !searches.has(search)) throw cause;
        return runOn(startThread(), search, chunk);
      });
    } catch (cause) {
      throw new SolverError("a thread of the proof-of-work solver crashed", { cause });
    }
  }

  async function compute(search: Search, thread: SolverThread): Promise<void> {
    const chunk = nextChunk(search);
    try {
      const result = await runTwice(thread, search, chunk);
      totals.tries += result.tries;
      totals.digests += result.digests;
      totals.busyMs += result.busyMs;
      if (searches.has(search)) record(search, chunk.from, result);
    } catch (error) {
      search.reject(error);
      drop(search);
    } finally {
      search.underWay.delete(chunk.from);
    }
    if (searches.has(search) && settle(search)) drop(search);
    dispatch();
  }

  /** Frees the threads that are at it. */
  function drop(search: Search): void {
    searches.delete(search);
    for (const chunk of search.underWay.values()) chunk.abort();
  }

  return {
    async search(request) {
      if (closed) throw new SolverError("the proof-of-work solver is closed");
      request.signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<SearchHit>();
      const search: Search = {
        request,
        next: BigInt(request.from ?? 0),
        underWay: new Map(),
        best: null,
        tries: 0,
        startedMs: performance.now(),
        resolve,
        reject,
      };
      const abort = (): void => {
        drop(search);
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

function isExhausted(search: Search): boolean {
  return triesLeft(search) <= 0;
}

function triesLeft({ request, next }: Search): number {
  const { from = 0, limitTries = Infinity } = request;
  return limitTries - Number(next - BigInt(from));
}

/**
 * Answers a search that is decided: a hit counts once every chunk before it has come back without one.
 *
 * @returns whether it was
 */
function settle(search: Search): boolean {
  const { best, underWay, tries, startedMs } = search;
  if (best !== null) {
    if ([...underWay.keys()].some((from) => from < best.from)) return false;
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

/** Hands out the next nonces. */
function nextChunk(search: Search): Chunk {
  const { jti, saltHexText, around = {}, accept, recipe = "document" } = search.request;
  const { prefix = "", suffix = "" } = around;
  const from = search.next;
  const count = Math.min(chunkSize, Math.ceil(triesLeft(search) / limitStep) * limitStep);
  search.next += BigInt(count);
  return { jti, saltHexText, from, count, prefix, suffix, accept, recipe };
}

/** Takes in what a chunk brought, and spares the threads what cannot be the answer any more. */
function record(search: Search, from: bigint, { hit, tries }: ChunkResult): void {
  search.tries += tries;
  const { request, best, startedMs } = search;
  if (hit === null) {
    const elapsedMs = performance.now() - startedMs;
    const triesPerSecond = (1000 * search.tries) / elapsedMs;
    request.onProgress?.({
      tries: search.tries,
      elapsedMs,
      triesPerSecond,
      expectedTries: expectedTries(request.accept),
    });
    return;
  }
  if (best !== null && best.from < from) return;
  search.best = { from, hit };
  for (const [start, chunk] of search.underWay) if (start > from) chunk.abort();
}
