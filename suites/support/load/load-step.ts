import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Target } from "../target/target.ts";
import type { Answer } from "./engines/answer.ts";

/** One kind of request, and what its answers must be under any load. */
export interface LoadStep {
  readonly name: string;
  /** scrypt evaluations that one request costs a target which does what the document says. */
  readonly scryptsPerRequest: number;
  /** What the solver works for one request, in proofs of work. */
  readonly proofsPerRequest: number;
  /** The base address that its requests go to. */
  readonly at: "auth" | "api";
  /** Makes what the requests need, before anything is measured. */
  supply(target: Target, demand: Demand): Promise<Supply>;
}

/** How much will be asked for. */
export interface Demand {
  /** Requests of the whole phase: exact in an open stream, a generous estimate in a closed one. */
  readonly requests: number;
  /** Requests that may be under way at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** Where a stream takes its requests from. */
export interface Supply {
  /** Undefined when there is nothing to send now. Must not wait: it is called when the request is due. */
  next(): Volley | undefined;
  close?(): void;
}

/** Requests that are sent at the same moment, each over a connection of its own; usually one. */
export interface Volley {
  readonly requests: readonly Outgoing[];
  /**
   * Whether the status is one that the document wants for this request. Any other, shedding apart, is judged and becomes a
   * violation; of those that are, `judge` sees every one when `judgesAll`, and a sample otherwise.
   */
  isPlanned(status: number): boolean;
  readonly judgesAll?: true;
  /**
   * Pure, over the answers that were not shed, in the order of the requests.
   *
   * @throws {Violation}
   */
  judge(exchanges: readonly Exchange[]): void;
  /** Called once, with undefined for a request that failed: for a supply that goes on with what came back. */
  settled?(answers: readonly (Answer | undefined)[]): void;
}
