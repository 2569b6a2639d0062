import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { namesTarget } from "../../suites/support/target/start-settings.ts";
import { startMailproof } from "../mailproof-process.ts";
import { completeStart } from "./profile-content.ts";
import { referenceContent, referenceProfile } from "./reference-target.ts";
import { startTarget } from "./start-target.ts";
import { createTargetLog } from "./target-log.ts";
import { requireNobodyAnswers, waitUntilReady } from "./wait-until-ready.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = join(folder, "server.mjs");
writeFileSync(
  server,
  `import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
const [pidFile, ...ports] = process.argv.slice(2);
for (const port of ports) createServer((request, response) => response.end()).listen(Number(port), "127.0.0.1");
writeFileSync(pidFile, String(process.pid));
console.log("secret of the environment: " + process.env.GREETING);
`,
);

/** A command line that starts the server as a grandchild, and the file that tells its process. */
function serverCommand(name: string): { command: string; pidFile: string } {
  const pidFile = join(folder, name);
  const command = `'${process.execPath}' '${server}' '${pidFile}' {auth_port} {api_port} {mcp_port}; true`;
  return { command, pidFile };
}

async function started(start: object) {
  const profile = await referenceProfile(start);
  if (!namesTarget(profile.start)) throw new TypeError("expected a target to start");
  const log = createTargetLog();
  return { log, target: await startTarget(profile, profile.start, log, new AbortController().signal) };
}

function processIn(pidFile: string): number {
  return Number(readFileSync(pidFile, "utf8"));
}

function isRunning(pid: number): boolean {
  try {
    // What has ended and waits to be taken away runs no more.
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

const longestWaitMs = 20_000;

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`still not so after ${longestWaitMs / 1000} s`);
    await delay(50);
  }
}

describe("a target that is started by a command", () => {
  test("is ready when all its addresses answer, starts again, and ends with everything that it started", async () => {
    const { command, pidFile } = serverCommand("life");
    const { log, target } = await started({ command, environment: { GREETING: "hello" } });
    const first = processIn(pidFile);
    expect(log.text).toContain("hello");
    await target.process.restart();
    const second = processIn(pidFile);
    expect(isRunning(first)).toBe(false);
    await target.process.kill();
    expect(isRunning(second)).toBe(false);
    await target.process.startAgain();
    const third = processIn(pidFile);
    expect(isRunning(third)).toBe(true);
    await target.stop();
    expect(isRunning(third)).toBe(false);
  });

  test.for([
    {
      why: "that ends at once",
      start: { command: "echo no database >&2; exit 7" },
      says: /ended with exit code 7 before it was ready; the end of its output:\nno database/u,
    },
    {
      why: "that never answers",
      start: { command: "sleep 600", ready: { seconds: 0.3 } },
      says: /not ready within 0\.3 s: waited for an answer of http:\S+, .* it has written nothing/u,
    },
    {
      why: "that does not write the line",
      start: { command: "echo starting; sleep 600", ready: { log: "^ready$", seconds: 0.3 } },
      says: /waited for a line that matches \^ready\$; .*\nstarting/u,
    },
    {
      why: "whose ports stay closed",
      start: { command: "sleep 600", ready: { ports: true, seconds: 0.3 } },
      says: /waited for a connection to http:/u,
    },
  ])("one $why is said to be so", async ({ start, says }) => {
    await expect(started(start)).rejects.toThrow(says);
  });
});

describe("another process is not judged in place of the target", () => {
  async function profileAt(addresses: object, start: object) {
    const profile = { ...(await referenceProfile(start)), ...addresses };
    if (!namesTarget(profile.start)) throw new TypeError("expected a target to start");
    return { profile, settings: profile.start };
  }

  async function otherProcess(status: number): Promise<string> {
    const other = createServer((_request, response) => response.writeHead(status).end());
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  }

  test("when the authorization service answers before it is started", async () => {
    const address = await otherProcess(404);
    const marker = join(folder, "not-started");
    const { profile, settings } = await profileAt({ auth_url: address }, { command: `touch '${marker}'` });
    const starting = startTarget(profile, settings, createTargetLog(), new AbortController().signal);
    await expect(starting).rejects.toThrow(
      `${address} answers before the target is started: another process would be judged in its place; stop that one`,
    );
    expect(existsSync(marker)).toBe(false);
  });

  test("when it has ended by the time that its addresses answer", async () => {
    const address = await otherProcess(200);
    const addresses = { auth_url: address, api_url: address, mcp_url: address };
    const endings = [undefined, "exit code 1"];
    const launcher = { endedWith: async () => endings.shift() };
    const { signal } = new AbortController();
    const { profile, settings } = await profileAt(addresses, { command: "false" });
    await expect(
      waitUntilReady({ profile, settings, launcher, log: createTargetLog(), signal }),
    ).rejects.toThrow(
      "the target ended with exit code 1, and yet its addresses answer: something else is running there",
    );
  });

  test("while a gateway that stands before it may answer that it does not run", async () => {
    const address = await otherProcess(502);
    const { profile } = await profileAt({ auth_url: address }, { command: "false" });
    await expect(requireNobodyAnswers(profile, new AbortController().signal)).resolves.toBeUndefined();
  });
});

describe("nothing of the target is left", () => {
  test.for(["SIGKILL", "SIGTERM"] as const)("after %s to mailproof", async (signal) => {
    const { command, pidFile } = serverCommand(signal);
    const profile = join(folder, `${signal}.json`);
    // Its addresses answer, and nothing else is ever written: it waits to be ready.
    writeFileSync(profile, JSON.stringify(referenceContent({ command, ready: { log: "never" } })));
    const { child, ended } = startMailproof(["conformance", "--target", profile, "--out", folder]);
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "");
    const pid = processIn(pidFile);
    child.kill(signal);
    const { code } = await ended;
    expect(code).toBe(signal === "SIGKILL" ? null : 3);
    await until(() => !isRunning(pid));
  });
});

describe("the profile of a target that is started", () => {
  test("has free ports where it says 0, told to the target", async () => {
    const profile = await referenceProfile({ command: "serve --port {auth_port} --sign-in {sign_in_port}" });
    const { port } = new URL(profile.auth_url);
    expect(Number(port)).toBeGreaterThan(0);
    expect(profile.start?.command).toBe(`serve --port ${port} --sign-in ${profile.start?.ports["sign_in"]}`);
  });

  test("is started in the way that the command line says", async () => {
    const content = referenceContent({ command: "npm start", stop_seconds: 3 });
    const completed = await completeStart(content, { image: "mail:4", restart: true });
    expect(completed).toMatchObject({ start: { image: "mail:4", stop_seconds: 3, restart: true } });
    expect(completed).not.toHaveProperty("start.command");
  });
});
