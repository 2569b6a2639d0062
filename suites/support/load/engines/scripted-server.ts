import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScriptedServer {
  readonly origin: string;
  /** `performance.now()` of each request's arrival, ms. */
  readonly arrivalsMs: readonly number[];
  close(): Promise<void>;
}

/** A server for tests of the engines, whose every delay is known. */
export async function startScriptedServer(answer: RequestListener): Promise<ScriptedServer> {
  const arrivalsMs: number[] = [];
  const server = createServer((request, response) => {
    arrivalsMs.push(performance.now());
    request.resume();
    answer(request, response);
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
