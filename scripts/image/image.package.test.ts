import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Run } from "../../reports/run-format.ts";
import { referenceContent } from "../start-target/reference-target.ts";
import { startMailproof } from "../mailproof-process.ts";
import { installInto, packInto } from "../package/installed-package.ts";
import { readmeExample } from "../package/readme-example.ts";
import { missingCompose } from "./compose-plugin.ts";
import { importNodeImage } from "./node-base-image.ts";

const image = `mailproof-test-${process.pid}`;
const base = `${image}-base`;

/** Why there is no engine to build with; undefined when there is one. */
function missingEngine(): string | undefined {
  try {
    execFileSync("docker", ["info"], { stdio: ["ignore", "ignore", "pipe"], timeout: 30_000 });
    return undefined;
  } catch (error) {
    return `no Docker engine: ${error instanceof Error ? (error.message.trim().split("\n").at(-1) ?? "") : String(error)}`;
  }
}

const missing = missingEngine();
if (missing !== undefined) console.warn(`the test of the image is skipped: ${missing}`);

const missingPlugin = missing ?? missingCompose();
if (missing === undefined && missingPlugin !== undefined)
  console.warn(`the test of a compose file is skipped: ${missingPlugin}`);

describe.skipIf(missing !== undefined)("the image of the command line", () => {
  let place: string;
  let work: string;

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "mailproof-image-"));
    work = join(place, "work");
    const context = join(place, "image");
    await installInto(context, await packInto(place));
    importNodeImage(base);
    const dockerfile = join(context, "node_modules/mailproof/scripts/image/Dockerfile");
    const build = ["build", "--build-arg", `BASE=${base}`, "--tag", image, "--file", dockerfile, context];
    // The builder that needs no plugin, and nothing from a registry.
    await promisify(execFile)("docker", build, { env: { ...process.env, DOCKER_BUILDKIT: "0" } });
    mkdirSync(work);
    // The container's user is none of this machine.
    chmodSync(work, 0o777);
  });
  afterAll(() => {
    execFileSync("docker", ["rmi", "--force", image, base]);
    rmSync(place, { recursive: true });
  });

  async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const flags = [
      "run",
      "--rm",
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--cap-drop",
      "ALL",
      "--volume",
      `${work}:/work`,
    ];
    try {
      const { stdout, stderr } = await promisify(execFile)("docker", [...flags, image, ...args]);
      return { code: 0, out: stdout, err: stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr };
    }
  }

  test("shows its help without a command", async () => {
    expect(await run()).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("conformance") as string,
    });
  });

  test("ends with the exit code of the command", async () => {
    expect(await run("conformance", "--target", "no-such-file.json")).toMatchObject({ code: 2 });
  });

  test("judges, and writes its reports to the mounted folder as a user without rights", async () => {
    writeFileSync(join(work, "my-checks.mjs"), readmeExample("js"));
    const suites = ["--suite", "acme", "--suite", "sessions"];
    const judged = await run("conformance", "--checks", "my-checks.mjs", ...suites);
    expect(judged).toMatchObject({ code: 0 });
    const runs = join(work, "reports/runs");
    const [id = ""] = readdirSync(runs);
    const { checks } = JSON.parse(readFileSync(join(runs, id, "run.json"), "utf8")) as Run;
    expect(checks.find(({ suite }) => suite === "acme")).toMatchObject({ verdict: "pass" });
    expect(statSync(join(runs, id)).uid).toBe(1000);
  });

  test.skipIf(missingPlugin !== undefined)(
    "is a sandbox that a compose file starts, whose data outlives it",
    async () => {
      const file = join(place, "image/node_modules/mailproof/scripts/image/compose.yaml");
      const ports = { AUTH_PORT: "0", API_PORT: "0", MCP_PORT: "0", SIGN_IN_PORT: "0" };
      const env = { ...process.env, ...ports, MAILPROOF_IMAGE: image };
      const run = async (...args: readonly string[]): Promise<string> =>
        (await promisify(execFile)("docker", ["compose", "-p", image, "-f", file, ...args], { env })).stdout;
      const keyIds = async (): Promise<unknown> => {
        const address = (await run("port", "sandbox", "8080")).trim().replace("0.0.0.0", "127.0.0.1");
        return (await fetch(`http://${address}/.well-known/jwks.json`)).json();
      };
      const health = async (): Promise<string> => {
        const id = (await run("ps", "-q", "sandbox")).trim();
        const format = ["--format", "{{.State.Health.Status}}"];
        return (await promisify(execFile)("docker", ["inspect", ...format, id])).stdout.trim();
      };
      try {
        await run("up", "-d");
        await expect.poll(health, { timeout: 120_000, interval: 1000 }).toBe("healthy");
        const before = await keyIds();
        await run("restart");
        await expect.poll(health, { timeout: 120_000, interval: 1000 }).toBe("healthy");
        expect(await keyIds()).toEqual(before);
      } finally {
        await run("down", "-v");
      }
    },
  );

  /** Starts it, and again after it was stopped and after it was killed, and finds what durability asks for. */
  async function judgesDurability(
    name: string,
    { start, options }: { start: object; options: readonly string[] },
  ): Promise<void> {
    const profile = { ...referenceContent(start), clock: { advance_url: "{auth_url}/test/clock" } };
    const profilePath = join(place, `${name}.json`);
    writeFileSync(profilePath, JSON.stringify(profile));
    const out = join(place, name);
    const rest = ["--restart", "--out", out, ...options];
    const ended = await startMailproof(["conformance", "--target", profilePath, ...rest]).ended;
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("the target is ready") as string });
    const [id = ""] = readdirSync(out);
    const { checks } = JSON.parse(readFileSync(join(out, id, "run.json"), "utf8")) as Run;
    const durable = checks.filter(({ suite }) => suite === "durability").map(({ verdict }) => verdict);
    expect(new Set(durable)).toEqual(new Set(["pass", "observed"]));
    // It has started three times.
    const log = readFileSync(join(out, id, "target.log"), "utf8");
    expect(log.match(/^The reference mail service is ready/gmu)).toHaveLength(3);
    const left = execFileSync("docker", ["ps", "--all", "--quiet", "--filter", `ancestor=${image}`]);
    expect(left.toString()).toBe("");
  }

  const listeners = ["auth", "api", "mcp", "sign-in"].map((name) => ({
    name,
    key: `${name.replace("-", "_")}_port`,
  }));
  const serve = ["serve", "--host", "0.0.0.0", "--data", "/tmp/data", "--difficulty", "2", "--test-clock"];
  const ready = { log: "^Press Ctrl-C to stop", ports: true };

  test("is a target that a whole run starts, restarts, kills and removes", async () => {
    const ports = listeners.flatMap(({ name, key }) => [`--port-${name}`, `{${key}}`]);
    const start = { ports: { sign_in: 0 }, arguments: [...serve, ...ports], ready };
    await judgesDurability("started", { start, options: ["--image", image] });
  });

  test.skipIf(missingPlugin !== undefined)("is a service of a compose file that a run starts", async () => {
    const command = [...serve, ...listeners.flatMap(({ name, key }) => [`--port-${name}`, `\${${key}}`])];
    const ports = listeners.map(({ key }) => `127.0.0.1:\${${key}}:\${${key}}`);
    const file = join(place, "compose.yaml");
    writeFileSync(file, JSON.stringify({ services: { mail: { image, command, ports } } }));
    const environment = Object.fromEntries(listeners.map(({ key }) => [key, `{${key}}`]));
    const start = { ports: { sign_in: 0 }, environment, ready };
    await judgesDurability("composed", { start, options: ["--compose", file, "--suite", "durability"] });
  });
});
