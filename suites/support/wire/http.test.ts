import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createHttp, type Http, type HttpOptions, type Outgoing } from "./http.ts";

const opened: { server: Server; http: Http }[] = [];

afterEach(async () => {
  for (const { server, http } of opened.splice(0)) {
    await http.close();
    server.close();
  }
});

/** A peer on loopback that keeps what it received and answers with these texts, one for each request. */
async function against(answers: readonly string[], options: Partial<HttpOptions> = {}) {
  const received: string[] = [];
  let next = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (part) => {
      received.push(part.toString("latin1"));
      const answer = answers[Math.min(next, answers.length - 1)] ?? "";
      next += 1;
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const http = createHttp({
    timeoutMs: 2000,
    maxBodyBytes: 1000,
    patienceMs: 5000,
    requestsPerSecond: undefined,
    signal: new AbortController().signal,
    ...options,
  });
  opened.push({ server, http });
  return {
    http,
    received,
    send: (outgoing: Partial<Outgoing> & { path?: string }) =>
      http.send({ method: "GET", url: `${origin}${outgoing.path ?? "/"}`, ...outgoing }),
  };
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

describe("what crosses the wire", () => {
  test.for(["/a/../b", "//double", "/%6Amap", "/a;b?x=%2F..", "/./x", "/\\back"])(
    "the request target %s goes out byte for byte",
    async (path) => {
      const { send, received } = await against([ok]);
      await send({ path });
      expect(received[0]?.split("\r\n", 1)[0]).toBe(`GET ${path} HTTP/1.1`);
    },
  );

  test("header lines keep their order, case and repetition", async () => {
    const { send, received } = await against([ok]);
    await send({
      headers: [
        ["X-Two", "b"],
        ["x-TWO", "a"],
        ["X-One", ""],
      ],
    });
    expect(received[0]?.split("\r\n").filter((line) => /^x-/iu.test(line))).toEqual([
      "X-Two: b",
      "x-TWO: a",
      "X-One: ",
    ]);
  });

  test("a body goes out as it is written, duplicate keys and all", async () => {
    const { send, received } = await against([ok]);
    const body = '{"a":1,"a":2,"\\u0061":3}';
    await send({ method: "POST", body });
    expect(received.join("")).toContain(`\r\n\r\n${body}`);
  });

  test("response header lines are recorded one by one", async () => {
    const { send } = await against([
      "HTTP/1.1 302 Found\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nLocation: https://x/%41/../y\r\nContent-Length: 0\r\n\r\n",
    ]);
    const { response } = await send({});
    expect(response).toMatchObject({
      status: 302,
      headers: [
        ["Set-Cookie", "a=1"],
        ["Set-Cookie", "b=2"],
        ["Location", "https://x/%41/../y"],
        ["Content-Length", "0"],
      ],
    });
  });
});

describe("waiting", () => {
  const limited = (status: string, seconds: string): string =>
    `HTTP/1.1 ${status}\r\n${seconds}Content-Length: 0\r\n\r\n`;

  test.for([
    { why: "429 with Retry-After", answer: limited("429 Too Many Requests", "Retry-After: 0\r\n") },
    { why: "503 with Retry-After", answer: limited("503 Service Unavailable", "Retry-After: 0\r\n") },
  ])("$why is asked again, and both exchanges are kept", async ({ answer }) => {
    const { send, http } = await against([answer, ok]);
    expect((await send({})).response.status).toBe(200);
    expect(http.exchanges).toHaveLength(2);
  });

  test("503 without Retry-After is an answer", async () => {
    const { send } = await against([limited("503 Service Unavailable", "")]);
    expect((await send({})).response.status).toBe(503);
  });

  test("a limit that outlasts the patience proves nothing", async () => {
    const { send } = await against([limited("429 Too Many Requests", "Retry-After: 60\r\n")]);
    await expect(send({})).rejects.toMatchObject({ code: "rate-limited" });
  });

  test("a check of the limit itself takes the 429", async () => {
    const { send } = await against([limited("429 Too Many Requests", "Retry-After: 60\r\n")]);
    expect((await send({ takeRateLimit: true })).response.status).toBe(429);
  });
});

describe("what proves nothing", () => {
  test("a body past the bound", async () => {
    const { send } = await against([`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${"x".repeat(2000)}`]);
    await expect(send({})).rejects.toMatchObject({ code: "answer-unbounded" });
  });

  test("silence, and after some of it the origin is spared", async () => {
    const { send, received } = await against([""], { timeoutMs: 50 });
    for (let request = 0; request < 4; request += 1)
      await expect(send({})).rejects.toMatchObject({ code: "target-silent" });
    await expect(send({})).rejects.toThrow("not sent");
    expect(received).toHaveLength(4);
  });

  test("a connection that is cut", async () => {
    const { send } = await against(["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"], { timeoutMs: 100 });
    await expect(send({})).rejects.toMatchObject({ name: "InconclusiveError" });
  });

  test("an address that is none is our own mistake", async () => {
    const { http } = await against([ok]);
    await expect(http.send({ method: "GET", url: "/relative" })).rejects.toThrow(TypeError);
  });
});
