import { createServer, type Server } from "node:https";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { createHttp, type Http } from "../wire/http.ts";
import type { NetworkSettings } from "../wire/network.ts";
import { makeCertificates } from "./documents/certificates.ts";

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((it) => it.close()));
});

async function listening(server: Server | HttpServer): Promise<number> {
  opened.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** A node that says who it is, what it was called and which server name TLS asked for. */
async function startNode(name: string): Promise<number> {
  return listening(
    createHttpServer((request, response) => response.end(`${name} for ${request.headers.host}`)),
  );
}

function open(network: NetworkSettings = {}): Http {
  const http = createHttp({
    timeoutMs: 2000,
    maxBodyBytes: 1000,
    patienceMs: 1000,
    requestsPerSecond: undefined,
    signal: new AbortController().signal,
    network,
  });
  opened.push(http);
  return http;
}

const node = (port: number): { host: string; port: number } => ({ host: "127.0.0.1", port });

test("a request goes to its node and keeps naming the public address, over a connection or by itself", async () => {
  const ports = [await startNode("first"), await startNode("second")] as const;
  const http = open();
  const url = "http://mail.example:9000/jmap";
  const alone = await http.send({ method: "GET", url, node: node(ports[0]) });
  expect(alone.response.body).toBe("first for mail.example:9000");
  expect(alone.request).toMatchObject({ url, node: `127.0.0.1:${ports[0]}` });
  const connection = http.connect("http://mail.example:9000", node(ports[1]));
  const other = await connection.send({ method: "GET", url });
  await connection.close();
  expect(other.response.body).toBe("second for mail.example:9000");
  expect(http.exchanges.map(({ request }) => request.node)).toEqual(ports.map((port) => `127.0.0.1:${port}`));
});

test.for([
  { host: "mail.example", asked: "mail.example", why: "a name" },
  { host: "192.0.2.7", asked: false, why: "an address, for which TLS has no server name" },
])("over TLS a node must show the certificate of the public host, $why", async ({ host, asked }) => {
  const { ca, ...options } = await makeCertificates(host);
  const port = await listening(
    createServer(options, (request, response) =>
      response.end(JSON.stringify((request.socket as TLSSocket).servername)),
    ),
  );
  const other = await makeCertificates("127.0.0.1");
  const stranger = await listening(createServer(other, (_request, response) => response.end("stranger")));
  const url = `https://${host}/jmap`;
  const http = open({ ca: `${ca}\n${other.ca}` });
  const answer = await http.send({ method: "GET", url, node: node(port) });
  expect(JSON.parse(answer.response.body)).toBe(asked);
  await expect(http.send({ method: "GET", url, node: node(stranger) })).rejects.toMatchObject({
    code: "target-unreachable",
    message: expect.stringContaining("its certificate is for another host"),
  });
});

test("a node that is down says nothing about the public address", async () => {
  const port = await startNode("public");
  const http = open();
  const url = `http://127.0.0.1:${port}/`;
  const toNode = () => http.send({ method: "GET", url, node: node(1) });
  const refused = { message: expect.stringContaining(`GET ${url} at the node 127.0.0.1:1: `) };
  await http.send({ method: "GET", url });
  await expect(toNode()).rejects.toMatchObject(refused);
  expect((await http.send({ method: "GET", url })).response.status).toBe(200);
  // Once it was given up, it is not waited for again.
  await expect(toNode()).rejects.toMatchObject(refused);
});
