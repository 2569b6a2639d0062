import { sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import {
  connectionsToAnotherNode,
  sendOverEach,
  sendOverFresh,
} from "../support/actors/fresh-connections.ts";
import {
  codeExchange,
  refreshExchange,
  requireTokens,
  tokenRequest,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens, expectPowRefused, isRefusalStatus } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";

/**
 * Uses something up and tries it again, both over one connection: what is accepted there is judged by another check.
 *
 * @throws {InconclusiveError} control-refused, when the first use is refused, or the second one accepted
 */
async function useTwice(
  target: Target,
  request: Outgoing,
  { firstJudgedBy, secondJudgedBy }: { firstJudgedBy: string; secondJudgedBy: string },
): Promise<void> {
  const connection = target.control.connect(originOf(request.url));
  try {
    const first = await connection.send(request);
    if (!isSuccess(first)) throw controlRefused("the first use", "2xx", first, firstJudgedBy);
    const second = await connection.send(request);
    if (isSuccess(second))
      throw controlRefused("the second use over one connection", "a refusal", second, secondJudgedBy);
  } finally {
    await connection.close();
  }
}

function sendElsewhere(target: Target, request: Outgoing): Promise<Exchange[]> {
  return sendOverEach(target, connectionsToAnotherNode(target.profile.nodes), request);
}

function expectNoneServed(answers: readonly Exchange[]): void {
  for (const answer of answers) {
    expectNoTokens(answer);
    if (!isRefusalStatus(answer.response.status))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(answer), { exchange: answer });
  }
}

const code = check({
  id: "CODE-03/every-node",
  claim: "A used code is refused over other connections too, enough of them to meet another node.",
  needs: ["human"],
  async act(target) {
    const request = tokenRequest(target, codeExchange(await freshCode(target)));
    await useTwice(target, request, { firstJudgedBy: "TOKEN-01", secondJudgedBy: "CODE-01" });
    return sendElsewhere(target, request);
  },
  assert: expectNoneServed,
});

async function refreshOfFreshGrant(target: Target): Promise<Outgoing> {
  const { client, tokens } = await freshGrant(target);
  return tokenRequest(target, refreshExchange(client, tokens.refresh_token));
}

const refreshToken = check({
  id: "REFRESH-03/every-node",
  claim:
    "A superseded refresh token is refused over other connections too, enough of them to meet another node.",
  needs: ["human"],
  async act(target) {
    const judgedBy = { firstJudgedBy: "REFRESH-01", secondJudgedBy: "REFRESH-03" };
    await useTwice(target, await refreshOfFreshGrant(target), judgedBy);
    // The second use of a token may end its grant at every node, so each is of another grant.
    const answers: Exchange[] = [];
    while (answers.length < connectionsToAnotherNode(target.profile.nodes)) {
      const request = await refreshOfFreshGrant(target);
      const first = await sendOverFresh(target.control, request);
      requireTokens(first, "a valid refresh", "REFRESH-01");
      answers.push(await sendOverFresh(target, request));
    }
    return answers;
  },
  assert: expectNoneServed,
});

const challenge = check({
  id: "POW-34/every-node",
  claim:
    "A challenge that has opened a session opens none over other connections, enough of them to meet another node.",
  async act(target) {
    const { apiKey } = await sharedAgent(target);
    const { challenge: spent, proof } = await solvedChallenge(target.setup);
    const request = sessionRequest(target, spent.jwt, { ...proof, apiKey });
    await useTwice(target, request, {
      firstJudgedBy: "POW-07/session",
      secondJudgedBy: "POW-34/same-solution",
    });
    return sendElsewhere(target, request);
  },
  assert(answers) {
    for (const answer of answers) expectPowRefused(answer);
  },
});

export const usedUpChecks = [code, refreshToken, challenge];
