import { BlockList, isIP } from "node:net";

const specialUse = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  specialUse.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  specialUse.addSubnet(network, prefix, "ipv6");

/**
 * Whether a host is known by its name alone to be of this machine or of a private network (RFC 6890, RFC 6761 §6.3).
 *
 * @param host - as in a URL, with or without the brackets of IPv6
 */
export function isSpecialUse(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/gu, "");
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const version = isIP(name);
  return version !== 0 && specialUse.check(name, version === 6 ? "ipv6" : "ipv4");
}
