import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { startPostgres } from "../fixtures/service/store/postgres/test-server.ts";
import { killRepeatedly, type KillPlan } from "./kill-service/kill-loop.ts";
import { promises } from "./kill-service/verify.ts";

const usage = `npm run kill:service -- [--kills N] [--store sqlite|postgres] [--crash service|database] [--fault ID]

Kills the service, or crashes its database server, while it is written to; then looks for everything that it had
acknowledged. SIGTERM ends it early, with what was found.

  --kills N      how often (default: 200)
  --store NAME   sqlite, or postgres: a server of its own (default: sqlite)
  --crash WHAT   service, or the database server of postgres, in two ways by turns (default: service)
  --fault ID     a deliberate defect of that store; without it, the service is sound
`;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    store: { type: "string", default: "sqlite" },
    crash: { type: "string", default: "service" },
    fault: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const options = z
  .object({
    kills: z.coerce.number().int().min(1).max(100_000),
    store: z.enum(["sqlite", "postgres"]),
    crash: z.enum(["service", "database"]),
  })
  .refine(
    ({ store, crash }) => store === "postgres" || crash === "service",
    "--crash database needs --store postgres",
  )
  .safeParse(values);

if (values.help) process.stdout.write(usage);
else if (options.success) process.exitCode = await run(options.data);
else {
  process.stderr.write(`${z.prettifyError(options.error)}\n\n${usage}`);
  process.exitCode = 2;
}

type Options = NonNullable<typeof options.data>;

async function run({ kills, store, crash }: Options): Promise<number> {
  const opened = store === "postgres" ? await openPostgres(crash) : await openDirectory();
  try {
    const interruption = new AbortController();
    process.once("SIGTERM", () => interruption.abort());
    const result = await killRepeatedly({
      ...opened.plan,
      kills,
      fault: values.fault ?? null,
      signal: interruption.signal,
      onKill: (count) => void process.stderr.write(`${count} of ${kills}\r`),
    });
    const { findings, writes } = result;
    const width = Math.max(...promises.map(({ length }) => length));
    const what = crash === "service" ? "kills of the service" : "crashes of its database";
    console.log(`${result.kills} ${what} during ${writes} acknowledged writes\n`);
    console.log(`${"".padEnd(width)}   checked    broken`);
    for (const promise of promises) {
      const { checked, broken } = findings[promise];
      console.log(`${promise.padEnd(width)}${String(checked).padStart(10)}${String(broken).padStart(10)}`);
    }
    return promises.some((promise) => findings[promise].broken > 0) ? 1 : 0;
  } finally {
    await opened.close();
  }
}

interface Opened {
  readonly plan: Pick<KillPlan, "storage" | "crashDatabase">;
  close(): Promise<void>;
}

async function openDirectory(): Promise<Opened> {
  const location = await mkdtemp(join(tmpdir(), "mailproof-kill-"));
  return {
    plan: { storage: { option: "--data", location } },
    close: () => rm(location, { recursive: true, force: true }),
  };
}

async function openPostgres(crash: Options["crash"]): Promise<Opened> {
  const server = await startPostgres();
  const storage = { option: "--database", location: await server.createDatabase() } as const;
  const crashDatabase = (count: number): Promise<void> =>
    server.crash(count % 2 === 0 ? "kill" : "immediate");
  return {
    plan: { storage, ...(crash === "database" && { crashDatabase }) },
    close: () => server.stop(),
  };
}
