import { isIP } from "node:net";
import { z } from "zod";
import type { NodeEndpoint } from "../wire/network.ts";
import { hostName, line } from "./profile-values.ts";

/** Where one node of the target listens itself, past what spreads connections over all of them. */
export interface NodeAddress {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  /** Undefined for the port of the listener's public address. */
  readonly port: number | undefined;
}

/** Listeners whose nodes a check can tell apart. */
const nodeListeners = ["auth", "api"] as const;

export type NodeListener = (typeof nodeListeners)[number];

/** The nodes of a target as checks use them. */
export interface NodeSettings {
  /** How many serve a listener whose nodes have no addresses, or more. */
  readonly count: number;
  readonly addresses: Readonly<Record<NodeListener, readonly NodeAddress[]>>;
}

const mostNodes = 100;

const nodePattern = /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>[^\s:/?#@[\]\\]+))(?::(?<port>\d{1,5}))?$/iu;

function parsed(text: string): NodeAddress | undefined {
  if (isIP(text) === 6) return { host: text, port: undefined };
  const { v6, name, port } = nodePattern.exec(text)?.groups ?? {};
  const host = v6 ?? name;
  const isHost = v6 === undefined ? hostName.safeParse(host).success : isIP(v6) === 6;
  if (host === undefined || !isHost) return undefined;
  return { host, port: port === undefined ? undefined : Number(port) };
}

const nodeAddress = line().transform((text, context): NodeAddress => {
  const found = parsed(text);
  const problem =
    found === undefined
      ? `expected the host of a node, with its port where the public address has another, such as 10.0.0.7:8443, got ${JSON.stringify(text)}`
      : found.port !== undefined && (found.port < 1 || found.port > 65535)
        ? `names port ${found.port}, which does not exist; ports are 1 to 65535`
        : undefined;
  if (found !== undefined && problem === undefined) return found;
  context.addIssue({ code: "custom", message: problem ?? "" });
  return z.NEVER;
});

const keyOf = ({ host, port }: NodeAddress): string => `${host} ${port ?? ""}`;

const nodeAddresses = z
  .array(nodeAddress)
  .min(1)
  .max(mostNodes)
  .superRefine((nodes, context) => {
    const keys = nodes.map(keyOf);
    for (const [at, key] of keys.entries())
      if (keys.indexOf(key) < at)
        context.addIssue({
          code: "custom",
          path: [at],
          message: `is the node ${keys.indexOf(key)} already; list each node once`,
        });
  });

const perListener = z
  .strictObject({ auth: nodeAddresses.optional(), api: nodeAddresses.optional() })
  .refine(({ auth, api }) => auth !== undefined || api !== undefined, {
    error: "names no node; list those of auth, api or both",
  });

const defaultCount = 3;

export const nodeSettings = z
  .union([z.number().int().min(1).max(mostNodes), nodeAddresses, perListener], {
    error: `expected how many nodes there are, 1 to ${mostNodes}, a list of their addresses, or {"auth": [address, …], "api": [address, …]}`,
  })
  .transform((given): NodeSettings => {
    if (typeof given === "number") return { count: given, addresses: { auth: [], api: [] } };
    const { auth = [], api = [] } = Array.isArray(given) ? { auth: given, api: given } : given;
    return { count: Math.max(auth.length, api.length), addresses: { auth, api } };
  })
  .prefault(defaultCount)
  .describe(
    "How many nodes serve the target, or more: what one of them may not know of another is tried over as many connections as meet it with 99.9 %. Or the addresses of the nodes themselves, for all listeners or for each: then every one is asked, under the public address.",
  );

type Listeners = Readonly<Record<`${NodeListener}_url`, string>> & { readonly nodes: NodeSettings };

/** A list for all listeners can only name a port that is that of all of them. */
export function refuseSharedNodePorts(profile: Listeners, context: z.RefinementCtx): void {
  // What is not a list of nodes was refused already, and comes as it was given.
  const { auth, api } = (profile.nodes as Partial<NodeSettings>).addresses ?? { auth: [], api: [] };
  // The very same list stands for both.
  if (auth !== api || portOf(profile.auth_url) === portOf(profile.api_url)) return;
  for (const [at, { port }] of auth.entries())
    if (port !== undefined)
      context.addIssue({
        code: "custom",
        path: ["nodes", at],
        message: `names port ${port} for auth_url and api_url, which have different ones; list the nodes of each: {"auth": […], "api": […]}`,
      });
}

/**
 * The nodes that the profile lists for the listener that serves an address; none where it gives their number alone, or
 * where the address is not a listener's.
 */
export function nodesAt(profile: Listeners, url: string): readonly NodeEndpoint[] {
  const serving = nodeListeners
    .filter((listener) => isBelow(profile[`${listener}_url`], url))
    // Listeners may be one origin: the longer path is the more exact.
    .toSorted((a, b) => profile[`${b}_url`].length - profile[`${a}_url`].length)[0];
  if (serving === undefined) return [];
  const port = portOf(profile[`${serving}_url`]);
  return profile.nodes.addresses[serving].map((node) => ({ host: node.host, port: node.port ?? port }));
}

/** The nodes of every listener at an origin. */
export function nodesOfOrigin(profile: Listeners, origin: string): readonly NodeEndpoint[] {
  const { origin: wanted } = new URL(origin);
  return nodeListeners
    .map((listener) => profile[`${listener}_url`])
    .filter((url) => new URL(url).origin === wanted)
    .flatMap((url) => nodesAt(profile, url));
}

function isBelow(base: string, url: string): boolean {
  return url.startsWith(base) && ["", "/", "?", "#"].includes(url.slice(base.length, base.length + 1));
}

/** The port of an address, that of its scheme where it names none. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
