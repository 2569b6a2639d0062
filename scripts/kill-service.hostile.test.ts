import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestBrowser } from "../fixtures/service/oauth/test-browser.ts";
import {
  authorize,
  exchangeCode,
  openSession,
  refresh,
  registerClient,
  solve,
  textOf,
} from "./kill-service/caller.ts";
import { killRepeatedly } from "./kill-service/kill-loop.ts";
import { startService, type Addresses } from "./kill-service/service-child.ts";
import { readTrace, straceOptions, type TracedResponse } from "./kill-service/sync-trace.ts";

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "mailproof-kill-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test(
  "after a SIGKILL during writes nothing that was acknowledged is lost or undone",
  { timeout: 600_000 },
  async () => {
    const { findings, writes } = await killRepeatedly({
      directory: await temporaryDirectory(),
      kills: 10,
      fault: null,
    });
    expect(writes).toBeGreaterThan(100);
    for (const [promise, { broken }] of Object.entries(findings))
      expect({ promise, broken }).toEqual({ promise, broken: 0 });
  },
);

test("a service that answers before it commits loses acknowledged writes", { timeout: 600_000 }, async () => {
  const { findings } = await killRepeatedly({
    directory: await temporaryDirectory(),
    kills: 4,
    fault: "store/answers-before-commit",
  });
  expect(Object.values(findings).filter(({ broken }) => broken > 0)).not.toEqual([]);
});

const hasStrace = spawnSync("strace", ["-V"]).status === 0;

/** The responses to one write of each kind, with what the service did to its log before each. */
async function tracedResponses(fault: string | null): Promise<readonly TracedResponse[]> {
  const directory = await temporaryDirectory();
  const output = join(directory, "trace");
  const through = ["strace", ...straceOptions, "-o", output];
  const service = await startService({ directory: join(directory, "data"), fault, through });
  try {
    await writeOnce(service.addresses);
  } finally {
    await service.stop();
  }
  return readTrace(await readFile(output, "utf8"));
}

async function writeOnce(addresses: Addresses): Promise<void> {
  const clientId = await registerClient(addresses);
  const code = await authorize(addresses, createTestBrowser(), clientId);
  const tokens = await exchangeCode(addresses, clientId, code);
  await refresh(addresses, clientId, textOf(tokens, "refresh_token"));
  await openSession(addresses, await solve(addresses), { username: "agent" });
}

test.runIf(hasStrace)(
  "an fsync of the log lies between every write and its answer",
  { timeout: 300_000 },
  async () => {
    const responses = await tracedResponses(null);
    expect(responses.filter(({ logWrites }) => logWrites > 0).length).toBeGreaterThanOrEqual(5);
    expect(responses.filter(({ unsynced }) => unsynced > 0)).toEqual([]);
  },
);

test.runIf(hasStrace)("the trace shows a service that leaves fsync out", { timeout: 300_000 }, async () => {
  const responses = await tracedResponses("store/no-fsync");
  expect(responses.filter(({ unsynced }) => unsynced > 0).length).toBeGreaterThanOrEqual(5);
});

test.runIf(!hasStrace)(
  "not shown, since strace is not installed: an fsync before every answer",
  ({ skip }) => {
    skip("install strace to show it");
  },
);
