import type { WhichHuman } from "../support/actors/human.ts";
import { bearer } from "../support/actors/jmap.ts";
import { initializeMcp } from "../support/actors/mcp.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { type Contradiction, requireAnswer } from "./contradiction.ts";
import type { Place, State, Step } from "./grants.ts";
import { expectationOfAccessToken } from "./model.ts";
import { isServedAt, usedAt } from "./token-places.ts";
import { pollUntil, propagatedBy } from "../support/judging/propagation.ts";

/** The access token of a step, whose it is, and where it is used. */
export interface IssuedToken {
  readonly step: number;
  readonly accessToken: string;
  readonly human: WhichHuman;
  readonly place: Place;
}

/**
 * Uses access tokens, those that have to be refused last: they are given time.
 *
 * @param propagationSeconds - how much, for all of them together
 */
export async function firstWrongUse(
  target: Target,
  { number }: Step,
  state: State,
  issued: readonly IssuedToken[],
  propagationSeconds: number,
): Promise<Contradiction | undefined> {
  const demanded = issued.flatMap((token) => {
    const expectation = expectationOfAccessToken(state, token.step, token.place);
    return expectation.answer === "any" ? [] : [{ ...token, ...expectation }];
  });
  const expected = (await answersMcp(target, demanded))
    ? demanded
    : demanded.filter(({ place }) => place !== mcpEndpoint);
  const served = expected.filter(({ answer }) => answer === "accepted");
  const ended = expected.filter(({ answer }) => answer === "refused");
  // A token is used everywhere at once: one request after the other would take as many round trips.
  const exchanges = await Promise.all(
    served.map(({ place, accessToken, human }) => usedAt(place, target, accessToken, human)),
  );
  for (const [at, exchange] of exchanges.entries()) {
    const token = served[at];
    if (token === undefined) continue;
    requireAnswer(exchange, `the access token of step ${token.step}`);
    if (!isTakenAt(token.place, exchange)) return wrongUse(number, token, "served", exchange);
  }
  const deadline = propagatedBy(target, propagationSeconds);
  for (const token of ended) {
    const exchange = await pollUntilRefused(target, token, deadline);
    requireAnswer(exchange, `the access token of step ${token.step}`);
    const allowed = token.requirement === "RES-29" ? [400, 401, 403] : [401];
    if (!allowed.includes(exchange.response.status))
      return wrongUse(number, token, allowed.length > 1 ? "refused" : "refused with 401", exchange);
  }
  return undefined;
}

const mcpEndpoint = "the MCP endpoint";

// The document shows no message of the MCP endpoint: what it makes of one behind a valid token is not an answer to the token.
function isTakenAt(place: Place, exchange: Exchange): boolean {
  if (place === mcpEndpoint) return ![401, 403].includes(exchange.response.status);
  return isServedAt(place, exchange);
}

/** Whether the first valid token of the run at the MCP endpoint was answered by a server that takes `initialize`, or refused. */
async function answersMcp(
  target: Target,
  demanded: readonly (IssuedToken & { readonly answer: "accepted" | "refused" })[],
): Promise<boolean> {
  const atMcp = demanded.filter(({ place }) => place === mcpEndpoint);
  if (atMcp.length === 0) return true;
  return target.control.once("histories:answers-mcp", async (recording) => {
    const living = atMcp.find(({ answer }) => answer === "accepted")?.accessToken;
    const token = living ?? (await sharedAccessToken(recording, { resource: mcpResource(recording) }));
    const exchange = await initializeMcp(recording, [bearer(token)]);
    return isSuccess(exchange) || [401, 403].includes(exchange.response.status);
  });
}

function wrongUse(
  step: number,
  { step: accessToken, place, requirement }: IssuedToken & { readonly requirement: string },
  expected: string,
  exchange: Exchange,
): Contradiction {
  return {
    step,
    accessToken,
    place,
    requirement,
    expected: `${expected} at ${place}`,
    observed: summary(exchange),
    exchange,
  };
}

async function pollUntilRefused(
  target: Target,
  { place, accessToken, human }: IssuedToken,
  deadline: number,
): Promise<Exchange> {
  return pollUntil(
    target,
    () => usedAt(place, target, accessToken, human),
    (exchange) => !isSuccess(exchange),
    deadline,
  );
}
