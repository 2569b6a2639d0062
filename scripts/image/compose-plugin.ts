import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Why `docker compose` cannot be called; undefined when it can. Where the engine's client has no such plugin and the older
 * docker-compose is installed, as on Debian 12, that becomes the plugin of this process.
 */
export function missingCompose(): string | undefined {
  if (succeeds("docker", ["compose", "version"])) return undefined;
  if (!succeeds("docker-compose", ["version"]))
    return "neither docker compose nor docker-compose is installed";
  process.env["DOCKER_CONFIG"] = configurationWithPlugin();
  return succeeds("docker", ["compose", "version"])
    ? undefined
    : "docker does not take docker-compose as its plugin";
}

function configurationWithPlugin(): string {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-docker-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "cli-plugins"));
  const metadata = JSON.stringify({ SchemaVersion: "0.1.0", Vendor: "mailproof", Version: "0" });
  // The client calls its plugins with their own name as the first argument.
  const program = `#!/bin/sh
if [ "$1" = docker-cli-plugin-metadata ]; then echo '${metadata}'; exit; fi
shift
exec docker-compose "$@"
`;
  writeFileSync(join(folder, "cli-plugins/docker-compose"), program, { mode: 0o755 });
  return folder;
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore", timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
