import autocannon from "autocannon";
import type { Outgoing } from "../http.ts";
import { splitUrl } from "../http.ts";
import type { Answer } from "./answer.ts";
import { kindOf, settleVolley } from "./settle-volley.ts";
import type { InvariantWatch } from "./invariants.ts";
import type { Supply, Volley } from "./load-step.ts";
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

/** What one connection has under way; autocannon hands it from the request to its response. */
interface UnderWay {
  volley?: Volley;
  outgoing?: Outgoing;
  sentAtMs?: number;
}

// autocannon connects anew at once and for ever; a target that is gone has been noticed by then.
const failuresBeforeGivingUp = 200;

/**
 * The closed engine: autocannon holds the connections and sends on each as soon as it was answered; what is counted and
 * timed is counted and timed here, because its own histogram holds whole milliseconds of all requests together. What is
 * under way at the end is abandoned. When the supply runs dry, that counts as a drop and ends the stream. Resolves when all
 * connections are closed.
 */
export async function runSaturation(options: SaturateOptions): Promise<void> {
  const { origin, supply, recorder, watch, signal } = options;
  const underWay = new Set<UnderWay>();
  let instance: (autocannon.Instance & { stop?: () => void }) | undefined;
  const stop = (): void => instance?.stop?.();

  const request = {
    setupRequest(defaults: autocannon.Request, context: UnderWay): autocannon.Request {
      const volley = supply.next();
      const [outgoing] = volley?.requests ?? [];
      if (volley === undefined || outgoing === undefined) {
        recorder.count("dropped", performance.now());
        stop();
        // It must be given something: a request that asks for nothing, and is not counted.
        return { ...defaults, method: "GET", path: "/" };
      }
      const nowMs = performance.now();
      Object.assign(context, { volley, outgoing, sentAtMs: nowMs });
      underWay.add(context);
      recorder.count("sent", nowMs);
      return { ...defaults, ...wireForm(outgoing) };
    },
    onResponse(status: number, body: string, context: UnderWay, headers: Record<string, string | string[]>) {
      const { volley, sentAtMs } = context;
      if (volley === undefined || sentAtMs === undefined) return;
      underWay.delete(context);
      const doneMs = performance.now();
      const answer: Answer = {
        status,
        body,
        rawHeaders: rawOf(headers),
        sentAtMs,
        durationMs: doneMs - sentAtMs,
      };
      recorder.answered(kindOf(volley, answer), status, answer.durationMs, doneMs);
      settleVolley(volley, [answer], watch);
    },
  };
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  instance = autocannon(
    {
      url: origin,
      connections: options.connections,
      duration: options.seconds,
      // How often it looks whether to stop, in ms.
      sampleInt: 20,
      timeout: options.timeoutMs / 1000,
      initialContext: {},
      requests: [request as unknown as autocannon.Request],
      bailout: failuresBeforeGivingUp,
    },
    (error: unknown) => (error ? reject(error) : resolve()),
  );
  instance.on("reqError", failOldest);
  signal.addEventListener("abort", stop, { once: true });
  await ended;
  signal.removeEventListener("abort", stop);
  // When the target ends a connection, autocannon opens another and never mentions what was under way on the first.
  while (underWay.size > options.connections) failOldest(new Error("the connection was closed"));

  /** autocannon says that one of its connections failed, and not which: the oldest request is the one that hung. */
  function failOldest(error: Error): void {
    const [oldest] = underWay;
    if (oldest?.outgoing === undefined || oldest.sentAtMs === undefined) return;
    underWay.delete(oldest);
    const code: unknown = Reflect.get(error, "code");
    const kind =
      error.message === "request timed out"
        ? "timeout"
        : code === "ECONNREFUSED"
          ? "refused-connection"
          : code === "ECONNRESET"
            ? "reset"
            : "closed-early";
    const nowMs = performance.now();
    recorder.failed(kind, nowMs);
    watch.watchFailure(oldest.outgoing, kind, oldest.sentAtMs, nowMs);
    oldest.volley?.settled?.([undefined]);
  }
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

function rawOf(headers: Record<string, string | string[]>): string[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name, value]),
  );
}
