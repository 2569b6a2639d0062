import packageJson from "../../../package.json" with { type: "json" };
import type { HeaderLines } from "./exchange.ts";

const own: HeaderLines = [
  ["User-Agent", `mailproof/${packageJson.version}`],
  // Bodies are evidence, so that they are asked for as they are; gateways that compress all the same are understood.
  ["Accept-Encoding", "identity"],
];

/**
 * The header lines of a request with those that the profile adds and those that tell who sends it, unless it has its own.
 *
 * @param added - by the profile
 */
export function withOwnHeaders(headers: HeaderLines, added: HeaderLines = []): HeaderLines {
  const withAdded = [...headers, ...missing(added, headers)];
  return [...withAdded, ...missing(own, withAdded)];
}

function missing(wanted: HeaderLines, headers: HeaderLines): HeaderLines {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return wanted.filter(([name]) => !names.has(name.toLowerCase()));
}
