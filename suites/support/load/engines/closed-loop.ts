import autocannon from "autocannon";
import { type Outgoing } from "../../wire/http.ts";
import type { ConnectionSettings } from "../../target/connection.ts";
import { addressOf } from "../../wire/network.ts";
import { splitUrl } from "../../wire/url.ts";
import type { LoadResponse, FailureKind } from "./response.ts";
import type { InvariantChecker } from "./invariants.ts";
import type { Supply, Batch } from "../load-step.ts";
import { classify, settleBatch } from "./settle-batch.ts";
import type { StreamRecorder } from "./stream-recorder.ts";

export interface ClosedLoopOptions {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly supply: Supply;
  readonly recorder: StreamRecorder;
  readonly checker: InvariantChecker;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly connection?: ConnectionSettings;
}

interface InFlight {
  readonly batch: Batch;
  readonly outgoing: Outgoing;
  readonly sentAtMs: number;
}

// autocannon reconnects immediately and without end; this many errors mean that the target is gone.
const maxFailures = 200;
// autocannon's timers may fire slightly early.
const timerSlackMs = 20;

/**
 * Closed loop: each connection sends its next request when the previous response arrives. autocannon drives the connections;
 * counts and latencies are recorded here, because its own histogram has a resolution of 1 ms. Requests in flight at the end
 * are abandoned. An exhausted supply counts as one dropped request and ends the stream. Resolves when all connections are
 * closed.
 */
export async function runClosedLoop(options: ClosedLoopOptions): Promise<void> {
  const { recorder, signal } = options;
  let instance: (autocannon.Instance & { stop?: () => void }) | undefined;
  const stop = (): void => instance?.stop?.();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  instance = autocannon(
    {
      ...destinationOf(options),
      connections: options.connections,
      duration: options.seconds,
      // In ms; autocannon checks the duration at this interval.
      sampleInt: 20,
      timeout: options.timeoutMs / 1000,
      bailout: maxFailures,
      setupClient: (client) =>
        driveConnection(client, options, () => {
          recorder.increment("dropped", performance.now());
          stop();
        }),
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
  signal.addEventListener("abort", stop, { once: true });
  await ended;
  signal.removeEventListener("abort", stop);
}

/**
 * Where autocannon connects to, and as what. It asks a name server for every name, so that an address of the profile stands
 * in place of the host.
 */
function destinationOf({
  origin,
  connection,
}: ClosedLoopOptions): Partial<autocannon.Options> & { url: string } {
  const { protocol, hostname, host } = new URL(origin);
  const address = connection && addressOf(hostname, connection.network);
  const certificate = connection?.network.clientCertificate;
  const url = new URL(origin);
  if (address !== undefined) url.hostname = address.includes(":") ? `[${address}]` : address;
  return {
    url: url.origin,
    ...(address !== undefined && { servername: hostname, headers: { Host: host } }),
    ...(protocol === "https:" &&
      certificate?.hosts.has(hostname) === true && {
        tlsOptions: { cert: certificate.cert, key: certificate.key },
      }),
  };
}

/** Provides the requests of one connection and handles their responses. */
function driveConnection(
  client: autocannon.Client,
  options: ClosedLoopOptions,
  onExhausted: () => void,
): void {
  const { supply, recorder, checker, timeoutMs, origin, connection } = options;
  const added = Object.fromEntries(connection?.headersFor(origin) ?? []);
  let inFlight: InFlight | undefined;
  /** The last response had `Connection: close`. */
  let isClosing = false;
  /** The request in flight was sent on a closing connection, where the target will not read it. */
  let mustResend = false;

  function fail(kind: FailureKind): void {
    if (inFlight === undefined || mustResend) return;
    const { batch, outgoing, sentAtMs } = inFlight;
    inFlight = undefined;
    const nowMs = performance.now();
    recorder.recordFailure(kind, nowMs);
    checker.recordFailure(outgoing, kind, sentAtMs, nowMs);
    batch.onSettled?.([undefined]);
  }

  const request = {
    setupRequest(defaults: autocannon.Request): autocannon.Request {
      const nowMs = performance.now();
      if (inFlight !== undefined && mustResend) {
        mustResend = false;
        inFlight = { ...inFlight, sentAtMs: nowMs };
        return withHeaders(defaults, toAutocannonRequest(inFlight.outgoing), added);
      }
      // autocannon does not report the request in flight when a connection times out or the target closes it.
      if (inFlight !== undefined)
        fail(nowMs - inFlight.sentAtMs >= timeoutMs - timerSlackMs ? "timeout" : "closed-early");
      const batch = supply.next();
      const [outgoing] = batch?.requests ?? [];
      if (batch === undefined || outgoing === undefined) {
        onExhausted();
        // autocannon needs some request; this one is not counted.
        return { ...defaults, method: "GET", path: "/" };
      }
      inFlight = { batch, outgoing, sentAtMs: nowMs };
      // autocannon ignores `Connection: close` (RFC 9112 §9.6) and reconnects only after the target has closed.
      mustResend = isClosing;
      isClosing = false;
      recorder.increment("sent", nowMs);
      return withHeaders(defaults, toAutocannonRequest(outgoing), added);
    },
    onResponse(status: number, body: string, _context: unknown, headers: Record<string, string | string[]>) {
      if (inFlight === undefined) return;
      const { batch, sentAtMs } = inFlight;
      inFlight = undefined;
      mustResend = false;
      isClosing = hasConnectionClose(headers);
      const doneMs = performance.now();
      const durationMs = doneMs - sentAtMs;
      const response: LoadResponse = {
        status,
        body,
        rawHeaders: toRawHeaders(headers),
        sentAtMs,
        durationMs,
      };
      recorder.recordResponse(classify(batch, response), status, durationMs, doneMs);
      settleBatch(batch, [response], checker);
    },
  };
  client.setRequests([request as unknown as autocannon.Request]);
  const events: NodeJS.EventEmitter = client;
  events.on("connError", (error: Error) => fail(failureKindOf(error)));
}

function failureKindOf(error: Error): FailureKind {
  const code: unknown = Reflect.get(error, "code");
  if (code === "ECONNREFUSED") return "refused-connection";
  return code === "ECONNRESET" || code === "EPIPE" ? "reset" : "closed-early";
}

function toAutocannonRequest({ method, url, headers = [], body }: Outgoing): Partial<autocannon.Request> {
  const [, path] = splitUrl(url);
  return {
    method: method as "GET",
    path,
    headers: Object.fromEntries(headers),
    ...(typeof body === "string" && { body }),
  };
}

function withHeaders(
  defaults: autocannon.Request,
  request: Partial<autocannon.Request>,
  added: Readonly<Record<string, string>>,
): autocannon.Request {
  // The defaults hold the Host of an address that stands for a name.
  return { ...defaults, ...request, headers: { ...defaults.headers, ...added, ...request.headers } };
}

function hasConnectionClose(headers: Record<string, string | string[]>): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "connection" && String(value).toLowerCase().includes("close"),
  );
}

function toRawHeaders(headers: Record<string, string | string[]>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
}
