import type { LoadStep } from "./load-step.ts";
import type { Threshold } from "./figures/thresholds.ts";

/** A load scenario as data: its phases, the streams in each, and the thresholds. */
export interface LoadProfile {
  /** The value of `--profile`. */
  readonly name: string;
  /** The question that it answers, in one line. */
  readonly question: string;
  /** Run in sequence, after an unmeasured setup. */
  readonly phases: readonly Phase[];
  /** In addition to the invariants, which are checked on every profile. */
  readonly thresholds: readonly Threshold[];
}

export interface Phase {
  /** Unique in its profile. */
  readonly name: string;
  /** Warms up connections and JIT compilers. No threshold may refer to it, and it cannot invalidate a run. */
  readonly isWarmUp?: true;
  readonly seconds: number;
  /** Replaces `seconds` in a run with `--short`. */
  readonly shortSeconds?: number;
  /** Run concurrently. */
  readonly streams: readonly Stream[];
}

export type Stream = ClosedStream | OpenStream;

interface StreamBase {
  /** Unique in its phase; the step's name when left out. */
  readonly name?: string;
  readonly step: LoadStep;
}

/** Closed loop: each connection sends its next request when the previous response arrives. */
export interface ClosedStream extends StreamBase {
  readonly model: "closed";
  readonly connections: number;
}

/** Open loop: requests are sent at a constant rate, and latency is measured from their scheduled time. */
export interface OpenStream extends StreamBase {
  readonly model: "open";
  readonly rate: Rate;
  /** Opens a TCP connection for each request. */
  readonly newConnections?: true;
}

export type Rate =
  | { readonly perSecond: number }
  /** A multiple of the target's theoretical scrypt capacity: C / S evaluations per second. */
  | { readonly ofCapacity: number }
  /** A multiple of the response rate of a stream in an earlier phase. */
  | { readonly ofMeasured: number; readonly phase: string; readonly stream: string };

/** Unique in its phase. */
export function streamName(stream: Stream): string {
  return stream.name ?? stream.step.name;
}
