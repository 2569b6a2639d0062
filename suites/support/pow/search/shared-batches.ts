import type { DigestEngine } from "../kernel/digest-engine.ts";
import type { ScryptInput } from "../scrypt-digest.ts";
import { hitOf, inputOf, nextDigest, type Candidate } from "./candidate.ts";
import type { NumberedHit, NumberedSearch } from "./process-messages.ts";
import {
  endOf,
  isExhausted,
  lowerEnd,
  noNumber,
  setLowestOpen,
  takeNumber,
  type SearchState,
} from "./search-state.ts";

/** A search as a thread is given it. */
export interface ThreadSearch extends NumberedSearch {
  state: SearchState;
}

/** The result of a batch for one search. The last report on a search has no tries: the thread has dropped it. */
export interface BatchReport {
  id: number;
  /** The lowest one in the batch. */
  hit: NumberedHit | null;
  /** Nonces decided. */
  tries: number;
  /** scrypt evaluations for them: more than one for a nonce when recipes are compared. */
  digests: number;
  /** The search's share of the time. */
  busyMs: number;
  /** Why the search cannot be computed. */
  error?: unknown;
}

interface Numbered extends Candidate {
  number: number;
}

interface OpenSearch {
  search: ThreadSearch;
  /** Taken, not decided. */
  open: Numbered[];
  error?: unknown;
}

interface Lane {
  owner: OpenSearch;
  input: ScryptInput;
  record(digest: Uint8Array): void;
}

/** The searches of one thread, which share its batches. */
export interface SharedBatches {
  add(search: ThreadSearch): void;
  isIdle(): boolean;
  /** Computes one batch on the calling thread, with nonces from each search in turn. */
  compute(): BatchReport[];
}

/** @param thread - its index in the search states */
export function createSharedBatches(engine: DigestEngine, thread: number): SharedBatches {
  /** Rotates after each batch: the first search gets the first lane. */
  let searches: OpenSearch[] = [];

  /** First the nonces that need a further digest, then new ones. */
  function fillLanes(): Lane[] {
    const lanes: Lane[] = [];
    for (const owner of searches) {
      owner.open = owner.open.filter(({ number }) => number < endOf(owner.search.state));
      for (const candidate of owner.open) addLane(lanes, owner, candidate);
    }
    for (let suppliers = searches; suppliers.length > 0 && lanes.length < engine.lanes;) {
      suppliers = suppliers.filter((owner) => {
        const candidate = lanes.length < engine.lanes ? openNext(owner, thread) : null;
        return candidate !== null && addLane(lanes, owner, candidate);
      });
    }
    return lanes;
  }

  /** Drops the searches that have ended or cannot be computed. */
  function dropEnded(): BatchReport[] {
    const isEnded = ({ search, open, error }: OpenSearch): boolean =>
      error !== undefined || (open.length === 0 && isExhausted(search.state));
    const ended = searches.filter(isEnded);
    searches = searches.filter((owner) => !ended.includes(owner));
    return ended.map(({ search: { id, state }, error }) => {
      setLowestOpen(state, thread, noNumber);
      const last = { id, hit: null, tries: 0, digests: 0, busyMs: 0 };
      return error === undefined ? last : { ...last, error };
    });
  }

  return {
    add(search) {
      searches.push({ search, open: [] });
    },
    isIdle: () => searches.length === 0,
    compute() {
      const startedMs = performance.now();
      const filled = fillLanes();
      const lastReports = dropEnded();
      const lanes = filled.filter(({ owner }) => searches.includes(owner));
      for (const owner of searches) publishLowestOpen(owner, thread);
      const digests = engine.digests(lanes.map(({ input }) => input));
      for (const [at, digest] of digests.entries()) lanes[at]?.record(digest);
      const laneMs = (performance.now() - startedMs) / lanes.length;
      const reports = [...Map.groupBy(lanes, ({ owner }) => owner)].map(([owner, own]) => ({
        id: owner.search.id,
        ...decide(owner, thread),
        busyMs: own.length * laneMs,
      }));
      searches = [...searches.slice(1), ...searches.slice(0, 1)];
      return [...lastReports, ...reports];
    },
  };
}

/** Takes the search's next number. */
function openNext({ search, open }: OpenSearch, thread: number): Numbered | null {
  if (isExhausted(search.state)) return null;
  if (open.length === 0) setLowestOpen(search.state, thread, 0);
  const number = takeNumber(search.state);
  if (number === null) return null;
  const nonce = `${search.prefix}${search.from + BigInt(number)}${search.suffix}`;
  const candidate = { number, nonce, known: new Map() };
  open.push(candidate);
  return candidate;
}

/** @returns false when the recipe cannot be applied to the nonce */
function addLane(lanes: Lane[], owner: OpenSearch, candidate: Numbered): boolean {
  const recipe = nextDigest(owner.search, candidate);
  if (recipe === null) throw new RangeError(`nonce ${candidate.nonce} was tried again after it was decided`);
  try {
    const input = inputOf(owner.search, candidate, recipe);
    lanes.push({ owner, input, record: (digest) => candidate.known.set(recipe, digest) });
    return true;
  } catch (error) {
    owner.error = error;
    return false;
  }
}

/** Removes the nonces that are decided. */
function decide(owner: OpenSearch, thread: number): Pick<BatchReport, "hit" | "tries" | "digests"> {
  const { search, open } = owner;
  const decided = open.filter((candidate) => nextDigest(search, candidate) === null);
  owner.open = open.filter((candidate) => !decided.includes(candidate));
  const [hit = null] = decided
    .flatMap((candidate) => {
      const found = hitOf(search, candidate);
      return found === null ? [] : [{ ...found, number: candidate.number }];
    })
    .toSorted((a, b) => a.number - b.number);
  // Before the lowest open number rises: otherwise a higher hit could look like the first one.
  if (hit !== null) lowerEnd(search.state, hit.number);
  publishLowestOpen(owner, thread);
  return {
    hit,
    tries: decided.length,
    digests: decided.reduce((sum, { known }) => sum + known.size, 0),
  };
}

function publishLowestOpen({ search, open }: OpenSearch, thread: number): void {
  setLowestOpen(search.state, thread, Math.min(noNumber, ...open.map(({ number }) => number)));
}
