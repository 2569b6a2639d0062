import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Target } from "../target/target.ts";
import type { LoadResponse } from "./engines/response.ts";

/** One kind of request, and what its responses must satisfy under any load. */
export interface LoadStep {
  readonly name: string;
  /** scrypt evaluations that one request costs a conforming target. */
  readonly scryptsPerRequest: number;
  /** Proofs of work to solve for one request. */
  readonly proofsPerRequest: number;
  /** Which base URL its requests go to. */
  readonly at: "auth" | "api";
  /** Sets up what the requests need, before anything is measured. */
  supply(target: Target, demand: Demand): Promise<Supply>;
}

/** How many requests a phase needs. */
export interface Demand {
  /** In the whole phase: exact for an open-loop stream, an upper estimate for a closed-loop one. */
  readonly requests: number;
  /** Requests that may be in flight at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** The source of a stream's requests. */
export interface Supply {
  /** Undefined when there is nothing to send now. Synchronous, because it is called when the request is due. */
  next(): Batch | undefined;
  close?(): void;
}

/** Requests that are sent concurrently, each on its own connection; usually one. */
export interface Batch {
  readonly requests: readonly Outgoing[];
  /**
   * Whether the document allows the status for this request. Any other status, except of shed responses, is a violation.
   * `judge` sees every batch with `judgesAll`, and otherwise those with an unexpected status and a sample of the rest.
   */
  isExpectedStatus(status: number): boolean;
  readonly judgesAll?: true;
  /**
   * Pure, over the exchanges that were not shed, in the order of the requests.
   *
   * @throws {Violation}
   */
  judge(exchanges: readonly Exchange[]): void;
  /** Called once; undefined for a request that failed. For a supply whose next request depends on the responses. */
  onSettled?(responses: readonly (LoadResponse | undefined)[]): void;
}
