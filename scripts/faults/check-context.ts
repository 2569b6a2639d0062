import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import type { Check } from "../../suites/support/judging/check.ts";
import type { Target } from "../../suites/support/target/target.ts";

const header = "x-caused-by";
const context = new AsyncLocalStorage<string>();

/** What code runs for: a check, or material that checks share (`once:KEY`). */
export interface CheckContext {
  /** What the running code works for; undefined for what belongs to no check. */
  current(): string | undefined;
  /** The same check, with everything that it causes here and in a service of this process running for it. */
  followed(check: Check): Check;
  /** What a check caused: its own name, and the names of the shared material that it asked for, directly or not. */
  causesOf(checkId: string): ReadonlySet<string>;
  stop(): void;
}

/**
 * Follows checks from the suite over HTTP into the service, also through the requests that the service makes to itself. A
 * header carries the name, since a server's handler runs in the context of whatever opened the connection.
 */
export function followChecks(): CheckContext {
  const asked = new Map<string, Set<string>>();

  const onRequest = (message: unknown): void => {
    const { request } = message as { request: { addHeader(name: string, value: string): void } };
    const name = context.getStore();
    if (name !== undefined) request.addHeader(header, encodeURIComponent(name));
  };
  const onReceived = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    const sent = request.headers[header];
    const name = typeof sent === "string" ? decodeURIComponent(sent) : "";
    // The server's handler is called from here, or once the body is there, by what the parser of the connection emits.
    context.enterWith(name);
    const emit = request.emit.bind(request);
    request.emit = (...event: Parameters<typeof emit>) => context.run(name, () => emit(...event));
  };
  subscribe("undici:request:create", onRequest);
  subscribe("http.server.request.start", onReceived);

  function followedTarget(target: Target): Target {
    return Object.defineProperties({} as Target, {
      ...Object.getOwnPropertyDescriptors(target),
      once: {
        enumerable: true,
        value: <Result>(key: string, make: (target: Target) => Promise<Result>) => {
          const asker = context.getStore() ?? "";
          const name = `once:${key}`;
          asked.set(asker, (asked.get(asker) ?? new Set()).add(name));
          return target.once(key, (shared) => context.run(name, () => make(followedTarget(shared))));
        },
      },
      setup: { enumerable: true, get: () => followedTarget(target.setup) },
      control: { enumerable: true, get: () => followedTarget(target.control) },
      changing: {
        enumerable: true,
        value: (change: Parameters<Target["changing"]>[0]) => followedTarget(target.changing(change)),
      },
    });
  }

  return {
    current: () => context.getStore() || undefined,
    followed: (check) => ({
      ...check,
      act: (target) => context.run(check.id, () => check.act(followedTarget(target))),
    }),
    causesOf(checkId) {
      const causes = new Set([checkId]);
      // A set that grows while it is walked is walked to its new end.
      for (const cause of causes) for (const name of asked.get(cause) ?? []) causes.add(name);
      return causes;
    },
    stop() {
      unsubscribe("undici:request:create", onRequest);
      unsubscribe("http.server.request.start", onReceived);
    },
  };
}
