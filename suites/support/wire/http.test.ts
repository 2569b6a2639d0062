import { type AddressInfo, createServer, type Server } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createHttp, type Http, type HttpOptions, type Outgoing } from "./http.ts";

const opened: { server: Server; http: Http }[] = [];

afterEach(async () => {
  for (const { server, http } of opened.splice(0)) {
    await http.close();
    server.close();
  }
});

const unhurried: HttpOptions = {
  timeoutMs: 2000,
  maxBodyBytes: 1000,
  patienceMs: 5000,
  requestsPerSecond: undefined,
  signal: new AbortController().signal,
};

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
      socket.write(answer, "latin1");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const http = createHttp({ ...unhurried, ...options });
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

  test.for([
    { why: "whole", interim: "HTTP/1.1 100 Continue\r\n\r\n" },
    { why: "with a header", interim: "HTTP/1.1 100 Continue\r\nServer: x\r\n\r\n" },
    { why: "twice", interim: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" },
    { why: "before early hints", interim: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" },
  ])("100 Continue that nobody asked for, $why, comes before an answer", async ({ interim }) => {
    const { send } = await against([`${interim}${ok}`]);
    for (const body of ["a=1", "b=2"]) {
      const { response } = await send({ method: "POST", body });
      expect(response).toMatchObject({ status: 200, body: "ok" });
    }
  });

  test("100 Continue in pieces comes before an answer", async () => {
    const pieces = [
      "HTTP/1",
      ".1 100 Conti",
      "nue\r\n\r",
      "\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        pieces.forEach((piece, at) => setTimeout(() => socket.write(piece), 20 * at));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { http } = await against([ok]);
    opened.push({ server, http });
    const { port } = server.address() as AddressInfo;
    const { response } = await http.send({ method: "POST", url: `http://127.0.0.1:${port}/`, body: "a=1" });
    expect(response).toMatchObject({ status: 200, body: "ok" });
  });

  test("a body that speaks of 100 Continue is left as it is", async () => {
    const body = "HTTP/1.1 100 Continue\r\n\r\n";
    const { send } = await against([`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`]);
    expect((await send({ method: "POST", body: "a=1" })).response.body).toBe(body);
  });

  test("a header value beyond Latin-1 goes out in UTF-8", async () => {
    const { send, received } = await against([ok]);
    await send({ headers: [["Authorization", "Bearer k\u{2713}\u{E9}"]] });
    const sent = Buffer.from(received[0] ?? "", "latin1").toString("utf8");
    expect(sent).toContain("Authorization: Bearer k\u{2713}\u{E9}\r\n");
  });

  test("a header value that cannot be sent is not a disturbance of the network", async () => {
    const { send, http } = await against([ok]);
    const sent = send({ headers: [["Authorization", "Bearer a\nb"]] });
    await expect(sent).rejects.toMatchObject({ code: "precondition-missing" });
    expect(http.disturbances).toBe(0);
  });

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

  test("a request says who sends it, unless it says so itself", async () => {
    const { send, received } = await against([ok]);
    await send({});
    await send({ headers: [["user-agent", "a browser"]] });
    expect(received.map((text) => /^user-agent: (.*?)\r$/imu.exec(text)?.[1])).toEqual([
      expect.stringMatching(/^mailproof\/\d/u),
      "a browser",
    ]);
  });

  test("a request names the check that sends it", async () => {
    const { send, received } = await against([ok]);
    await send({ checkId: "PKCE-01/verifier" });
    await send({});
    expect(received.map((text) => /^x-conformance-check: (.*?)\r$/imu.exec(text)?.[1])).toEqual([
      "PKCE-01/verifier",
      undefined,
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

  const problem = '{"type":"urn:ietf:params:jmap:error:limit","limit":"maxConcurrentRequests"}';
  const tooConcurrent = `HTTP/1.1 400 Bad Request\r\nContent-Length: ${problem.length}\r\n\r\n${problem}`;

  test.for([
    { why: "429 with Retry-After", answer: limited("429 Too Many Requests", "Retry-After: 0\r\n") },
    { why: "503 with Retry-After", answer: limited("503 Service Unavailable", "Retry-After: 0\r\n") },
    { why: "a limit of JMAP on requests at the same time", answer: tooConcurrent },
  ])("$why is asked again, and both exchanges are kept", async ({ answer }) => {
    const { send, http } = await against([answer, ok]);
    expect((await send({})).response.status).toBe(200);
    expect(http.exchanges).toHaveLength(2);
  });

  test("after a limit fewer requests go out together, and each is answered", async () => {
    const { send, received } = await against([limited("429 Too Many Requests", "Retry-After: 0\r\n"), ok]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({})));
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    expect(received).toHaveLength(6);
  });

  test("a route that refuses everything is given up for all that wait for it", async () => {
    const { send, received } = await against([limited("429 Too Many Requests", "Retry-After: 1\r\n")], {
      patienceMs: 500,
    });
    const outcomes = await Promise.allSettled(Array.from({ length: 3 }, () => send({})));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(send({})).rejects.toThrow("not sent");
    expect(received).toHaveLength(3);
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

const gateway = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";
const unavailable = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

describe("what a gateway answers in place of the service", () => {
  test.for([gateway, unavailable])("is asked again where that does no harm", async (answer) => {
    const { send, http } = await against([answer, ok]);
    expect((await send({})).response.status).toBe(200);
    expect(http.disturbances).toBe(1);
  });

  test("is never the service's answer to what may not be repeated", async () => {
    const { send, received } = await against([gateway, ok]);
    await expect(send({ method: "POST", body: "x" })).rejects.toMatchObject({ code: "gateway-answer" });
    expect(received).toHaveLength(1);
  });

  test("is not asked again for ever", async () => {
    const { send, received } = await against([gateway]);
    await expect(send({ method: "POST", isRepeatable: true })).rejects.toMatchObject({
      code: "gateway-answer",
    });
    expect(received).toHaveLength(5);
  });
});

describe("a gateway that closes the connection", () => {
  /** Closes the connection at what asks for this path, and answers everything else. */
  async function closingAt(path: string) {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (part) => {
        if (part.toString("latin1").startsWith(`GET ${path} `)) socket.destroy();
        else socket.write(ok, "latin1");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    const http = createHttp(unhurried);
    opened.push({ server, http });
    return { http, send: (to: string) => http.send({ method: "GET", url: origin + to }) };
  }

  test("at one request only disturbs nothing, and needs fewer tries once it is known", async () => {
    const { http, send } = await closingAt("/odd");
    const closed = async (): Promise<void> => {
      const odd = send("/odd");
      await send("/ordinary");
      await expect(odd).rejects.toMatchObject({ code: "connection-closed" });
    };
    const exchangesOf = async (work: () => Promise<void>): Promise<number> => {
      const before = http.exchanges.length;
      await work();
      return http.exchanges.length - before;
    };
    expect(await exchangesOf(async () => void (await Promise.all([closed(), closed(), closed()])))).toBe(
      3 * (5 + 1),
    );
    expect(await exchangesOf(closed)).toBe(3 + 1);
    expect(http.disturbances).toBe(0);
  });

  test("at every request is a disturbance", async () => {
    const { http, send } = await closingAt("/odd");
    await expect(send("/odd")).rejects.toMatchObject({ code: "target-unreachable" });
    expect(http.disturbances).toBe(5);
  });
});

describe("content codings", () => {
  const coded = (coding: string, body: Uint8Array): string =>
    `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n${Buffer.from(body).toString("latin1")}`;

  test.for([
    { coding: "gzip", encode: gzipSync },
    { coding: "deflate", encode: deflateSync },
    { coding: "deflate", encode: deflateRawSync },
    { coding: "br", encode: brotliCompressSync },
    { coding: "zstd", encode: zstdCompressSync },
    { coding: "identity", encode: (text: string) => Buffer.from(text) },
  ])("a body in $coding is read", async ({ coding, encode }) => {
    const { send } = await against([coded(coding, encode("the body"))]);
    expect((await send({})).response.body).toBe("the body");
  });

  test("a small body that decodes to a large one is not read to its end", async () => {
    const { send } = await against([coded("gzip", gzipSync("x".repeat(100_000)))]);
    await expect(send({})).rejects.toMatchObject({ code: "answer-unbounded" });
  });
});

describe("an event stream", () => {
  const endless =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n";

  test("is not read where the request leaves it, and the next request is answered", async () => {
    const { send } = await against([endless, ok]);
    const { response } = await send({ leavesEventsUnread: true });
    expect(response).toMatchObject({ status: 200, body: "" });
    expect((await send({})).response.body).toBe("ok");
  });

  test("is waited for to its end by other requests", async () => {
    const { send } = await against([endless], { timeoutMs: 100 });
    await expect(send({})).rejects.toMatchObject({ code: "target-silent" });
  });

  test("that is kept back says nothing about the origin", async () => {
    const { send } = await against(["", "", "", "", ok]);
    for (let request = 0; request < 4; request += 1)
      await expect(send({ leavesEventsUnread: true, mostMs: 50 })).rejects.toMatchObject({
        code: "target-silent",
      });
    expect((await send({})).response.body).toBe("ok");
  });

  test("another answer is read to its end", async () => {
    const { send } = await against([ok]);
    expect((await send({ leavesEventsUnread: true })).response.body).toBe("ok");
  });
});

describe("what proves nothing", () => {
  test("a body past the bound", async () => {
    const { send } = await against([`HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n${"x".repeat(2000)}`]);
    await expect(send({})).rejects.toMatchObject({ code: "answer-unbounded" });
  });

  test("silence, and after some of it the origin is spared", async () => {
    const { send, received } = await against([""], { timeoutMs: 400 });
    for (let request = 0; request < 4; request += 1)
      await expect(send({})).rejects.toMatchObject({ code: "target-silent" });
    await expect(send({})).rejects.toThrow("not sent");
    expect(received).toHaveLength(4);
  });

  test("silence, no longer than the request allows", async () => {
    const { send } = await against([""], { timeoutMs: 60_000 });
    await expect(send({ mostMs: 100 })).rejects.toThrow("no complete answer within 0.1 s");
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
