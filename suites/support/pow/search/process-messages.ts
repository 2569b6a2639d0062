import type { Hit, SearchGoal } from "./candidate.ts";

/** A search whose nonces are numbered from 0. */
export interface NumberedSearch extends SearchGoal {
  id: number;
  /** Number 0 is the nonce `prefix + from + suffix`, number 1 the one with `from + 1`. */
  from: bigint;
  prefix: string;
  suffix: string;
}

export interface NumberedHit extends Hit {
  number: number;
}

/** A search, as the solver process receives it. */
export interface LimitedSearch extends NumberedSearch {
  /** Number of nonces to try; Infinity for no limit. */
  limitTries: number;
}

/** To the solver process. */
export type SolverRequest = { kind: "begin"; search: LimitedSearch } | { kind: "abandon"; id: number };

/** From the solver process, after each batch of one of its threads. */
export interface SolverReport {
  /** Processor time of the whole process since its last report. */
  cpuMs: number;
  /** One for each search in the batch, including abandoned ones. */
  searches: SearchReport[];
}

export interface SearchReport {
  id: number;
  /** Nonces decided in this batch. */
  tries: number;
  /** scrypt evaluations for them: more than one for a nonce when recipes are compared. */
  digests: number;
  /** The search's share of the time. */
  busyMs: number;
  /** Every lower number has been decided, by whichever thread, and none is a hit. */
  decidedBelow: number;
  /** Absent while the search continues. */
  outcome?: SearchOutcome;
}

export type SearchOutcome =
  { kind: "hit"; hit: NumberedHit } | { kind: "exhausted" } | { kind: "failed"; error: unknown };
