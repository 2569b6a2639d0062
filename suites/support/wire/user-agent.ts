import packageJson from "../../../package.json" with { type: "json" };
import type { HeaderLines } from "./exchange.ts";

const own: HeaderLines = [
  ["User-Agent", `mailproof/${packageJson.version}`],
  // Bodies are evidence, so that they are asked for as they are; the answers of gateways that compress nevertheless are decoded.
  ["Accept-Encoding", "identity"],
];

/**
 * The header lines of a request with those that the profile adds and those that tell who sends it, unless it has its own, and
 * for which check, so that the logs of a target can be read beside the report.
 *
 * @param added - by the profile
 */
export function withOwnHeaders(
  headers: HeaderLines,
  checkId: string | undefined,
  added: HeaderLines = [],
): HeaderLines {
  const withAdded = [...headers, ...missing(added, headers)];
  const check: HeaderLines = checkId === undefined ? [] : [["X-Conformance-Check", checkId]];
  return [...withAdded, ...missing(own, withAdded), ...check];
}

function missing(wanted: HeaderLines, headers: HeaderLines): HeaderLines {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  return wanted.filter(([name]) => !names.has(name.toLowerCase()));
}
