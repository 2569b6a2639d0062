import { createServer as createPlainServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testCertificate } from "../../fixtures/test-servers/test-certificate.ts";
import type { ConnectionSettings } from "../../suites/support/target/connection.ts";
import { runClosedLoop } from "../../suites/support/load/engines/closed-loop.ts";
import { dispatch, openPool } from "../../suites/support/load/engines/dispatch.ts";
import { createInvariantChecker } from "../../suites/support/load/engines/invariants.ts";
import { createStreamRecorder } from "../../suites/support/load/engines/stream-recorder.ts";

const connection: ConnectionSettings = {
  network: {
    ca: testCertificate.cert,
    clientCertificate: { ...testCertificate, hosts: new Set(["service.test"]) },
    resolve: { "service.test": "127.0.0.1" },
  },
  headersFor: () => [["X-Gate", "open"]],
};

/** Host, gate token and whether a client certificate was shown, of the first request. */
async function seenBy(
  isSecure: boolean,
  send: (origin: string) => Promise<void>,
): Promise<{ host: string | undefined; gate: unknown; hasCertificate: boolean }> {
  const seen: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    seen.push(request);
    response.end("{}");
  };
  const options = { ...testCertificate, requestCert: true, rejectUnauthorized: false };
  const server = isSecure ? createServer(options, answer) : createPlainServer(answer);
  let hasCertificate = false;
  server.on("secureConnection", (socket: { getPeerCertificate(): object }) => {
    hasCertificate ||= Object.keys(socket.getPeerCertificate()).length > 0;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await send(`${isSecure ? "https" : "http"}://service.test:${port}`);
    const { host, "x-gate": gate } = seen[0]?.headers ?? {};
    return { host: host?.replace(`:${port}`, ""), gate, hasCertificate };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function overPool(origin: string): Promise<void> {
  const pool = openPool(origin, 5000, connection);
  await new Promise<void>((resolve, reject) => {
    const outgoing = { method: "GET", url: `${origin}/` };
    dispatch(pool, outgoing, { timeoutMs: 5000 }, { onResponse: () => resolve(), onFailure: reject });
  });
  await pool.close();
}

async function overClosedLoop(origin: string): Promise<void> {
  await runClosedLoop({
    origin,
    connections: 1,
    seconds: 0.2,
    timeoutMs: 5000,
    supply: {
      next: () => ({
        requests: [{ method: "GET", url: `${origin}/` }],
        isExpectedStatus: (status) => status === 200,
        judge: () => {},
      }),
    },
    recorder: createStreamRecorder(performance.now()),
    checker: createInvariantChecker("test"),
    signal: new AbortController().signal,
    connection,
  });
}

test.for([
  { engine: "open loop", isSecure: true, send: overPool },
  { engine: "open loop", isSecure: false, send: overPool },
  { engine: "closed loop", isSecure: true, send: overClosedLoop },
  { engine: "closed loop", isSecure: false, send: overClosedLoop },
])(
  "$engine, over TLS: $isSecure, honours what the profile says of connections",
  async ({ isSecure, send }) => {
    expect(await seenBy(isSecure, send)).toEqual({
      host: "service.test",
      gate: "open",
      hasCertificate: isSecure,
    });
  },
);
