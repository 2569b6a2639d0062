import packageJson from "../../../package.json" with { type: "json" };
import type { HeaderLines } from "./exchange.ts";

const own: HeaderLines = [
  ["User-Agent", `mailproof/${packageJson.version}`],
  // Bodies are evidence, so that they are asked for as they are; gateways that compress all the same are understood.
  ["Accept-Encoding", "identity"],
];

/**
 * The header lines of a request with those that tell who sends it, unless it has its own, and for which check, so that the
 * logs of a target can be read beside the report.
 */
export function withOwnHeaders(headers: HeaderLines, checkId: string | undefined): HeaderLines {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const check: HeaderLines = checkId === undefined ? [] : [["X-Conformance-Check", checkId]];
  return [...headers, ...own.filter(([name]) => !names.has(name.toLowerCase())), ...check];
}
