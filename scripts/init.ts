import { existsSync, writeFileSync } from "node:fs";
import { printable } from "../reports/printable.ts";
import { loadProfile, parseProfile } from "../suites/support/target/profile.ts";
import { exitCodes } from "./exit-codes.ts";
import { addressesFrom } from "./init/ask.ts";
import { discover } from "./init/discover.ts";
import { leftToFillIn } from "./init/left-to-fill-in.ts";
import { profileText } from "./init/profile-text.ts";
import { listenForInterruption } from "./interruption.ts";
import { applyNetworkSettings } from "./network-settings.ts";
import { parseOptions } from "./parse-options.ts";
import { onFileSystem } from "./run-folder/output-error.ts";
import { suites } from "./suites.ts";
import { UsageError } from "./usage-error.ts";

export const usage = `mailproof init [--auth URL] [--api URL] [--mcp URL] [--out FILE] [--force]

Examines a target and writes a profile of it, as JSON with comments that say what is left to fill in. It registers one
client, which it does not delete. It asks for addresses that are not given.

  --auth URL   base address of the authorization service
  --api URL    base address of the mail API
  --mcp URL    base address of the remote MCP server
  --out FILE   where to write the profile (default: profile.json)
  --force      replace a file that exists

Exit codes: 0 written · 2 usage, or the file cannot be written · 3 written, but an address does not answer as it should`;

/** @returns the exit code */
export async function init(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      auth: { type: "string" },
      api: { type: "string" },
      mcp: { type: "string" },
      out: { type: "string", default: "profile.json" },
      force: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const { out, force } = values;
  // Before anything is asked.
  if (existsSync(out) && !force)
    throw new UsageError(`${out} exists; name another file with --out, or replace it with --force`);
  applyNetworkSettings();
  const { stdin: input, stdout: output } = process;
  const addresses = await addressesFrom(values, input.isTTY && output.isTTY ? { input, output } : undefined);
  const interruption = listenForInterruption("nothing is written");
  try {
    const discovery = await discover(parseProfile({ ...addresses }, "of init"), interruption.signal);
    if (interruption.signal.aborted) return exitCodes.incomplete;
    onFileSystem(`write ${out}`, () =>
      writeFileSync(out, profileText(addresses, discovery), { flag: force ? "w" : "wx" }),
    );
    const left = leftToFillIn(
      loadProfile(out),
      suites.flatMap(({ checks }) => checks),
    );
    for (const failure of discovery.unreachable) console.error(printable(`mailproof: ${failure}`));
    console.log(
      [
        `written: ${printable(out)}`,
        "",
        "left to fill in, and the checks that wait for it:",
        ...left.map((line) => `  ${line}`),
        "",
        `then: mailproof doctor --target ${printable(out)}`,
      ].join("\n"),
    );
    return discovery.unreachable.length === 0 ? exitCodes.conforms : exitCodes.incomplete;
  } finally {
    interruption.end();
  }
}
