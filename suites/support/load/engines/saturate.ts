import autocannon from "autocannon";
import { type Outgoing } from "../../wire/http.ts";
import { splitUrl } from "../../wire/url.ts";
import type { Answer, FailureKind } from "./answer.ts";
import type { InvariantWatch } from "./invariants.ts";
import type { Supply, Volley } from "../load-step.ts";
import { kindOf, settleVolley } from "./settle-volley.ts";
import type { StreamRecorder } from "./stream-recorder.ts";

export interface SaturateOptions {
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  readonly supply: Supply;
  readonly recorder: StreamRecorder;
  readonly watch: InvariantWatch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

interface UnderWay {
  readonly volley: Volley;
  readonly outgoing: Outgoing;
  readonly sentAtMs: number;
}

// autocannon connects anew at once and for ever; a target that is gone has been noticed by then.
const failuresBeforeGivingUp = 200;
// Timers of this kind may fire a little early.
const timerSlackMs = 20;

/**
 * The closed engine: autocannon holds the connections and sends on each as soon as it was answered; what is counted and
 * timed is counted and timed here, because its own histogram holds whole milliseconds of all requests together. What is
 * under way at the end is abandoned. When the supply runs dry, that counts as a drop and ends the stream. Resolves when all
 * connections are closed.
 */
export async function runSaturation(options: SaturateOptions): Promise<void> {
  const { recorder, signal } = options;
  let instance: (autocannon.Instance & { stop?: () => void }) | undefined;
  const stop = (): void => instance?.stop?.();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  instance = autocannon(
    {
      url: options.origin,
      connections: options.connections,
      duration: options.seconds,
      // How often it looks whether to stop, in ms.
      sampleInt: 20,
      timeout: options.timeoutMs / 1000,
      bailout: failuresBeforeGivingUp,
      setupClient: (client) =>
        driveConnection(client, options, () => {
          recorder.count("dropped", performance.now());
          stop();
        }),
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
  signal.addEventListener("abort", stop, { once: true });
  await ended;
  signal.removeEventListener("abort", stop);
}

/** Gives one connection its requests and takes its answers. */
function driveConnection(client: autocannon.Client, options: SaturateOptions, exhausted: () => void): void {
  const { supply, recorder, watch, timeoutMs } = options;
  let underWay: UnderWay | undefined;
  /** The last answer said `Connection: close`. */
  let isClosing = false;
  /** What is under way went out on a connection that the target had said it would close: nobody reads it there. */
  let mustRepeat = false;

  function fail(kind: FailureKind): void {
    if (underWay === undefined || mustRepeat) return;
    const { volley, outgoing, sentAtMs } = underWay;
    underWay = undefined;
    const nowMs = performance.now();
    recorder.failed(kind, nowMs);
    watch.watchFailure(outgoing, kind, sentAtMs, nowMs);
    volley.settled?.([undefined]);
  }

  const request = {
    setupRequest(defaults: autocannon.Request): autocannon.Request {
      const nowMs = performance.now();
      if (underWay !== undefined && mustRepeat) {
        mustRepeat = false;
        underWay = { ...underWay, sentAtMs: nowMs };
        return { ...defaults, ...wireForm(underWay.outgoing) };
      }
      // A connection that timed out, or that the target ended, was opened anew without a word of what was under way.
      if (underWay !== undefined)
        fail(nowMs - underWay.sentAtMs >= timeoutMs - timerSlackMs ? "timeout" : "closed-early");
      const volley = supply.next();
      const [outgoing] = volley?.requests ?? [];
      if (volley === undefined || outgoing === undefined) {
        exhausted();
        // It must be given something: a request that asks for nothing, and is not counted.
        return { ...defaults, method: "GET", path: "/" };
      }
      underWay = { volley, outgoing, sentAtMs: nowMs };
      // autocannon sends on whatever the answer said (RFC 9112 §9.6), and connects anew when the target has closed.
      mustRepeat = isClosing;
      isClosing = false;
      recorder.count("sent", nowMs);
      return { ...defaults, ...wireForm(outgoing) };
    },
    onResponse(status: number, body: string, _context: unknown, headers: Record<string, string | string[]>) {
      if (underWay === undefined) return;
      const { volley, sentAtMs } = underWay;
      underWay = undefined;
      mustRepeat = false;
      isClosing = saysClose(headers);
      const doneMs = performance.now();
      const durationMs = doneMs - sentAtMs;
      const answer: Answer = { status, body, rawHeaders: rawOf(headers), sentAtMs, durationMs };
      recorder.answered(kindOf(volley, answer), status, durationMs, doneMs);
      settleVolley(volley, [answer], watch);
    },
  };
  client.setRequests([request as unknown as autocannon.Request]);
  const events: NodeJS.EventEmitter = client;
  events.on("connError", (error: Error) => fail(failureOf(error)));
}

function failureOf(error: Error): FailureKind {
  const code: unknown = Reflect.get(error, "code");
  if (code === "ECONNREFUSED") return "refused-connection";
  return code === "ECONNRESET" || code === "EPIPE" ? "reset" : "closed-early";
}

function wireForm({ method, url, headers = [], body }: Outgoing): Partial<autocannon.Request> {
  const [, path] = splitUrl(url);
  return {
    method: method as "GET",
    path,
    headers: Object.fromEntries(headers),
    ...(typeof body === "string" && { body }),
  };
}

function saysClose(headers: Record<string, string | string[]>): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === "connection" && String(value).toLowerCase().includes("close"),
  );
}

function rawOf(headers: Record<string, string | string[]>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
}
