import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Client } from "undici";
import { createConnector } from "./connector.ts";

const servers: (Server | HttpServer)[] = [];
const clients: Client[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server | HttpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Keeps what it receives, and answers 200 to everything. */
function target(received: string[]): (socket: Socket) => void {
  return (socket) => {
    socket.on("error", () => {});
    socket.on("data", (part: Buffer) => {
      received.push(part.toString("latin1"));
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  };
}

interface Tunnel {
  readonly authority: string | undefined;
  readonly authorization: string | undefined;
}

/** Opens each tunnel to the same port of this machine. */
async function startProxy(port: number, tunnels: Tunnel[], status = 200): Promise<string> {
  const proxy = createHttpServer();
  proxy.on("connect", ({ url, headers }, socket: Socket) => {
    tunnels.push({ authority: url, authorization: headers["proxy-authorization"] });
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on("error", () => upstream.destroy());
    return undefined;
  });
  return `127.0.0.1:${await listening(proxy)}`;
}

async function send(origin: string, proxyUrl: string): Promise<number> {
  const environment = { HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };
  const client = new Client(origin, { connect: createConnector(2000, {}, environment), allowH2: false });
  clients.push(client);
  const { statusCode } = await client.request({
    method: "GET",
    path: "/a/../b?x=%41",
    headers: ["X-Twice", "1", "x-twice", "2"],
  });
  return statusCode;
}

test("a request through a proxy arrives as it was written, repeated header lines included", async () => {
  const [received, tunnels]: [string[], Tunnel[]] = [[], []];
  const proxy = await startProxy(await listening(createServer(target(received))), tunnels);
  expect(await send("http://service.test:8080", `http://user:p%40ss@${proxy}`)).toBe(200);
  expect(received.join("")).toContain("GET /a/../b?x=%41 HTTP/1.1\r\n");
  expect(received.join("")).toContain("X-Twice: 1\r\nx-twice: 2\r\n");
  expect(tunnels).toEqual([
    {
      authority: "service.test:8080",
      authorization: `Basic ${Buffer.from("user:p@ss").toString("base64")}`,
    },
  ]);
});

test("TLS is spoken with the target, inside the tunnel", async () => {
  const [received, tunnels]: [string[], Tunnel[]] = [[], []];
  const proxy = await startProxy(await listening(createServer(target(received))), tunnels);
  // The target answers the ClientHello without TLS.
  await expect(send("https://service.test", `http://${proxy}`)).rejects.toThrow("SSL");
  expect(tunnels).toEqual([{ authority: "service.test:443", authorization: undefined }]);
  expect(received[0]).toMatch(/^\u{16}\u{3}.*service\.test/su);
});

test("a proxy that refuses is named, without its password", async () => {
  const proxy = await startProxy(0, [], 407);
  await expect(send("http://service.test", `http://user:secret@${proxy}`)).rejects.toThrow(
    `the proxy at ${proxy} answered 407 to CONNECT service.test:80`,
  );
});

test("a proxy that does not listen is named", async () => {
  await expect(send("http://service.test", "http://127.0.0.1:9")).rejects.toThrow(
    "the proxy at 127.0.0.1:9 cannot be used: connect ECONNREFUSED",
  );
});

test("this machine is reached directly", async () => {
  const received: string[] = [];
  const port = await listening(createServer(target(received)));
  expect(await send(`http://127.0.0.1:${port}`, "http://127.0.0.1:9")).toBe(200);
});
