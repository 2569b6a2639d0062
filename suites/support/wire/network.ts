import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/** How connections to a target are made, beside what the environment says. */
export interface NetworkSettings {
  /** Certificates of authorities that are trusted beside the others, as PEM. */
  readonly ca?: string | undefined;
  /** Shown to these hosts alone; as PEM. */
  readonly clientCertificate?:
    { readonly cert: string; readonly key: string; readonly hosts: ReadonlySet<string> } | undefined;
  /** Host name to IP address, in place of what a name server says. */
  readonly resolve?: Readonly<Record<string, string>> | undefined;
}

/** Where a connection goes instead of to the host that its requests name: to one node of a target behind a balancer. */
export interface NodeEndpoint {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** As it stands in a URL. */
export function endpointText({ host, port }: NodeEndpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What TLS with a host rests on; undefined for the defaults of Node.js. */
export function secureContextFor(
  host: string,
  { ca, clientCertificate }: NetworkSettings,
): SecureContext | undefined {
  const shown = clientCertificate?.hosts.has(host) === true ? clientCertificate : undefined;
  if (ca === undefined && shown === undefined) return undefined;
  return createSecureContext({
    ...(ca !== undefined && { ca: [...getCACertificates("default"), ca] }),
    ...(shown && { cert: shown.cert, key: shown.key }),
  });
}

/** The address that the settings give for a host; undefined when a name server is to be asked. */
export function addressOf(hostname: string, { resolve = {} }: NetworkSettings): string | undefined {
  return Object.hasOwn(resolve, hostname) ? resolve[hostname] : undefined;
}

/** As `dns.lookup`, for names that the settings give no address for. */
export function lookupWith(network: NetworkSettings): LookupFunction {
  return (hostname, options, callback) => {
    const address = addressOf(hostname, network);
    if (address === undefined) lookUp(hostname, options, callback);
    else if (options.all === true) callback(null, [{ address, family: isIP(address) }]);
    else callback(null, address, isIP(address));
  };
}
