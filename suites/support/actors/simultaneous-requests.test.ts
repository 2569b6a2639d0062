import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSolver } from "../pow/solver.ts";
import { createEvidence } from "../target/evidence.ts";
import { parseProfile } from "../target/profile.ts";
import { openTarget, type TargetRun } from "../target/target.ts";
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
