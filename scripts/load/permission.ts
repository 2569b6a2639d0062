import type { Profile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Load goes to this machine, or where the target's profile permits it for exactly that host: a profile that was copied and
 * pointed elsewhere permits nothing.
 *
 * @throws {UsageError} naming the hosts that are not permitted and what to write
 */
export function requirePermission(profile: Profile): void {
  const hosts = hostsOf(profile).filter((host) => !isLoopback(host));
  const { allow, hosts: permitted } = profile.load;
  const missing = hosts.filter((host) => !allow || !permitted.includes(host));
  if (missing.length === 0) return;
  throw new UsageError(
    `load on ${missing.join(" and ")} is not permitted: it is not on this machine. If it is yours to load, write into its profile "load": ${JSON.stringify({ allow: true, hosts })}`,
  );
}

/** Whether every address of the target is on this machine. */
export function isOnThisMachine(profile: Profile): boolean {
  return hostsOf(profile).every(isLoopback);
}

function hostsOf({ auth_url, api_url, mcp_url }: Profile): string[] {
  return [...new Set([auth_url, api_url, mcp_url].map((url) => new URL(url).hostname))];
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/u.test(host);
}
