/** A resource cut as text, so that a near miss changes one piece and keeps every other byte. */
export interface ResourcePieces {
  readonly whole: string;
  readonly scheme: string;
  readonly host: string;
  /** With its colon; empty when there is none. */
  readonly port: string;
  /** From the first slash on. */
  readonly path: string;
}

export function pieces(resource: string): ResourcePieces {
  const [, scheme = "", host = "", port = "", path = ""] =
    /^([a-z]+):\/\/(\[[^\]]*\]|[^/:]+)(:\d+)?(.*)$/u.exec(resource) ?? [];
  return { whole: resource, scheme, host, port, path };
}

/** The resource with some pieces changed. */
export function rebuilt(resource: ResourcePieces, changed: Partial<ResourcePieces>): string {
  const { scheme, host, port, path } = { ...resource, ...changed };
  return `${scheme}://${host}${port}${path}`;
}

/** The addresses that a resource may be confused with. */
export interface Addresses {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly mcpUrl: string;
  readonly clientId: string;
  readonly agentUrnPrefix: string;
}

/** A value of `resource` that is none of the accepted ones, though one comparison or another would take it for one. */
export interface NearMiss {
  readonly requirement: string;
  readonly slug: string;
  /** What it is, after "the JMAP resource". */
  readonly words: string;
  /** What is sent; it goes out percent-encoded once. */
  readonly sent: (jmap: ResourcePieces, addresses: Addresses) => string;
}

/** The same host by another spelling: letters in upper case, or an IPv4 address with a hexadecimal part. */
export function otherSpelling(host: string): string {
  if (/[a-z]/u.test(host)) return host.toUpperCase();
  return host.replace(/^\d+/u, (first) => `0x${Number(first).toString(16)}`);
}

/** Another spelling still: every other letter in upper case, or an IPv4 address as one number. */
export function thirdSpelling(host: string): string {
  if (/[a-z]/u.test(host))
    return host.replaceAll(/[a-z]/gu, (letter, at: number) => (at % 2 === 0 ? letter.toUpperCase() : letter));
  const parts = host.split(".").map(Number);
  return parts.length === 4 ? String(parts.reduce((number, part) => number * 256 + part, 0)) : host;
}

/** The port that every URL parser takes for the one that is there: named when it is left out, left out when it is named. */
export function otherPortSpelling({ scheme, port }: ResourcePieces): string {
  if (port !== "") return "";
  return scheme === "https" ? ":443" : ":80";
}
