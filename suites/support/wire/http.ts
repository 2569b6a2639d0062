import { setTimeout as delay } from "node:timers/promises";
import { Agent, Client, type Dispatcher } from "undici";
import { createBodyKeeper } from "./body-keeper.ts";
import { InconclusiveError, interrupted } from "../verdict.ts";
import { createConnector } from "./connector.ts";
import { isDisturbance, refuseGatewayAnswer } from "./disturbance.ts";
import type { Exchange, HeaderLines } from "./exchange.ts";
import { endpointText, type NetworkSettings, type NodeEndpoint } from "./network.ts";
import type { Outgoing } from "./outgoing.ts";
import { createLostAnswers } from "./lost-answers.ts";
import { createOutageGuard } from "./outage-guard.ts";
import { createRateGate, isRateLimited } from "./rate-gate.ts";
import { requestLineOf, roundTrip, type RoundTripOptions } from "./round-trip.ts";
import { originOf } from "./url.ts";
import { withOwnHeaders } from "./user-agent.ts";

export type { Outgoing } from "./outgoing.ts";

export interface HttpOptions extends RoundTripOptions {
  /** The longest that a run waits for limits and for an outage without anything coming of it. */
  patienceMs: number;
  /** Upper bound on the request rate; undefined for none. */
  requestsPerSecond: number | undefined;
  network?: NetworkSettings;
  /** Header lines that the profile adds to requests to an address. */
  headersFor?: (url: string) => HeaderLines;
  /** Receives each exchange with all of its bodies, when it has ended. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** One kept-alive HTTP/1.1 connection of its own, for what depends on the connection. */
export interface Connection {
  send(outgoing: Outgoing, onRepeated?: (exchange: Exchange) => void): Promise<Exchange>;
  close(): Promise<void>;
}

export interface Http {
  /**
   * Sends over any pooled connection and records the exchange.
   *
   * @param onRepeated - receives each exchange that was made again: a limit that was waited for, a lost answer
   * @throws {InconclusiveError} when no answer of the service was had
   */
  send(outgoing: Outgoing, onRepeated?: (exchange: Exchange) => void): Promise<Exchange>;
  /** Sends nothing else by the same route for so long, but what takes the answer of a limit as it is. */
  holdBack(outgoing: Outgoing, milliseconds: number): void;
  /** @param node - where the connection goes instead of to the host of the origin */
  connect(origin: string, node?: NodeEndpoint): Connection;
  /** Records an exchange that something else made, such as a browser. */
  record(seen: Omit<Exchange, "number">): Exchange;
  /** Every exchange of the run so far, in the order in which they were sent; long bodies are cut. */
  readonly exchanges: readonly Exchange[];
  /** How many exchanges were lost or answered by a gateway so far. */
  readonly disturbances: number;
  close(): Promise<void>;
}

const maxLimits = 8;

export function createHttp(options: HttpOptions): Http {
  const exchanges: Exchange[] = [];
  const kept = createBodyKeeper();
  // Over HTTP/2, requests that are to race would share one connection.
  const connectionTo = (node?: NodeEndpoint): Client.Options => ({
    pipelining: 1,
    allowH2: false,
    connect: createConnector(options.timeoutMs, options.network, process.env, node),
  });
  const agent = new Agent({ ...connectionTo(), connections: 64 });
  const pace = createRateLimiter(options);
  const rates = createRateGate(options.patienceMs, options.signal);
  const outages = createOutageGuard(options.patienceMs);
  const lost = createLostAnswers(outages);

  async function exchange(dispatcher: Dispatcher, outgoing: Outgoing): Promise<Exchange> {
    const number = exchanges.length;
    // The number is taken when sending, so that the list stays in sending order however answers overtake each other.
    let exchange: Exchange = pendingExchange(number, outgoing, options.headersFor?.(outgoing.url));
    exchanges.push(exchange);
    try {
      exchange = { ...exchange, ...(await roundTrip(dispatcher, outgoing, options, exchange)) };
      return exchange;
    } finally {
      exchanges[number] = kept(exchange);
      options.onExchange?.(exchange);
    }
  }

  /** One try. @returns undefined for a limit that is to be waited for */
  async function once(
    dispatcher: Dispatcher,
    outgoing: Outgoing,
    onRepeated: (exchange: Exchange) => void,
  ): Promise<Exchange | undefined> {
    const place = outgoing.takeRateLimit ? undefined : await rates.enter(outgoing);
    let answer: Exchange;
    try {
      await pace();
      outages.requireResponsive(outgoing);
      answer = await exchange(dispatcher, outgoing);
    } catch (error) {
      place?.left();
      outages.failed(outgoing, error);
      throw error;
    }
    outages.answered(outgoing);
    if (place !== undefined && isRateLimited(answer)) {
      place.limited(answer);
      onRepeated(answer);
      outgoing.onRepeated?.();
      return undefined;
    }
    place?.succeeded();
    return refuseGatewayAnswer(answer, requestLineOf(outgoing));
  }

  async function sendOver(
    dispatcher: Dispatcher,
    outgoing: Outgoing,
    onRepeated: (exchange: Exchange) => void = () => {},
  ): Promise<Exchange> {
    let limits = 0;
    const tries = lost.of(outgoing);
    for (;;) {
      try {
        const answer = await once(dispatcher, outgoing, onRepeated);
        if (answer !== undefined) return answer;
        limits += 1;
        if (limits < maxLimits) continue;
      } catch (error) {
        if (!isDisturbance(error) || outgoing.mayBeLost) throw error;
        const waitMs = tries.repeatAfterMs(error);
        const unanswered = error.exchange && exchanges[error.exchange.number];
        if (unanswered !== undefined) onRepeated(unanswered);
        outgoing.onRepeated?.();
        await delay(waitMs, undefined, { signal: options.signal }).catch((cause: unknown) => {
          throw interrupted(cause);
        });
        continue;
      }
      throw new InconclusiveError(
        "rate-limited",
        `${requestLineOf(outgoing)}: refused for a limit ${limits} times`,
      );
    }
  }

  function connect(origin: string, node?: NodeEndpoint): Connection {
    const client = new Client(origin, connectionTo(node));
    const placed = (outgoing: Outgoing): Outgoing => (node === undefined ? outgoing : { ...outgoing, node });
    return {
      send: (outgoing, onRepeated) => sendOver(client, placed(outgoing), onRepeated),
      close: () => client.close(),
    };
  }

  async function sendToNode(
    outgoing: Outgoing,
    onRepeated?: (exchange: Exchange) => void,
  ): Promise<Exchange> {
    const connection = connect(originOf(outgoing.url), outgoing.node);
    try {
      return await connection.send(outgoing, onRepeated);
    } finally {
      await connection.close();
    }
  }

  return {
    send: (outgoing, onRepeated) =>
      outgoing.node === undefined ? sendOver(agent, outgoing, onRepeated) : sendToNode(outgoing, onRepeated),
    holdBack: rates.holdBack,
    connect,
    record(seen) {
      const exchange = { ...seen, number: exchanges.length };
      exchanges.push(kept(exchange));
      options.onExchange?.(exchange);
      return exchange;
    },
    exchanges,
    get disturbances() {
      return lost.count;
    },
    close: () => agent.destroy(),
  };
}

function pendingExchange(number: number, outgoing: Outgoing, added: HeaderLines = []): Exchange {
  const { body = "" } = outgoing;
  const text =
    typeof body === "string"
      ? body
      : body instanceof Uint8Array
        ? Buffer.from(body).toString("utf8")
        : Buffer.concat(body.map((part) => Buffer.from(part))).toString("utf8");
  return {
    number,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    request: {
      method: outgoing.method,
      url: outgoing.url,
      headers: withOwnHeaders(outgoing.headers ?? [], outgoing.checkId, added),
      body: text,
      ...(Array.isArray(body) && { isChunked: true }),
      ...(outgoing.node && { node: endpointText(outgoing.node) }),
    },
    // Status 0 stays only when no answer came.
    response: { status: 0, headers: [], body: "" },
  };
}

function createRateLimiter({
  requestsPerSecond,
  signal,
}: Pick<HttpOptions, "requestsPerSecond" | "signal">): () => Promise<void> {
  if (requestsPerSecond === undefined) return async () => {};
  let next = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + 1000 / requestsPerSecond;
    if (at > now)
      await delay(at - now, undefined, { signal }).catch((cause: unknown) => {
        throw interrupted(cause);
      });
  };
}
