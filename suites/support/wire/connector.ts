import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import { isIP, type Socket } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { buildConnector } from "undici";
import {
  addressOf,
  endpointText,
  lookupWith,
  type NetworkSettings,
  type NodeEndpoint,
  secureContextFor,
} from "./network.ts";
import { type Destination, type ProxyEnvironment, proxyFor } from "./proxy-settings.ts";
import { withoutUnaskedContinue } from "./unasked-continue.ts";

/** The proxy did not let a connection through. */
class ProxyError extends Error {
  override readonly name = "ProxyError";
}

/**
 * Opens the connections of undici's dispatchers: HTTP/1.1 over the network itself, or through a tunnel of the proxy that the
 * environment names. undici's own proxy agent would make an object of the header lines, and lose repeated ones.
 *
 * @param node - where all connections go; the certificate must still be that of the host that requests name
 */
export function createConnector(
  timeoutMs: number,
  network: NetworkSettings = {},
  environment: ProxyEnvironment = process.env,
  node?: NodeEndpoint,
): buildConnector.connector {
  const connectorTo = connectors(timeoutMs, network, node !== undefined);
  return (named, onConnected) => {
    const callback: buildConnector.Callback = (...[error, socket]) =>
      error === null ? onConnected(null, withoutUnaskedContinue(socket)) : onConnected(error, null);
    const connect = connectorTo(named.hostname);
    const options = node === undefined ? named : placedAt(node, named);
    const proxy = proxyOf(options, network, environment);
    if (proxy === undefined) return connect(options, callback);
    const isSecure = options.protocol === "https:";
    // The proxy asks a name server of its own.
    const host = addressOf(options.hostname, network) ?? options.hostname;
    const port = Number(options.port || (isSecure ? "443" : "80"));
    openTunnel(proxy, endpointText({ host, port }), timeoutMs, {
      onOpen: (socket) =>
        isSecure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      onFailure: (error) => callback(error, null),
    });
  };
}

/** The same connection to another place: what TLS asks for and shows is still that of the host. */
function placedAt({ host, port }: NodeEndpoint, options: buildConnector.Options): buildConnector.Options {
  // undici would look a server name up in plain http, and TLS has none for an address.
  const hasServerName = options.protocol === "https:" && isIP(options.hostname) === 0;
  return {
    ...options,
    hostname: host,
    port: String(port),
    servername: hasServerName ? (options.servername ?? options.hostname) : "",
  };
}

/**
 * One for each host, since each may be shown a certificate of its own; with the defaults one for all.
 *
 * @param isElsewhere - connections go to another place than the host, which its certificate is still to name
 */
function connectors(
  timeoutMs: number,
  network: NetworkSettings,
  isElsewhere: boolean,
): (hostname: string) => buildConnector.connector {
  const kept = new Map<string, buildConnector.connector>();
  const settings = { timeout: timeoutMs, allowH2: false, lookup: lookupWith(network) };
  const ordinary = buildConnector(settings);
  return (hostname) => {
    const known = kept.get(hostname);
    if (known !== undefined) return known;
    const secureContext = secureContextFor(hostname, network);
    const connector =
      secureContext === undefined && !isElsewhere
        ? ordinary
        : buildConnector({
            ...settings,
            ...(secureContext && { secureContext }),
            ...(isElsewhere && {
              checkServerIdentity: (_placed: string, certificate: PeerCertificate) =>
                checkServerIdentity(hostname, certificate),
            }),
          });
    kept.set(hostname, connector);
    return connector;
  };
}

/** A host that the settings place on this machine is reached directly, like every other name of it. */
function proxyOf(
  options: Destination,
  network: NetworkSettings,
  environment: ProxyEnvironment,
): URL | undefined {
  const proxy = proxyFor(options, environment);
  const address = addressOf(options.hostname, network);
  if (proxy === undefined || address === undefined) return proxy;
  return proxyFor({ ...options, hostname: address }, environment);
}

interface TunnelListener {
  onOpen(socket: Socket): void;
  onFailure(error: ProxyError): void;
}

/** @param authority - host and port of the destination */
function openTunnel(
  proxy: URL,
  authority: string,
  timeoutMs: number,
  { onOpen, onFailure }: TunnelListener,
): void {
  const credentials = [proxy.username, proxy.password].map(decodeURIComponent).join(":");
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  const request = (proxy.protocol === "https:" ? requestOverHttps : requestOverHttp)({
    host: proxy.hostname.replaceAll(/[[\]]/gu, ""),
    port: proxy.port,
    method: "CONNECT",
    path: authority,
    agent: false,
    timeout: timeoutMs,
    headers: { Host: authority, ...(proxy.username !== "" && { "Proxy-Authorization": authorization }) },
  });
  const fail = (why: string, cause?: Error): void =>
    onFailure(new ProxyError(`the proxy at ${proxy.host} ${why}`, { cause }));
  request
    .once("connect", ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) {
        onOpen(socket.setTimeout(0));
        return;
      }
      socket.destroy();
      fail(`answered ${statusCode} to CONNECT ${authority}`);
    })
    .once("timeout", () => request.destroy(new Error("no answer in time")))
    .once("error", (error) => fail(`cannot be used: ${error.message}`, error))
    .end();
}
