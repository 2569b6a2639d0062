import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestBrowser } from "../fixtures/service/oauth/test-browser.ts";
import {
  missingPostgres,
  startPostgres,
  type PostgresOptions,
  type PostgresServer,
} from "../fixtures/service/store/postgres/test-server.ts";
import { nameWhatIsMissing } from "../fixtures/service/name-what-is-missing.ts";
import {
  authorize,
  exchangeCode,
  openSession,
  refresh,
  registerClient,
  solve,
  textOf,
} from "./kill-service/caller.ts";
import { killRepeatedly, type KillPlan, type KillResult } from "./kill-service/kill-loop.ts";
import { startService, type Addresses, type Storage } from "./kill-service/service-child.ts";
import type { Findings } from "./kill-service/verify.ts";
import { readTrace, straceOptions, type TracedResponse } from "./kill-service/sync-trace.ts";

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "mailproof-kill-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

const hasPostgres = missingPostgres() === undefined;

async function temporaryServer(options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = await startPostgres(options);
  onTestFinished(() => server.stop());
  return server;
}

const databaseOf = async (server: PostgresServer): Promise<Storage> => ({
  option: "--database",
  location: await server.createDatabase(),
});

interface StoreUnderTest {
  readonly name: string;
  readonly fault: string;
  /** Of the sound service. */
  readonly kills: number;
  open(): Promise<Storage>;
}

const sqlite: StoreUnderTest = {
  name: "SQLite",
  fault: "store/answers-before-commit",
  kills: 10,
  open: async () => ({ option: "--data", location: await temporaryDirectory() }),
};
const postgres: StoreUnderTest = {
  name: "PostgreSQL",
  fault: "postgres/answers-before-commit",
  // A start and the checks afterwards take longer with a server; npm run kill:service is the long version.
  kills: 6,
  open: async () => databaseOf(await temporaryServer()),
};
const stores = hasPostgres ? [sqlite, postgres] : [sqlite];

nameWhatIsMissing("kills with PostgreSQL, and crashes of its server", missingPostgres());

function expectKept({ findings, writes }: KillResult, leastWrites: number): void {
  expect(writes).toBeGreaterThan(leastWrites);
  const broken = Object.entries(findings).filter(([, finding]) => finding.broken > 0);
  expect(broken).toEqual([]);
}

function brokenPromises(findings: Findings): string[] {
  return Object.entries(findings).flatMap(([promise, { broken }]) => (broken > 0 ? [promise] : []));
}

// A kill finds the fault only where it comes between an answer and its commit.
const mostKills = 20;

/** Kills until something that was acknowledged is lost. */
async function expectLost(plan: Omit<KillPlan, "kills">): Promise<void> {
  const lost = new AbortController();
  const { findings } = await killRepeatedly({
    ...plan,
    kills: mostKills,
    signal: lost.signal,
    onKill(_count, soFar) {
      if (brokenPromises(soFar).length > 0) lost.abort();
    },
  });
  expect(brokenPromises(findings)).not.toEqual([]);
}

test.for(stores)(
  "after a SIGKILL during writes to $name nothing that was acknowledged is lost or undone",
  { timeout: 600_000 },
  async ({ open, kills }) =>
    expectKept(await killRepeatedly({ storage: await open(), kills, fault: null }), 100),
);

test.for(stores)(
  "a service that answers before it commits to $name loses acknowledged writes",
  { timeout: 600_000 },
  async ({ open, fault }) => expectLost({ storage: await open(), fault }),
);

test.runIf(hasPostgres)(
  "after crashes of PostgreSQL during writes nothing that was acknowledged is lost or undone",
  { timeout: 600_000 },
  async () => {
    // The operator's default changes nothing.
    const server = await temporaryServer({
      settings: { synchronous_commit: "off", wal_writer_delay: "10s" },
    });
    const storage = await databaseOf(server);
    const crashDatabase = (count: number): Promise<void> =>
      server.crash(count % 2 === 0 ? "kill" : "immediate");
    expectKept(await killRepeatedly({ storage, kills: 4, fault: null, crashDatabase }), 60);
  },
);

test.runIf(hasPostgres)(
  "a service that commits to PostgreSQL asynchronously loses acknowledged writes",
  { timeout: 600_000 },
  async () => {
    // Nothing reaches the disk by chance.
    const server = await temporaryServer({ settings: { wal_writer_delay: "10s" } });
    const storage = await databaseOf(server);
    const fault = "postgres/asynchronous-commit";
    const crashDatabase = (): Promise<void> => server.crash("immediate");
    await expectLost({ storage, fault, crashDatabase });
  },
);

const hasStrace = spawnSync("strace", ["-V"]).status === 0;

/** The responses to one write of each kind, with what the service did to its log before each. */
async function tracedResponses(fault: string | null): Promise<readonly TracedResponse[]> {
  const directory = await temporaryDirectory();
  const output = join(directory, "trace");
  const through = ["strace", ...straceOptions, "-o", output];
  const storage: Storage = { option: "--data", location: join(directory, "data") };
  const service = await startService({ storage, fault, through });
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

nameWhatIsMissing("an fsync before every answer", hasStrace ? undefined : "strace is not installed");
