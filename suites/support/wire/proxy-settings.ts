/** The proxy variables of the environment, as curl and Go read them. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

export interface Destination {
  /** `http:` or `https:` */
  readonly protocol: string;
  /** An IPv6 address without brackets. */
  readonly hostname: string;
  /** Empty for the protocol's own. */
  readonly port: string;
}

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** A proxy variable that cannot be used. */
export class ProxySettingError extends Error {
  override readonly name = "ProxySettingError";
}

/**
 * The proxy for a destination: `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` names the host. Lower case comes first. This
 * machine itself is never reached through a proxy.
 *
 * @throws {ProxySettingError}
 */
export function proxyFor(destination: Destination, environment: ProxyEnvironment): URL | undefined {
  const name = destination.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = valueOf(name, environment);
  if (value === "" || isLoopback(destination.hostname)) return undefined;
  const exceptions = valueOf("NO_PROXY", environment).split(/[\s,]+/u);
  if (exceptions.some((exception) => isNamedBy(exception, destination))) return undefined;
  const proxy = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (proxy === null || !["http:", "https:"].includes(proxy.protocol))
    // The value may hold a password.
    throw new ProxySettingError(`${name} is not the URL of an HTTP proxy, such as http://proxy.example:3128`);
  return proxy;
}

function valueOf(name: string, environment: ProxyEnvironment): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? "";
}

/** @param hostname - without brackets around an IPv6 address */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.[\d.]+|::1)$/iu.test(hostname);
}

/** @param exception - `*`, or a host or domain with or without a leading dot and a port; IPv6 with a port in brackets */
function isNamedBy(exception: string, { protocol, hostname, port }: Destination): boolean {
  if (exception === "*") return true;
  const [, bracketed, bracketedPort] = /^\[(.+)\](?::(\d+))?$/u.exec(exception) ?? [];
  const [, named, namedPort] = /^([^:]+):(\d+)$/u.exec(exception) ?? [];
  const exceptPort = bracketedPort ?? namedPort;
  if (exceptPort !== undefined && exceptPort !== (port || defaultPorts[protocol])) return false;
  const domain = (bracketed ?? named ?? exception).toLowerCase().replace(/^\*?\./u, "");
  const host = hostname.toLowerCase();
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}
