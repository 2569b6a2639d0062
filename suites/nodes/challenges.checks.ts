import { challengeIn, challengeRequest, logIn, sessionRequest, solve } from "../support/actors/agent.ts";
import {
  certaintyOfAddresses,
  overConnection,
  sendOverFresh,
  waysToAnotherNode,
} from "../support/actors/fresh-connections.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { signUp } from "../support/material/usernames.ts";
import { nodesAt } from "../support/target/node-settings.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { NodeEndpoint } from "../support/wire/network.ts";
import { originOf } from "../support/wire/url.ts";

/**
 * The apiKey of an agent, which signs up where the profile gives none, and logs in. Both over one connection: so at one node.
 *
 * @throws {InconclusiveError} control-refused, when the login is refused there too
 */
async function apiKeyOfAgent(target: Target): Promise<string> {
  const origin = originOf(target.authUrl);
  const connection = target.control.connect(origin);
  const atOneNode = overConnection(target.control, connection, origin);
  try {
    const apiKey = target.profile.pow.api_key ?? (await newApiKey(atOneNode));
    const login = await logIn(atOneNode, apiKey);
    if (isSuccess(login)) return apiKey;
    throw controlRefused("a login over one connection", "2xx with a session", login, "POW-11");
  } finally {
    await connection.close();
  }
}

async function newApiKey(target: Target): Promise<string> {
  const { exchange } = await signUp(target);
  const { apiKey } = jsonMembers(exchange);
  if (isSuccess(exchange) && typeof apiKey === "string") return apiKey;
  throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
}

/** Logs in at one node with a challenge of another, each over a connection of its own. */
async function logInElsewhere(
  target: Target,
  apiKey: string,
  issuing: NodeEndpoint | undefined,
  tried: NodeEndpoint | undefined,
): Promise<Exchange> {
  const issued = await sendOverFresh(target.setup, challengeRequest(target), issuing);
  const challenge = challengeIn(issued);
  if (challenge === undefined) throw controlRefused("a challenge", "2xx with a challenge", issued, "POW-01");
  const { powHex, nonce } = await solve(target, challenge);
  return sendOverFresh(target, sessionRequest(target, challenge.jwt, { powHex, nonce, apiKey }), tried);
}

const anywhere = check({
  id: "POW-07/every-node",
  claim: "A challenge that one node has issued opens a session at others.",
  async act(target) {
    const apiKey = await apiKeyOfAgent(target);
    const listed = nodesAt(target.profile, target.authUrl);
    const ways = waysToAnotherNode(target);
    const pairs =
      listed.length > 0
        ? listed.map((node, at) => [node, listed[(at + 1) % listed.length]] as const)
        : ways.nodes.map(() => [undefined, undefined] as const);
    const answers: Exchange[] = [];
    for (const [issuing, tried] of pairs) answers.push(await logInElsewhere(target, apiKey, issuing, tried));
    return { answers, certainty: listed.length > 0 ? certaintyOfAddresses(listed.length) : ways.certainty };
  },
  assert({ answers }) {
    for (const answer of answers)
      expectThat(isSuccess(answer), "2xx with a session", summary(answer), answer);
  },
  certainty: ({ certainty }) => certainty,
});

/** Signs an agent up at one node and logs it in there. @returns its apiKey */
async function signedUpAt(target: Target, node: NodeEndpoint | undefined): Promise<string> {
  const origin = originOf(target.authUrl);
  const connection = target.control.connect(origin, node);
  try {
    const there = overConnection(target.control, connection, origin);
    const apiKey = await newApiKey(there);
    const login = await logIn(there, apiKey);
    if (!isSuccess(login))
      throw controlRefused("a login where the agent signed up", "2xx with a session", login, "POW-11");
    return apiKey;
  } finally {
    await connection.close();
  }
}

/** Logs in over a connection of its own: challenge and session at one node. */
async function logInAt(target: Target, apiKey: string, node: NodeEndpoint | undefined): Promise<Exchange> {
  const origin = originOf(target.authUrl);
  const connection = target.connect(origin, node);
  try {
    return await logIn(overConnection(target, connection, origin), apiKey);
  } finally {
    await connection.close();
  }
}

const signedUp = check({
  id: "POW-11/every-node",
  claim: "After the time that a revocation may take, an agent that signed up at one node logs in at others.",
  async act(target) {
    const listed = nodesAt(target.profile, target.authUrl);
    const known = target.profile.revocation_propagation_seconds * 1000;
    const answers: Exchange[] = [];
    if (listed.length === 0) {
      const apiKey = await signedUpAt(target, undefined);
      await target.pause(known);
      const ways = waysToAnotherNode(target);
      for (const node of ways.nodes) answers.push(await logInAt(target, apiKey, node));
      return { answers, certainty: ways.certainty };
    }
    const apiKeys: string[] = [];
    for (const node of listed) apiKeys.push(await signedUpAt(target, node));
    await target.pause(known);
    for (const [at, apiKey] of apiKeys.entries())
      answers.push(await logInAt(target, apiKey, listed[(at + 1) % listed.length]));
    return { answers, certainty: certaintyOfAddresses(listed.length) };
  },
  assert({ answers }) {
    for (const answer of answers)
      expectThat(isSuccess(answer), "2xx with a session", summary(answer), answer);
  },
  certainty: ({ certainty }) => certainty,
});

/** Challenges and agents of a target of several nodes. Document, "Authentication", proof-of-work path 2 and 3. */
export const challengeNodeChecks = [anywhere, signedUp];
