import { setTimeout as delay } from "node:timers/promises";
import { InconclusiveError, interrupted } from "../verdict.ts";
import { type Exchange, header, jsonMembers, type JsonObject } from "./exchange.ts";
import type { Outgoing } from "./outgoing.ts";
import { splitUrl } from "./url.ts";

/**
 * Keeps a run within the limits of its target: requests to one route wait together while the route asks for it, and fewer
 * go out at the same time afterwards.
 */
export interface RateGate {
  /**
   * Waits for a place.
   *
   * @throws {InconclusiveError} rate-limited, while a route is given up
   */
  enter(outgoing: Outgoing): Promise<Place>;
  /** Lets nothing in that goes the same route for so long: what passes by the gate needs the limit for itself. */
  holdBack(outgoing: Outgoing, milliseconds: number): void;
}

/** The right to send one request. One of the three must be called. */
export interface Place {
  succeeded(): void;
  /** The request ended without an answer that says anything about limits. */
  left(): void;
  /**
   * The target refused for its limits: nothing is sent to this route before the wait is over.
   *
   * @throws {InconclusiveError} rate-limited, when the patience of the run is at its end
   */
  limited(answer: Exchange): void;
}

interface Route {
  readonly name: string;
  active: number;
  /** How many may be under way at the same time. */
  limit: number;
  successes: number;
  blockedUntilMs: number;
  /** Refusals since the last success, and when the first of them came. */
  refusals: number;
  sinceMs: number;
  isGivenUp: boolean;
  /** What it asked to wait when it was given up, where it said so. */
  askedWaitMs: number | undefined;
  readonly queue: (() => void)[];
}

const firstWaitMs = 250;
const longestWaitMs = 8000;
const successesToWiden = 4;
// Wider than the checks of a run ever are.
const unlimited = 64;

/** @param patienceMs - how long a run may wait in vain, all routes together */
export function createRateGate(patienceMs: number, signal: AbortSignal): RateGate {
  const routes = new Map<string, Route>();
  let waitedInVainMs = 0;
  signal.addEventListener(
    "abort",
    () => [...routes.values()].flatMap(({ queue }) => queue.splice(0)).forEach((proceed) => proceed()),
    { once: true },
  );

  function routeOf(outgoing: Outgoing): Route {
    const name = routeName(outgoing);
    const route = routes.get(name) ?? {
      name,
      active: 0,
      limit: unlimited,
      successes: 0,
      blockedUntilMs: 0,
      refusals: 0,
      sinceMs: 0,
      isGivenUp: false,
      askedWaitMs: undefined,
      queue: [],
    };
    routes.set(name, route);
    return route;
  }

  function leave(route: Route): void {
    route.active -= 1;
    const free = route.isGivenUp ? route.queue.length : Math.max(0, route.limit - route.active);
    for (const proceed of route.queue.splice(0, free)) proceed();
  }

  function placeOn(route: Route): Place {
    const enteredMs = performance.now();
    return {
      left: () => leave(route),
      succeeded() {
        Object.assign(route, { refusals: 0, isGivenUp: false, successes: route.successes + 1 });
        if (route.limit < unlimited && route.successes % successesToWiden === 0) route.limit += 1;
        leave(route);
      },
      limited(answer) {
        const nowMs = performance.now();
        if (route.refusals === 0) route.sinceMs = nowMs;
        // Answers to requests that were under way together count as one.
        const isNews = enteredMs >= route.blockedUntilMs;
        if (isNews) {
          route.refusals += 1;
          route.limit = Math.max(1, Math.floor(Math.min(route.limit, route.active) / 2));
        }
        const askedWaitMs = requestedWaitMs(answer);
        const waitMs = askedWaitMs ?? backoffMs(route.refusals);
        route.blockedUntilMs = Math.max(route.blockedUntilMs, nowMs + waitMs);
        const inVainMs = nowMs - route.sinceMs;
        if (!route.isGivenUp && inVainMs + waitMs > patienceMs - waitedInVainMs) {
          Object.assign(route, { isGivenUp: true, askedWaitMs });
          waitedInVainMs += inVainMs;
        }
        leave(route);
        if (route.isGivenUp) throw givenUp(route, answer);
      },
    };
  }

  return {
    holdBack(outgoing, milliseconds) {
      const route = routeOf(outgoing);
      route.blockedUntilMs = Math.max(route.blockedUntilMs, performance.now() + milliseconds);
    },
    async enter(outgoing) {
      const route = routeOf(outgoing);
      for (;;) {
        if (signal.aborted) throw interrupted(signal.reason);
        const waitMs = route.blockedUntilMs - performance.now();
        // One request now and then still asks whether the limit is over.
        if (route.isGivenUp && (waitMs > 0 || route.active > 0)) throw givenUp(route);
        if (waitMs > 0) {
          await delay(waitMs, undefined, { signal }).catch((cause: unknown) => {
            throw interrupted(cause);
          });
        } else if (route.active < route.limit) {
          route.active += 1;
          return placeOn(route);
        } else {
          await new Promise<void>((resolve) => route.queue.push(resolve));
        }
      }
    },
  };
}

function givenUp(route: Route, answer?: Exchange): InconclusiveError {
  const what = answer === undefined ? "not sent, since it was" : `still answered ${answer.response.status},`;
  const asked =
    route.askedWaitMs === undefined
      ? ""
      : `, and asked to wait ${Math.ceil(route.askedWaitMs / 1000)} s, longer than is left of the run's patience`;
  return new InconclusiveError(
    "rate-limited",
    `${route.name}: ${what} refused for a limit ${route.refusals} times in a row${asked}; raise the target's limit for this run or the profile's patience_seconds`,
    { exchange: answer },
  );
}

/** Whether the target refused for its limits, or sheds load and says until when. */
export function isRateLimited(exchange: Exchange): boolean {
  const { status } = exchange.response;
  if (status === 400) return isTooConcurrent(jsonMembers(exchange));
  return status === 429 || (status === 503 && header(exchange, "retry-after") !== undefined);
}

/** JMAP has no 429 for more requests at the same time than `maxConcurrentRequests` (RFC 8620 §3.6.1). */
function isTooConcurrent({ type, limit }: JsonObject): boolean {
  return type === "urn:ietf:params:jmap:error:limit" && limit === "maxConcurrentRequests";
}

/** How long the target asks to wait; undefined when it does not say. */
function requestedWaitMs(exchange: Exchange): number | undefined {
  const retryAfter = header(exchange, "retry-after");
  if (retryAfter === undefined) return undefined;
  const seconds = Number(retryAfter);
  if (Number.isFinite(seconds)) return Math.max(0, seconds) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function backoffMs(refusals: number): number {
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (refusals - 1));
}

/** Method, origin and path; segments that name one thing among many are left out. */
function routeName({ method, url }: Outgoing): string {
  const [origin, target] = splitUrl(url);
  const [path = ""] = target.split(/[?#]/u, 1);
  const segments = path
    .split("/")
    .map((segment) => (/^(?=.*\d)[\w%.~-]{8,}$/u.test(segment) ? "*" : segment));
  return `${method} ${origin}${segments.slice(0, 5).join("/")}`;
}
