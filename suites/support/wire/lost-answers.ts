import { InconclusiveError } from "../verdict.ts";
import type { OutageGuard } from "./outage-guard.ts";
import type { Outgoing } from "./outgoing.ts";
import { isPermanent, requestLineOf, wasClosed } from "./round-trip.ts";

/** What becomes of requests whose answers the network or a gateway kept away. */
export interface LostAnswers {
  /** How many tries of a run were lost, without those of requests that would be lost each time. */
  readonly count: number;
  of(outgoing: Outgoing): LostTries;
}

/** The tries of one request. */
export interface LostTries {
  /**
   * Takes note of a try that was lost.
   *
   * @returns in how many milliseconds the request is to be sent again
   * @throws {InconclusiveError} the given one, when that may do something twice or was tried enough; connection-closed, when
   *   the connection was closed each time while other requests were answered
   */
  repeatAfterMs(error: InconclusiveError): number;
}

const pausesMs = [50, 200, 800, 1600];
// A gateway that closes connections for what it finds in a request does so for dozens of ours. Once it is known for that,
// fewer tries will do.
const enoughToKnow = 3;
const fewestTries = 3;

export function createLostAnswers(outages: OutageGuard): LostAnswers {
  let count = 0;
  let closedForGood = 0;

  function of(outgoing: Outgoing): LostTries {
    let [repeats, closed] = [0, 0];
    const answersBefore = outages.answersOf(outgoing);
    return {
      repeatAfterMs(error) {
        count += 1;
        closed += wasClosed(error) ? 1 : 0;
        const isClosedEachTime = closed > repeats;
        const isKnown = isClosedEachTime && closedForGood >= enoughToKnow;
        const pauseMs = isKnown && closed >= fewestTries ? undefined : pauseAfterMs(outgoing, error, repeats);
        const waitMs = outages.reconnectAfterMs(outgoing, error) ?? pauseMs;
        if (waitMs !== undefined) {
          repeats += 1;
          return waitMs;
        }
        const isAnsweringOthers = outages.answersOf(outgoing) > answersBefore;
        if (!isClosedEachTime || closed < fewestTries || !isAnsweringOthers) throw error;
        count -= closed;
        closedForGood += 1;
        throw closedEachTime(outgoing, error, closed);
      },
    };
  }

  return {
    get count() {
      return count;
    },
    of,
  };
}

/** When to send a request again whose answer was lost; undefined when that may do something twice, or was tried enough. */
function pauseAfterMs(outgoing: Outgoing, error: InconclusiveError, repeats: number): number | undefined {
  const isRepeatable = outgoing.isRepeatable ?? ["GET", "HEAD", "OPTIONS"].includes(outgoing.method);
  // What was not sent, or timed out, would do the same again.
  return isRepeatable && error.exchange !== undefined && error.code !== "target-silent" && !isPermanent(error)
    ? pausesMs[repeats]
    : undefined;
}

/** A gateway closes the connection at this very request: it would at the next, too, and nothing else was disturbed. */
function closedEachTime(outgoing: Outgoing, error: InconclusiveError, tries: number): InconclusiveError {
  return new InconclusiveError(
    "connection-closed",
    `${requestLineOf(outgoing)}: the connection was closed without an answer ${tries} times in a row, while other requests were answered; a gateway in front of the target may do so for what it finds in this one`,
    { cause: error, exchange: error.exchange },
  );
}
