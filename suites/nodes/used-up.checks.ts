import { sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import {
  certaintyOfAddresses,
  sendOverEach,
  sendOverFresh,
  waysToAnotherNode,
} from "../support/actors/fresh-connections.ts";
import {
  codeExchange,
  refreshExchange,
  requireTokens,
  tokenRequest,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens, expectPowRefused, isRefusal } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import { nodesAt } from "../support/target/node-settings.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import type { NodeEndpoint } from "../support/wire/network.ts";
import { originOf } from "../support/wire/url.ts";
import type { Answered } from "./refused-everywhere.ts";

/** What judges by itself the two uses of something over one connection. */
interface JudgedBy {
  readonly first: string;
  readonly second: string;
}

/**
 * Uses something up and tries it again, both over one connection: what is accepted there is judged by another check.
 *
 * @throws {InconclusiveError} control-refused, when the first use is refused, or the second one accepted
 */
async function useTwice(
  target: Target,
  request: Outgoing,
  judgedBy: JudgedBy,
  node?: NodeEndpoint,
): Promise<void> {
  const connection = target.control.connect(originOf(request.url), node);
  try {
    const first = await connection.send(request);
    if (!isSuccess(first)) throw controlRefused("the first use", "2xx", first, judgedBy.first);
    const second = await connection.send(request);
    if (isSuccess(second))
      throw controlRefused("the second use over one connection", "a refusal", second, judgedBy.second);
  } finally {
    await connection.close();
  }
}

/** What was used at a node, and the node that it is tried at next. */
interface Pair {
  readonly used: NodeEndpoint;
  readonly tried: NodeEndpoint | undefined;
}

/** Each listed node once as the first and once as the second: one may hide what it knows, or not look. */
function pairsOf(nodes: readonly NodeEndpoint[]): Pair[] {
  return nodes.map((used, at) => ({ used, tried: nodes[(at + 1) % nodes.length] }));
}

/**
 * Uses things up and tries them again at other nodes.
 *
 * @param make - a use of something new
 */
async function triedElsewhere(
  target: Target,
  make: () => Promise<Outgoing>,
  judgedBy: JudgedBy,
): Promise<Answered> {
  const listed = nodesAt(target.profile, target.authUrl);
  if (listed.length === 0) {
    const request = await make();
    await useTwice(target, request, judgedBy);
    const ways = waysToAnotherNode(target);
    return { answers: await sendOverEach(target, ways, request), certainty: ways.certainty };
  }
  const answers: Exchange[] = [];
  for (const { used, tried } of pairsOf(listed)) {
    const request = await make();
    await useTwice(target, request, judgedBy, used);
    answers.push(await sendOverFresh(target, request, tried));
  }
  return { answers, certainty: certaintyOfAddresses(listed.length) };
}

function expectNoneServed({ answers }: Answered): void {
  for (const answer of answers) {
    expectNoTokens(answer);
    if (!isRefusal(answer))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(answer), { exchange: answer });
  }
}

/**
 * Uses something else up for each try at another node. What is presented again at the node of its first use may end its grant
 * at every node, and hide from the next try that the others had not learned of the first use.
 */
async function eachTriedElsewhere(
  target: Target,
  make: () => Promise<Outgoing>,
  judgedBy: JudgedBy,
): Promise<Answered> {
  const listed = nodesAt(target.profile, target.authUrl);
  await useTwice(target, await make(), judgedBy, listed[0]);
  const ways = waysToAnotherNode(target);
  const pairs =
    listed.length > 0 ? pairsOf(listed) : ways.nodes.map(() => ({ used: undefined, tried: undefined }));
  const answers: Exchange[] = [];
  for (const { used, tried } of pairs) {
    const request = await make();
    const first = await sendOverFresh(target.control, request, used);
    requireTokens(first, "the first use", judgedBy.first);
    answers.push(await sendOverFresh(target, request, tried));
  }
  return {
    answers,
    certainty: listed.length > 0 ? certaintyOfAddresses(listed.length) : ways.certainty,
  };
}

const code = check({
  id: "CODE-03/every-node",
  claim: "A code that was used at one node is refused at others.",
  needs: ["human"],
  act: (target) =>
    eachTriedElsewhere(target, async () => tokenRequest(target, codeExchange(await freshCode(target))), {
      first: "TOKEN-01",
      second: "CODE-01",
    }),
  assert: expectNoneServed,
  certainty: ({ certainty }) => certainty,
});

async function refreshOfFreshGrant(target: Target): Promise<Outgoing> {
  const { client, tokens } = await freshGrant(target);
  return tokenRequest(target, refreshExchange(client, tokens.refresh_token));
}

const refreshToken = check({
  id: "REFRESH-03/every-node",
  claim: "A refresh token that was superseded at one node is refused at others.",
  needs: ["human"],
  act: (target) =>
    eachTriedElsewhere(target, () => refreshOfFreshGrant(target), {
      first: "REFRESH-01",
      second: "REFRESH-03",
    }),
  assert: expectNoneServed,
  certainty: ({ certainty }) => certainty,
});

const challenge = check({
  id: "POW-34/every-node",
  claim: "A challenge that has opened a session at one node opens none at others.",
  async act(target) {
    const { apiKey } = await sharedAgent(target, "busy");
    const login = async (): Promise<Outgoing> => {
      const { challenge: fresh, proof } = await solvedChallenge(target.setup);
      return sessionRequest(target, fresh.jwt, { ...proof, apiKey });
    };
    return triedElsewhere(target, login, { first: "POW-07/session", second: "POW-34/same-solution" });
  },
  assert({ answers }) {
    for (const answer of answers) expectPowRefused(answer);
  },
  certainty: ({ certainty }) => certainty,
});

export const usedUpChecks = [code, refreshToken, challenge];
