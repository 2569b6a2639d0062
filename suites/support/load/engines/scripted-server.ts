import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedServer {
  readonly origin: string;
  /** `performance.now()` when each request arrived, in ms. */
  readonly arrivalsMs: readonly number[];
  close(): Promise<void>;
}

/** A server with known delays, for tests of the engines. */
export async function startScriptedServer(listener: RequestListener): Promise<ScriptedServer> {
  const arrivalsMs: number[] = [];
  const server = createServer((request, response) => {
    arrivalsMs.push(performance.now());
    request.resume();
    listener(request, response);
  });
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    arrivalsMs,
    async close() {
      const { promise, resolve: closed } = Promise.withResolvers<void>();
      server.close(() => closed());
      server.closeAllConnections();
      await promise;
    },
  };
}
