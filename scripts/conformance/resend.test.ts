import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resend } from "../../reports/curl.ts";
import { isPrintable } from "../../reports/printable.ts";
import { variableNames } from "../../reports/shell-text.ts";
import { createHttp, type Http, type Outgoing } from "../../suites/support/wire/http.ts";
import { createSecretMask } from "../../suites/support/wire/secrets.ts";

// Each command starts a shell and curl, which takes long on a busy machine.

/** What one connection brought, in Latin-1: a character for each byte. */
const received: string[] = [];
let server: Server;
let http: Http;
let origin: string;

beforeAll(async () => {
  server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (part) => {
      text += part.toString("latin1");
      if (!isComplete(text)) return;
      received.push(text);
      socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  http = createHttp({
    timeoutMs: 5000,
    maxBodyBytes: 1000,
    patienceMs: 1000,
    requestsPerSecond: undefined,
    signal: new AbortController().signal,
  });
});

afterAll(async () => {
  await http.close();
  server.close();
});

function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: (\d+)/imu.exec(text)?.[1] ?? 0);
  return end >= 0 && text.length - end - 4 >= length;
}

/** Sends a request as the suite does, then with the command that a report shows, and returns what arrived each time. */
async function bothWays(
  outgoing: Omit<Outgoing, "url"> & { target: string },
  secrets: readonly string[] = [],
) {
  const exchange = await http.send({ ...outgoing, url: `${origin}${outgoing.target}` });
  const mask = createSecretMask();
  mask.learn(exchange);
  const masked = mask.exchange(exchange);
  const { url, headers, body } = masked.request;
  const names = variableNames([url, ...headers.flat(), body]);
  const again = resend(masked, names);
  if ("impossible" in again) throw new Error(again.impossible);
  for (const secret of secrets) expect(again.command.join("\n")).not.toContain(secret);
  const env = Object.fromEntries(secrets.map((secret) => [names.get(mask.text(secret)) ?? "", secret]));
  // Indented as on a terminal.
  await runInShell(again.command.map((line) => `        ${line}`).join("\n"), env);
  return received.splice(0).map(messageOf);
}

async function runInShell(command: string, env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn("sh", ["-c", command], { env: { PATH: process.env["PATH"], ...env } });
  let problem = "";
  child.stderr.on("data", (part: Buffer) => (problem += part.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect(code, `${command}\n${problem}`).toBe(0);
}

/** Host, Connection and Content-Length are written by the client, each in its own place. */
function messageOf(text: string) {
  const end = text.indexOf("\r\n\r\n");
  const [requestLine, ...lines] = text.slice(0, end).split("\r\n");
  return {
    requestLine,
    contentLength: /^content-length: (\d+)$/imu.exec(text.slice(0, end))?.[1],
    // Blanks behind a header value do not belong to it.
    lines: lines
      .filter((line) => !/^(host|connection|content-length):/iu.test(line))
      .map((line) => line.trimEnd()),
    body: text.slice(end + 4),
  };
}

const form = ["Content-Type", "application/x-www-form-urlencoded"] as const;
const json = ["Content-Type", "application/json"] as const;
const refreshToken = "rt_9ikNzS0mP-Xq2.~long-enough";
const accessToken = "at_6b1Jr-opaque-access-token";
const oddPassword = `pass "word" & it's $HOME`;

test.for([
  {
    what: "a form POST with a secret",
    request: {
      method: "POST",
      target: "/oauth/token",
      headers: [form, ["Accept", "application/json"]],
      body: `grant_type=refresh_token&refresh_token=${refreshToken}&client_id=it's`,
    },
    secrets: [refreshToken],
  },
  {
    what: "a JMAP request",
    request: {
      method: "POST",
      target: "/jmap/api",
      headers: [["Authorization", `Bearer ${accessToken}`], json],
      body: '{"using":["urn:ietf:params:jmap:core"],"methodCalls":[["Mailbox/get",{"ids":null,"ids":[]},"é😀"]]}',
    },
    secrets: [accessToken],
  },
  {
    what: "a secret with characters that a shell would interpret",
    request: {
      method: "POST",
      target: "/login",
      headers: [json],
      body: JSON.stringify({ password: oddPassword, line: "a\nb" }),
    },
    secrets: [JSON.stringify(oddPassword).slice(1, -1)],
  },
  {
    what: "a body of control characters, with a secret",
    request: {
      method: "POST",
      target: "/oauth/token",
      headers: [form],
      body: `\u{0}%d\\n\r\n\u{1B}\u{202E}'x&refresh_token=${refreshToken}&\n\n`,
    },
    secrets: [refreshToken],
  },
  { what: "a POST without body", request: { method: "POST", target: "/challenge" }, secrets: [] },
  { what: "a POST without Content-Type", request: { method: "POST", target: "/a", body: "@b" }, secrets: [] },
  {
    what: "a body of 1500 characters",
    request: { method: "PUT", target: "/a", body: "x".repeat(1500) },
    secrets: [],
  },
  { what: "HEAD", request: { method: "HEAD", target: "/a" }, secrets: [] },
  { what: "a method in lower case", request: { method: "post", target: "/a", body: "b" }, secrets: [] },
  {
    what: "repeated, empty and odd header lines",
    request: {
      method: "GET",
      target: "/a",
      headers: [
        ["X-Two", "b"],
        ["x-TWO", "it's `a` $(b)"],
        ["X-Empty", ""],
        ["User-Agent", "mine"],
      ],
    },
    secrets: [],
  },
  ...[
    "/a/../b/./c",
    "//double",
    "/%6Amap%2f..",
    "/\\back",
    "/a#fragment",
    "/a?x=[1-3]{a,b}",
    "/a?code=it's&b",
    "?q",
  ].map((target) => ({ what: `the target ${target}`, request: { method: "GET", target }, secrets: [] })),
  {
    what: "a secret in the query",
    request: { method: "GET", target: `/cb?code=${accessToken}&state=x` },
    secrets: [accessToken],
  },
] as { what: string; request: Parameters<typeof bothWays>[0]; secrets: readonly string[] }[])(
  "the command for $what sends what was recorded",
  async ({ request, secrets }) => {
    const [recorded, sentAgain] = await bothWays(request, secrets);
    expect(recorded).toBeDefined();
    expect(sentAgain).toEqual(recorded);
  },
);

test("the command for any request that has one sends what was recorded", async () => {
  const targetCharacter = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const path = fc.string({ unit: targetCharacter }).filter(isPrintable);
  const body = fc.string({ unit: "binary", maxLength: 60 }).filter((text) => !text.includes("\u{FFFD}"));
  await fc.assert(
    fc.asyncProperty(path, body, async (target, text) => {
      const [recorded, sentAgain] = await bothWays({ method: "POST", target: `/${target}`, body: text });
      expect(recorded).toBeDefined();
      expect(sentAgain).toEqual(recorded);
    }),
    { numRuns: 40 },
  );
});
