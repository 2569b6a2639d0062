import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import { addressOf, lookupWith, type NetworkSettings, secureContextFor } from "./network.ts";
import { type Destination, type ProxyEnvironment, proxyFor } from "./proxy-settings.ts";

/** The proxy did not let a connection through. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
}

/**
 * Opens the connections of undici's dispatchers: HTTP/1.1 over the network itself, or through a tunnel of the proxy that the
 * environment names. undici's own proxy agent would make an object of the header lines, and lose repeated ones.
 */
export function createConnector(
  timeoutMs: number,
  network: NetworkSettings = {},
  environment: ProxyEnvironment = process.env,
): buildConnector.connector {
  const connectorTo = connectors(timeoutMs, network);
  return (options, callback) => {
    const connect = connectorTo(options.hostname);
    const proxy = proxyOf(options, network, environment);
    if (proxy === undefined) return connect(options, callback);
    const isSecure = options.protocol === "https:";
    // The proxy asks a name server of its own.
    const destination = addressOf(options.hostname, network) ?? options.hostname;
    const host = destination.includes(":") ? `[${destination}]` : destination;
    openTunnel(proxy, `${host}:${options.port || (isSecure ? "443" : "80")}`, timeoutMs, {
      onOpen: (socket) =>
        isSecure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      onFailure: (error) => callback(error, null),
    });
  };
}

/** One for each host, since each may be shown a certificate of its own; with the defaults one for all. */
function connectors(
  timeoutMs: number,
  network: NetworkSettings,
): (hostname: string) => buildConnector.connector {
  const kept = new Map<string, buildConnector.connector>();
  const lookup = lookupWith(network);
  const ordinary = buildConnector({ timeout: timeoutMs, allowH2: false, lookup });
  return (hostname) => {
    const known = kept.get(hostname);
    if (known !== undefined) return known;
    const secureContext = secureContextFor(hostname, network);
    const connector =
      secureContext === undefined
        ? ordinary
        : buildConnector({ timeout: timeoutMs, allowH2: false, lookup, secureContext });
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
