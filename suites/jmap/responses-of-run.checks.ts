import { recommend } from "../support/judging/check.ts";
import { type Exchange, header, jsonMembers, mediaType } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { methodResponses } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";

/**
 * Every JMAP response of the run, on either path.
 *
 * @throws {InconclusiveError} precondition-missing, when there is none
 */
async function jmapResponses(target: Target): Promise<readonly Exchange[]> {
  const found = target.runExchanges().filter((exchange) => methodResponses(exchange) !== undefined);
  if (found.length > 0) return found;
  throw new InconclusiveError("precondition-missing", "needs a JMAP response, found none in the run", {
    explainedBy: "JMAP-01",
  });
}

const json = recommend({
  id: "B-JMAP-01",
  claim: "Every JMAP response of the run has the media type `application/json`.",
  needs: ["human"],
  last: true,
  act: jmapResponses,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const isJson = mediaType(exchange) === "application/json";
      expectThat(isJson, "application/json", header(exchange, "content-type") ?? "no Content-Type", exchange);
    }
  },
});

const sessionState = recommend({
  id: "B-JMAP-17",
  claim: "Every JMAP response of the run has a string `sessionState`.",
  needs: ["human"],
  last: true,
  act: jmapResponses,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { sessionState: state } = jsonMembers(exchange);
      expectThat(typeof state === "string", "a string sessionState", shown(state), exchange);
    }
  },
});

/** What all JMAP responses share. */
export const responseChecks = [json, sessionState];
