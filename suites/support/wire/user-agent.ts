import packageJson from "../../../package.json" with { type: "json" };
import type { HeaderLines } from "./exchange.ts";

const own: HeaderLines = [
  ["User-Agent", `mailproof/${packageJson.version}`],
  // Bodies are evidence, so that they are asked for as they are; gateways that compress all the same are understood.
  ["Accept-Encoding", "identity"],
];

/** The header lines of a request with those that tell who sends it, unless it has its own. */
export function withOwnHeaders(headers: HeaderLines): HeaderLines {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...headers, ...own.filter(([name]) => !names.has(name.toLowerCase()))];
}
