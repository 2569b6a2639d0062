import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSolver } from "../pow/solver.ts";
import { createEvidence } from "../target/evidence.ts";
import { parseProfile } from "../target/profile.ts";
import { openTarget, type TargetRun } from "../target/target.ts";
import { tokenRequest } from "./oauth-client.ts";
import { postTokenSimultaneously } from "./simultaneous-requests.ts";

/** What reached the server, one entry for each arrival of bytes on a connection. */
const arrivals: string[] = [];
const loses = { connections: 0 };
const server = createServer((socket) => {
  let received = "";
  socket.on("error", () => {});
  socket.on("data", (part) => {
    const text = part.toString("latin1");
    if (!text.startsWith("GET")) arrivals.push(text.slice(-8));
    received += text;
    const [, length] = /content-length: (\d+)/iu.exec(received) ?? [];
    const [, body = ""] = received.split("\r\n\r\n", 2);
    if (body.length < Number(length ?? 0)) return;
    received = "";
    if (length !== undefined && loses.connections > 0) {
      loses.connections -= 1;
      socket.destroy();
    } else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  });
});
const solver = createSolver();
let run: TargetRun;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url }, "of the test");
  run = openTarget(profile, solver, new AbortController().signal);
});

afterAll(async () => {
  await run.close();
  await solver.close();
  server.close();
});

const fields = [["grant_type", "refresh_token"]] as const;

test("requests race at all nodes that the profile lists", async () => {
  const nodes = await Promise.all([countingServer(), countingServer(), countingServer()]);
  const profile = parseProfile(
    {
      auth_url: "http://auth.example.test",
      api_url: "http://api.example.test",
      mcp_url: "http://mcp.example.test",
      nodes: { auth: nodes.map(({ port }) => `127.0.0.1:${port}`) },
    },
    "of the test",
  );
  const spread = openTarget(profile, solver, new AbortController().signal);
  try {
    await postTokenSimultaneously(spread.targetFor(createEvidence()), fields, 6);
    expect(nodes.map(({ posts }) => posts.count)).toEqual([2, 2, 2]);
  } finally {
    await spread.close();
    for (const { close } of nodes) close();
  }
});

/** A server that counts the forms posted to it. */
async function countingServer(): Promise<{ port: number; posts: { count: number }; close: () => void }> {
  const posts = { count: 0 };
  const counting = createHttpServer((request, response) => {
    if (request.method === "POST") posts.count += 1;
    request.resume();
    request.on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => counting.listen(0, "127.0.0.1", resolve));
  const address = counting.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, posts, close: () => counting.close() };
}

test("the last bytes arrive after everything else", async () => {
  arrivals.length = 0;
  expect(await postTokenSimultaneously(run.targetFor(createEvidence()), fields, 6)).toHaveLength(6);
  expect(arrivals.slice(-6)).toEqual(Array.from({ length: 6 }, () => "n"));
  expect(arrivals.slice(0, -6).join("")).not.toMatch(/refresh_token/u);
});

test("a lost answer leaves a race of the others", async () => {
  loses.connections = 2;
  expect(await postTokenSimultaneously(run.targetFor(createEvidence()), fields, 5)).toHaveLength(3);
});

test("of a single answer nothing can be said", async () => {
  loses.connections = 2;
  await expect(postTokenSimultaneously(run.targetFor(createEvidence()), fields, 3)).rejects.toMatchObject({
    code: "target-unreachable",
  });
});

/** A server that takes so many forms in a second, and turns the others away. */
async function limitedServer(perSecond: number): Promise<{ url: string; close: () => void }> {
  const taken: number[] = [];
  const limited = createHttpServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const now = performance.now();
      while (taken[0] !== undefined && taken[0] < now - 1000) taken.shift();
      const isTaken = request.method !== "POST" || taken.length < perSecond;
      if (isTaken && request.method === "POST") taken.push(now);
      response.writeHead(isTaken ? 200 : 429, isTaken ? {} : { "Retry-After": "1" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => limited.listen(0, "127.0.0.1", resolve));
  const address = limited.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => limited.close() };
}

test("requests that a limit turns away race again, with all that the limit allows for themselves", async () => {
  const { url, close } = await limitedServer(6);
  const profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url }, "of the test");
  const limited = openTarget(profile, solver, new AbortController().signal);
  const target = limited.targetFor(createEvidence());
  let isOver = false;
  const others = Array.from({ length: 8 }, async () => {
    while (!isOver) await target.send(tokenRequest(target, fields));
  });
  try {
    await target.pause(300);
    const answers = await postTokenSimultaneously(target, fields, 6);
    expect(answers.map(({ response }) => response.status)).toContain(200);
  } finally {
    isOver = true;
    await Promise.all(others);
    await limited.close();
    close();
  }
});
