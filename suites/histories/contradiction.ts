import { isRefusal } from "../support/judging/expect.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Place } from "./grants.ts";

/** An answer that the document does not allow after what came before. */
export interface Contradiction {
  /** The step that it followed. */
  readonly step: number;
  /** The step whose access token was used; absent when the answer is that of the step itself. */
  readonly accessToken?: number;
  /** Where it was used. */
  readonly place?: Place;
  readonly requirement: string;
  /** Reads after "to be". */
  readonly expected: string;
  readonly observed: string;
  readonly exchange: Exchange;
}

/** A 404, 405, 429 or 5xx says neither yes nor no. @throws {InconclusiveError} */
export function requireAnswer(exchange: Exchange, what: string): void {
  if (isSuccess(exchange) || isRefusal(exchange)) return;
  throw new InconclusiveError(
    "precondition-missing",
    `${what} was neither accepted nor refused: ${summary(exchange)}`,
    { exchange },
  );
}
