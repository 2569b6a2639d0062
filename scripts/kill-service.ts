import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { killRepeatedly } from "./kill-service/kill-loop.ts";
import { promises } from "./kill-service/verify.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "200" }, fault: { type: "string" } },
});
const kills = z.coerce.number().int().min(1).max(100_000).parse(values.kills);
const directory = await mkdtemp(join(tmpdir(), "mailproof-kill-"));
try {
  const { findings, writes } = await killRepeatedly({
    directory,
    kills,
    fault: values.fault ?? null,
    onKill: (count) => void process.stderr.write(`kill ${count} of ${kills}\r`),
  });
  const width = Math.max(...promises.map(({ length }) => length));
  console.log(`${kills} kills during ${writes} acknowledged writes\n`);
  console.log(`${"".padEnd(width)}   checked    broken`);
  for (const promise of promises) {
    const { checked, broken } = findings[promise];
    console.log(`${promise.padEnd(width)}${String(checked).padStart(10)}${String(broken).padStart(10)}`);
  }
  process.exitCode = promises.some((promise) => findings[promise].broken > 0) ? 1 : 0;
} finally {
  await rm(directory, { recursive: true, force: true });
}
