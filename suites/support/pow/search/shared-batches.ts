import { hitOf, inputOf, nextDigest, type Candidate, type Hit, type Wanted } from "./candidate.ts";
import type { DigestEngine } from "../kernel/digest-engine.ts";
import type { ScryptInput } from "../scrypt-digest.ts";
import { endOf, lowerEnd, nothing, setOpen, takeNumber, type SearchState } from "./search-state.ts";

/** What a thread is given of a search. Crosses threads. */
export interface ThreadSearch extends Wanted {
  id: number;
  /** The nonce of number 0, and text around the decimal number: the nonce is all three. */
  from: bigint;
  prefix: string;
  suffix: string;
  state: SearchState;
  /** Numbers that a lost thread had taken, to be tried first. */
  again: { from: number; to: number };
}

/** What a batch brought for one search. */
export interface Report {
  id: number;
  /** The lowest of the batch, with its number. */
  hit: (Hit & { number: number }) | null;
  /** Nonces decided. */
  tries: number;
  /** scrypt evaluations that decided them: several a nonce when several recipes are compared. */
  digests: number;
  /** The search's share of the batch. */
  busyMs: number;
  /** The thread has no more to do for it. */
  isLast: boolean;
  /** Why it cannot be searched for. */
  error?: unknown;
}

interface Numbered extends Candidate {
  number: number;
}

interface OpenSearch {
  search: ThreadSearch;
  open: Numbered[];
  again: { next: number; to: number };
}

interface Lane {
  owner: OpenSearch;
  candidate: Numbered;
  input: ScryptInput;
  record(digest: Uint8Array): void;
}

/** All searches of one thread, which share its batches. */
export interface SharedBatches {
  add(search: ThreadSearch): void;
  isIdle(): boolean;
  /** One batch, on the calling thread: of each search in turn one nonce more, until all lanes are taken. */
  compute(): Report[];
}

/** @param thread - its place among those that share the searches' states */
export function createSharedBatches(engine: DigestEngine, thread: number): SharedBatches {
  /** In turn: whoever is first gives the first nonce, and is last the next time. */
  let searches: OpenSearch[] = [];

  function compute(): Report[] {
    const startedMs = performance.now();
    const reports: Report[] = [];
    const drop = (dropped: OpenSearch, error?: unknown): void => {
      searches = searches.filter((search) => search !== dropped);
      setOpen(dropped.search.state, thread, nothing);
      const idle = { id: dropped.search.id, hit: null, tries: 0, digests: 0, busyMs: 0, isLast: true };
      reports.push(error === undefined ? idle : { ...idle, error });
    };
    const lanes = fillLanes(drop);
    const digests = engine.digests(lanes.map(({ input }) => input));
    for (const [at, lane] of lanes.entries()) {
      const digest = digests[at];
      if (digest !== undefined) lane.record(digest);
    }
    const laneMs = (performance.now() - startedMs) / lanes.length;
    for (const [owner, own] of Map.groupBy(lanes, (lane) => lane.owner)) {
      reports.push({
        id: owner.search.id,
        ...decide(owner, thread),
        busyMs: own.length * laneMs,
        isLast: false,
      });
    }
    return reports;
  }

  function fillLanes(drop: (search: OpenSearch, error?: unknown) => void): Lane[] {
    const lanes: Lane[] = [];
    /** @returns whether it could */
    const take = (owner: OpenSearch, candidate: Numbered | null): boolean => {
      try {
        if (candidate === null) drop(owner);
        else lanes.push(laneOf(owner, candidate));
        return candidate !== null;
      } catch (error) {
        drop(owner, error);
        return false;
      }
    };
    for (const owner of searches) {
      owner.open = owner.open.filter(({ number }) => number < endOf(owner.search.state));
      owner.open.every((candidate) => take(owner, candidate));
    }
    for (let willing = searches; willing.length > 0 && lanes.length < engine.lanes;) {
      willing = willing.filter((owner) => {
        if (lanes.length >= engine.lanes) return false;
        const candidate = openNext(owner, thread);
        // Nothing more to take, and what is open has its lane.
        return candidate === null && owner.open.length > 0 ? false : take(owner, candidate);
      });
    }
    for (const owner of searches) showOpen(owner, thread);
    const [first, ...others] = searches;
    if (first !== undefined) searches = [...others, first];
    return lanes.filter(({ owner }) => searches.includes(owner));
  }

  return {
    add(search) {
      searches.push({ search, open: [], again: { next: search.again.from, to: search.again.to } });
    },
    isIdle: () => searches.length === 0,
    compute,
  };
}

/** Takes the search's next number: first those that were lost with another thread. */
function openNext({ search, open, again }: OpenSearch, thread: number): Numbered | null {
  if (open.length === 0) setOpen(search.state, thread, 0);
  const number =
    again.next < Math.min(again.to, endOf(search.state)) ? again.next++ : takeNumber(search.state);
  if (number === null) return null;
  const nonce = `${search.prefix}${search.from + BigInt(number)}${search.suffix}`;
  const candidate = { number, nonce, known: new Map() };
  open.push(candidate);
  return candidate;
}

function laneOf(owner: OpenSearch, candidate: Numbered): Lane {
  const recipe = nextDigest(owner.search, candidate);
  if (recipe === null) throw new RangeError(`the nonce ${candidate.nonce} is decided, and was tried again`);
  return {
    owner,
    candidate,
    input: inputOf(owner.search, candidate, recipe),
    record: (digest) => candidate.known.set(recipe, digest),
  };
}

/** Takes the nonces out that are decided by now. */
function decide(owner: OpenSearch, thread: number): Pick<Report, "hit" | "tries" | "digests"> {
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

function showOpen({ search, open, again }: OpenSearch, thread: number): void {
  const lost = again.next < again.to ? again.next : nothing;
  setOpen(search.state, thread, Math.min(lost, ...open.map(({ number }) => number)));
}
