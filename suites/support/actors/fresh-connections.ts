import { randomInt } from "node:crypto";
import { nodesAt } from "../target/node-settings.ts";
import type { Target } from "../target/target.ts";
import type { Certainty } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Connection, Outgoing } from "../wire/http.ts";
import type { NodeEndpoint } from "../wire/network.ts";
import { sentUntilServed } from "./held-back.ts";
import { originOf } from "../wire/url.ts";

// A target of several nodes hands each connection to one of them, as far as anybody outside can tell at random. What one node
// knows and another does not shows on a new connection alone, unless the profile lists the nodes themselves.

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

/** Where each of several requests goes: to a node, or over a new connection to whichever node that meets. */
export interface Ways {
  readonly nodes: readonly (NodeEndpoint | undefined)[];
  readonly certainty: Certainty;
}

/** Each node that the profile lists for an address, or as many connections as meet one certain node with 99.9 %. */
export function waysToEveryNode({ profile }: Target, url: string): Ways {
  const listed = nodesAt(profile, url);
  if (listed.length > 0) return { nodes: listed, certainty: certaintyOfAddresses(listed.length) };
  const { count } = profile.nodes;
  const connections = connectionsToEveryNode(count);
  return { nodes: anywhere(connections), certainty: certaintyOfMeetingEach(connections, count) };
}

/**
 * So many new connections that one of them meets another node than an earlier request did, with 99.9 %. Only for an address
 * whose nodes the profile does not list.
 */
export function waysToAnotherNode({ profile }: Target): Ways {
  const { count } = profile.nodes;
  const connections = connectionsToAnotherNode(count);
  return { nodes: anywhere(connections), certainty: certaintyOfMeetingAnother(connections, count) };
}

function anywhere(count: number): undefined[] {
  return Array.from({ length: count }, () => undefined);
}

/** Nothing was left to chance. */
export function certaintyOfAddresses(count: number): Certainty {
  const basis =
    count === 1
      ? "the one node address of the profile was asked"
      : `each of the ${count} node addresses was asked`;
  return { tries: count, probability: 1, basis };
}

function certaintyOfMeetingEach(connections: number, nodes: number): Certainty {
  const probability = nodes === 1 ? 1 : 1 - (1 - 1 / nodes) ** connections;
  const opened = connections === 1 ? "1 new connection" : `${connections} new connections`;
  return { tries: connections, probability, basis: meeting(opened, nodes, "a given node") };
}

/** @param connections - those after the one that met the first node */
export function certaintyOfMeetingAnother(connections: number, nodes: number): Certainty {
  const probability = nodes === 1 ? 1 : 1 - (1 / nodes) ** connections;
  const opened = connections === 1 ? "1 more new connection" : `${connections} more new connections`;
  return { tries: connections, probability, basis: meeting(opened, nodes, "another node than the first") };
}

function meeting(opened: string, nodes: number, met: string): string {
  return nodes === 1
    ? `${opened}, since the profile names one node`
    : `over ${opened}, which ${nodes} nodes get at random, ${met} was met`;
}

/** Of a claim that needs both samples. */
export function bothCertain(one: Certainty, other: Certainty): Certainty {
  return {
    tries: one.tries + other.tries,
    probability: one.probability * other.probability,
    basis: one.basis === other.basis ? `twice ${one.basis}` : `${one.basis}; ${other.basis}`,
  };
}

/** Sends the request over a connection that is opened for it. */
export async function sendOverFresh(
  target: Target,
  request: Outgoing,
  node?: NodeEndpoint,
): Promise<Exchange> {
  const connection = target.connect(originOf(request.url), node);
  try {
    return await sentUntilServed(target, () => connection.send(request));
  } finally {
    await connection.close();
  }
}

/**
 * Sends the request once each way, one after another, each time over a connection of its own.
 *
 * @returns the answers in their order
 */
export async function sendOverEach(
  target: Target,
  { nodes }: Pick<Ways, "nodes">,
  request: Outgoing,
): Promise<Exchange[]> {
  if (!nodes.includes(undefined)) return sendInTurn(target, nodes, request);
  const origin = originOf(request.url);
  // Nodes often take turns. Two experiments at once would then meet one node each, again and again.
  return target.exclusively(`fresh connections to ${origin}`, async () => {
    // And each experiment would meet them in the same order.
    for (let spare = randomInt(target.profile.nodes.count); spare > 0; spare -= 1)
      await sendOverFresh(target.setup, spareRequest(target, request.url));
    return sendInTurn(target, nodes, request);
  });
}

async function sendInTurn(target: Target, nodes: Ways["nodes"], request: Outgoing): Promise<Exchange[]> {
  const answers: Exchange[] = [];
  for (const node of nodes) answers.push(await sendOverFresh(target, request, node));
  return answers;
}

/** A request to the same listener that changes nothing. */
function spareRequest(target: Target, url: string): Outgoing {
  return originOf(url) === originOf(target.authUrl)
    ? keySetRequest(target)
    : { method: "GET", url: `${originOf(url)}/.well-known/jmap` };
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

/** The same target with all requests to the connection's origin over it, so that one node gets them. */
export function overConnection(target: Target, connection: Connection, origin: string): Target {
  return {
    ...target,
    get setup() {
      return overConnection(target.setup, connection, origin);
    },
    send: (outgoing) =>
      originOf(outgoing.url) === origin ? connection.send(outgoing) : target.send(outgoing),
  };
}
