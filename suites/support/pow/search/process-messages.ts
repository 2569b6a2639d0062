import type { Hit, Wanted } from "./candidate.ts";

/** A search whose nonces are numbered from 0. */
export interface NumberedSearch extends Wanted {
  id: number;
  /** The nonce of number 0, and text around the decimal number: the nonce is all three. */
  from: bigint;
  prefix: string;
  suffix: string;
}

export interface NumberedHit extends Hit {
  number: number;
}

/** A search as the solver process is given it. */
export interface LimitedSearch extends NumberedSearch {
  /** Nonces; Infinity when it has no limit. */
  limitTries: number;
}

/** To the solver process. */
export type SolverRequest = { kind: "begin"; search: LimitedSearch } | { kind: "abandon"; id: number };

/** From the solver process, after each batch of one of its threads. */
export interface SolverReport {
  /** Processor time of the whole process since its report before. */
  cpuMs: number;
  /** Of the searches in the batch, abandoned ones included. */
  searches: SearchReport[];
}

export interface SearchReport {
  id: number;
  /** Nonces decided in this batch. */
  tries: number;
  /** scrypt evaluations that decided them: several a nonce when several recipes are compared. */
  digests: number;
  /** The search's share of the batch. */
  busyMs: number;
  /** Numbers below this one are all decided, by any thread, and none is a hit. */
  decidedBelow: number;
  /** Absent while the search goes on. */
  outcome?: SearchOutcome;
}

export type SearchOutcome =
  { kind: "hit"; hit: NumberedHit } | { kind: "exhausted" } | { kind: "failed"; error: unknown };
