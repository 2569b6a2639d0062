import type { HeaderLines } from "../wire/exchange.ts";
import type { NetworkSettings } from "../wire/network.ts";
import { originOf } from "../wire/url.ts";
import type { Profile } from "./profile.ts";

/** What a profile says of connections and of every request over them. */
export interface ConnectionSettings {
  readonly network: NetworkSettings;
  /** Nothing for addresses beyond the target. */
  headersFor(url: string): HeaderLines;
}

export function connectionOf(profile: Profile): ConnectionSettings {
  const { ca_file: ca, client_certificate: pair, resolve, headers } = profile;
  const hosts = new Set([profile.auth_url, profile.api_url, profile.mcp_url].map((url) => hostOf(url)));
  const added = new Map<string | undefined, [string, string][]>();
  for (const name of ["auth", "api", "mcp"] as const) {
    const { origin } = new URL(profile[`${name}_url`]);
    const lines = Object.entries(headers[name]).map(([header, { text }]): [string, string] => [header, text]);
    // Several listeners may be one origin: what one asks for is then asked for by all.
    added.set(origin, [...(added.get(origin) ?? []), ...lines]);
  }
  for (const [origin, lines] of added)
    added.set(origin, [...new Map(lines.map((line) => [line[0].toLowerCase(), line])).values()]);
  const isEmpty = [...added.values()].every((lines) => lines.length === 0);
  return {
    network: { ca, clientCertificate: pair && { ...pair, hosts }, resolve },
    headersFor: (url) => (isEmpty ? [] : (added.get(URL.parse(originOf(url))?.origin) ?? [])),
  };
}

/** As a connector is given it: an IPv6 address without brackets. */
function hostOf(url: string): string {
  return new URL(url).hostname.replaceAll(/[[\]]/gu, "");
}
