import type { LoadStep } from "./load-step.ts";
import type { Threshold } from "./figures/thresholds.ts";

/** One question about a target under load, as data: what is offered, in which order, and what must hold. */
export interface LoadProfile {
  /** As `--profile` names it. */
  readonly name: string;
  /** What a run of it answers, in one line. */
  readonly question: string;
  /** One after the other. What is before them is set-up: nothing of it is measured. */
  readonly phases: readonly Phase[];
  /** On top of the invariants, which every answer of every profile is held to. */
  readonly thresholds: readonly Threshold[];
}

export interface Phase {
  /** Unique in its profile. */
  readonly name: string;
  /** Brings connections and compilers up to speed; no threshold may refer to it, and nothing in it makes a run invalid. */
  readonly isWarmUp?: true;
  readonly seconds: number;
  /** In a run with `--short`; as long as ever when left out. */
  readonly shortSeconds?: number;
  /** Side by side. */
  readonly streams: readonly Stream[];
}

/** Requests of one kind, offered in one way. */
export type Stream = ClosedStream | OpenStream;

interface StreamBase {
  /** Unique in its phase; the step's name when left out. */
  readonly name?: string;
  readonly step: LoadStep;
}

/** Each connection sends its next request when the last was answered: as much as the target takes. */
export interface ClosedStream extends StreamBase {
  readonly model: "closed";
  readonly connections: number;
}

/** Requests are due at fixed times whatever the target does, and latency counts from when they were due. */
export interface OpenStream extends StreamBase {
  readonly model: "open";
  readonly rate: Rate;
  /** A TCP connection for each request. */
  readonly newConnections?: true;
}

export type Rate =
  | { readonly perSecond: number }
  /** Times the scrypt evaluations a second that the target's cores can do at most: cores / S. */
  | { readonly ofCapacity: number }
  /** Times the rate at which a stream of an earlier phase was answered. */
  | { readonly ofMeasured: number; readonly phase: string; readonly stream: string };

export function streamName(stream: Stream): string {
  return stream.name ?? stream.step.name;
}
