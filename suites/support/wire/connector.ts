import { request as requestOverHttp } from "node:http";
import { request as requestOverHttps } from "node:https";
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import { type ProxyEnvironment, proxyFor } from "./proxy-settings.ts";

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
  environment: ProxyEnvironment = process.env,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) => {
    const proxy = proxyFor(options, environment);
    if (proxy === undefined) return connect(options, callback);
    const isSecure = options.protocol === "https:";
    const host = options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname;
    openTunnel(proxy, `${host}:${options.port || (isSecure ? "443" : "80")}`, timeoutMs, {
      onOpen: (socket) =>
        isSecure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      onFailure: (error) => callback(error, null),
    });
  };
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
