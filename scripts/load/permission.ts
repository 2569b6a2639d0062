import type { Profile } from "../../suites/support/target/profile.ts";
import { proxyFor } from "../../suites/support/wire/proxy-settings.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Allows load on this machine, and on remote hosts that the target's profile lists: a profile copied for another target must
 * not permit load on it.
 *
 * @throws {UsageError} with the hosts that are not permitted, and the setting to add
 */
export function requirePermission(profile: Profile): void {
  const hosts = hostsOf(profile).filter((host) => !isLoopback(host));
  const { allow, hosts: permitted } = profile.load;
  const missing = hosts.filter((host) => !allow || !permitted.includes(host));
  if (missing.length === 0) return;
  throw new UsageError(
    `load on the remote host ${missing.join(" and ")} is not permitted; if you may load-test it, set in its profile "load": ${JSON.stringify({ allow: true, hosts })}`,
  );
}

/**
 * Load is not sent through a proxy, which would be measured in the target's place.
 *
 * @throws {UsageError} when the environment names one for the target
 */
export function requireDirectConnection(profile: Profile, environment = process.env): void {
  const proxied = [profile.auth_url, profile.api_url, profile.mcp_url]
    .map((url) => new URL(url))
    .filter((url) => proxyFor(url, environment) !== undefined);
  if (proxied.length === 0) return;
  const hosts = [...new Set(proxied.map(({ hostname }) => hostname))];
  throw new UsageError(
    `load is not sent through a proxy, which would be measured in the target's place; add to NO_PROXY: ${hosts.join(",")}`,
  );
}

/** Whether all URLs of the target have a loopback host. */
export function isOnThisMachine(profile: Profile): boolean {
  return hostsOf(profile).every(isLoopback);
}

function hostsOf({ auth_url, api_url, mcp_url }: Profile): string[] {
  return [...new Set([auth_url, api_url, mcp_url].map((url) => new URL(url).hostname))];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
