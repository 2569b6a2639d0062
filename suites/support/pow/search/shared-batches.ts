import type { DigestEngine } from "../kernel/digest-engine.ts";
import type { ScryptInput } from "../scrypt-digest.ts";
import { hitOf, inputOf, nextDigest, type Candidate } from "./candidate.ts";
import type { NumberedHit, NumberedSearch } from "./process-messages.ts";
import {
  endOf,
  isExhausted,
  lowerEnd,
  nothing,
  setOpen,
  takeNumber,
  type SearchState,
} from "./search-state.ts";

/** A search as a thread is given it. */
export interface ThreadSearch extends NumberedSearch {
  state: SearchState;
}

/** What a batch brought for one search; the last one for a search, whose lanes were free for others, has no tries. */
export interface BatchReport {
  id: number;
  /** The lowest of the batch. */
  hit: NumberedHit | null;
  /** Nonces decided. */
  tries: number;
  /** scrypt evaluations that decided them: several a nonce when several recipes are compared. */
  digests: number;
  /** The search's share of the batch. */
  busyMs: number;
  /** Why the search cannot be computed. */
  error?: unknown;
}

interface Numbered extends Candidate {
  number: number;
}

interface OpenSearch {
  search: ThreadSearch;
  /** Taken and not decided. */
  open: Numbered[];
  error?: unknown;
}

interface Lane {
  owner: OpenSearch;
  input: ScryptInput;
  record(digest: Uint8Array): void;
}

/** All searches of one thread, which share its batches. */
export interface SharedBatches {
  add(search: ThreadSearch): void;
  isIdle(): boolean;
  /** One batch, on the calling thread: of each search in turn one nonce more, until all lanes are taken. */
  compute(): BatchReport[];
}

/** @param thread - its place among those that share the searches' states */
export function createSharedBatches(engine: DigestEngine, thread: number): SharedBatches {
  /** In turn: whoever is first gives the first nonce, and is last the next time. */
  let searches: OpenSearch[] = [];

  /** Lanes for the nonces that need a further digest, then for new ones. */
  function fillLanes(): Lane[] {
    const lanes: Lane[] = [];
    for (const owner of searches) {
      owner.open = owner.open.filter(({ number }) => number < endOf(owner.search.state));
      for (const candidate of owner.open) addLane(lanes, owner, candidate);
    }
    for (let willing = searches; willing.length > 0 && lanes.length < engine.lanes;) {
      willing = willing.filter((owner) => {
        const candidate = lanes.length < engine.lanes ? openNext(owner, thread) : null;
        return candidate !== null && addLane(lanes, owner, candidate);
      });
    }
    return lanes;
  }

  /** Lets go of the searches that are at their end, or cannot be computed. */
  function dropEnded(): BatchReport[] {
    const isEnded = ({ search, open, error }: OpenSearch): boolean =>
      error !== undefined || (open.length === 0 && isExhausted(search.state));
    const ended = searches.filter(isEnded);
    searches = searches.filter((owner) => !ended.includes(owner));
    return ended.map(({ search: { id, state }, error }) => {
      setOpen(state, thread, nothing);
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
      for (const owner of searches) showOpen(owner, thread);
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
  if (open.length === 0) setOpen(search.state, thread, 0);
  const number = takeNumber(search.state);
  if (number === null) return null;
  const nonce = `${search.prefix}${search.from + BigInt(number)}${search.suffix}`;
  const candidate = { number, nonce, known: new Map() };
  open.push(candidate);
  return candidate;
}

/** @returns whether its input could be made: a mistaken recipe cannot be made of every nonce */
function addLane(lanes: Lane[], owner: OpenSearch, candidate: Numbered): boolean {
  const recipe = nextDigest(owner.search, candidate);
  if (recipe === null) throw new RangeError(`the nonce ${candidate.nonce} is decided, and was tried again`);
  try {
    const input = inputOf(owner.search, candidate, recipe);
    lanes.push({ owner, input, record: (digest) => candidate.known.set(recipe, digest) });
    return true;
  } catch (error) {
    owner.error = error;
    return false;
  }
}

/** Takes the nonces out that are decided by now. */
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
  // Before the lowest open number rises: nobody must find everything below a later hit decided.
  if (hit !== null) lowerEnd(search.state, hit.number);
  showOpen(owner, thread);
  return {
    hit,
    tries: decided.length,
    digests: decided.reduce((sum, { known }) => sum + known.size, 0),
  };
}

function showOpen({ search, open }: OpenSearch, thread: number): void {
  setOpen(search.state, thread, Math.min(nothing, ...open.map(({ number }) => number)));
}
