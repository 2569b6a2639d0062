import { randomInt } from "node:crypto";
import type { Target } from "../target/target.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { originOf } from "../wire/url.ts";

// A target of several nodes hands each connection to one of them, as far as anybody outside can tell at random. What one node
// knows and another does not shows on a new connection alone.

/** How likely it is that a defect of one node stays unseen. */
const mostUnseen = 0.001;

/**
 * Connections that meet one certain node among so many with 99.9 %: 10 for two, 18 for three, 25 for four.
 *
 * @param nodes - 1 or more
 */
export function connectionsToEveryNode(nodes: number): number {
  return nodes === 1 ? 1 : Math.ceil(Math.log(mostUnseen) / Math.log(1 - 1 / nodes));
}

/** Connections of which one meets another node than that of an earlier request, with 99.9 %: 10 for two, 7 for three. */
export function connectionsToAnotherNode(nodes: number): number {
  return nodes === 1 ? 1 : Math.ceil(Math.log(mostUnseen) / Math.log(1 / nodes));
}

/** Sends the request over a connection that is opened for it. */
export async function sendOverFresh(target: Target, request: Outgoing): Promise<Exchange> {
  const connection = target.connect(originOf(request.url));
  try {
    return await connection.send(request);
  } finally {
    await connection.close();
  }
}

/**
 * Sends the request so many times, one after another, each over a connection of its own.
 *
 * @returns the answers in their order
 */
export async function sendOverEach(target: Target, count: number, request: Outgoing): Promise<Exchange[]> {
  // Nodes that take turns would otherwise be met in the same order by each experiment.
  for (let spare = randomInt(target.profile.nodes); spare > 0; spare -= 1)
    await sendOverFresh(target.setup, keySetRequest(target));
  const answers: Exchange[] = [];
  for (let sent = 0; sent < count; sent += 1) answers.push(await sendOverFresh(target, request));
  return answers;
}

/** The cheapest request of the document. */
export function keySetRequest(target: Target): Outgoing {
  return { method: "GET", url: `${target.authUrl}/.well-known/jwks.json` };
}

/** The same target with each request over a connection that ends with it. */
export function withoutKeepAlive(target: Target): Target {
  return target.changing((outgoing) => ({
    ...outgoing,
    headers: [...(outgoing.headers ?? []), ["Connection", "close"]],
  }));
}
