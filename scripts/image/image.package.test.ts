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
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import type { Run } from "../../reports/run-format.ts";
import { freePort } from "../../fixtures/service/free-port.ts";
import { referenceContent, referenceHumans } from "../start-target/reference-target.ts";
import { startMailproof } from "../mailproof-process.ts";
import { installInto, packInto } from "../package/installed-package.ts";
import { ownChecksExample } from "../package/own-checks-example.ts";
import { missingCompose } from "./compose-plugin.ts";
import { postgresPrograms } from "../../fixtures/service/store/postgres/test-server.ts";
import { importNodeImage } from "./node-base-image.ts";
import { importPostgresImage } from "./postgres-image.ts";

const image = `mailproof-test-${process.pid}`;
const base = `${image}-base`;
const postgres = `${image}-postgres`;

/** What scripts/image/nodes.yaml publishes. */
const nodePorts = ["", "SECOND_"].flatMap((node) =>
  ["AUTH", "API", "MCP", "SIGN_IN"].map((listener) => `${node}${listener}_PORT`),
);

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
nameWhatIsMissing("the image of the command line", missing);

const missingPlugin = missing ?? missingCompose();
nameWhatIsMissing("a compose file", missingPlugin);

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

  async function healthOf(container: string): Promise<string> {
    const format = ["--format", "{{.State.Health.Status}}"];
    return (await promisify(execFile)("docker", ["inspect", ...format, container])).stdout.trim();
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
    writeFileSync(join(work, "my-checks.mjs"), ownChecksExample());
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
      const health = async (): Promise<string> => healthOf((await run("ps", "-q", "sandbox")).trim());
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

  test.skipIf(missingPlugin !== undefined)(
    "is two nodes that a compose file starts with a PostgreSQL, which a run asks one by one",
    async ({ skip }) => {
      const programs = postgresPrograms();
      if (programs === null) skip("PostgreSQL is not installed, and its image cannot be had");
      else importPostgresImage(postgres, programs);
      const ports = await Promise.all(nodePorts.map(freePort));
      const portOf = (name: string): number => ports[nodePorts.indexOf(name)] ?? 0;
      const urls = { auth: portOf("AUTH_PORT"), api: portOf("API_PORT"), mcp: portOf("MCP_PORT") };
      const urlOf = (name: keyof typeof urls): string => `http://127.0.0.1:${urls[name]}`;
      const env = {
        ...process.env,
        ...Object.fromEntries(nodePorts.map((name) => [name, String(portOf(name))])),
        AUTH_URL: urlOf("auth"),
        API_URL: urlOf("api"),
        MCP_URL: urlOf("mcp"),
        SIGN_IN_URL: `http://127.0.0.1:${portOf("SIGN_IN_PORT")}`,
        MAILPROOF_IMAGE: image,
        POSTGRES_IMAGE: postgres,
      };
      const file = join(place, "image/node_modules/mailproof/scripts/image/nodes.yaml");
      const compose = async (...args: readonly string[]): Promise<string> =>
        (
          await promisify(execFile)("docker", ["compose", "-p", `${image}-nodes`, "-f", file, ...args], {
            env,
          })
        ).stdout;
      const profile = join(place, "nodes.json");
      writeFileSync(
        profile,
        JSON.stringify({
          humans: referenceHumans(),
          auth_url: env.AUTH_URL,
          api_url: env.API_URL,
          mcp_url: env.MCP_URL,
          nodes: {
            auth: [urls.auth, portOf("SECOND_AUTH_PORT")].map((port) => `127.0.0.1:${port}`),
            api: [urls.api, portOf("SECOND_API_PORT")].map((port) => `127.0.0.1:${port}`),
          },
        }),
      );
      try {
        await compose("up", "-d");
        for (const node of ["node-1", "node-2"]) {
          const health = async (): Promise<string> => healthOf((await compose("ps", "-q", node)).trim());
          await expect.poll(health, { timeout: 120_000, interval: 1000 }).toBe("healthy");
        }
        const examined = await startMailproof(["doctor", "--target", profile]).ended;
        expect(examined.out).toMatch(
          /✓ auth nodes +all 2 answer as .*\n(?:.*\n)*?✓ api nodes +all 2 answer as/u,
        );
        const out = join(place, "nodes");
        const args = ["conformance", "--target", profile, "--suite", "nodes", "--yes", "--out", out];
        expect(await startMailproof(args).ended).toMatchObject({ code: 0 });
        const [id = ""] = readdirSync(out);
        const { checks } = JSON.parse(readFileSync(join(out, id, "run.json"), "utf8")) as Run;
        expect(checks.length).toBeGreaterThan(10);
        // A browser's flow is judged at the public address.
        for (const { verdict, certainty } of checks.filter(({ id }) => id !== "AUTHZ-09/every-node"))
          expect({ verdict, ...certainty }).toMatchObject({
            verdict: "pass",
            probability: 1,
            basis: expect.stringContaining("each of the 2 node addresses was asked") as string,
          });
      } finally {
        await compose("down", "-v");
        execFileSync("docker", ["rmi", "--force", postgres]);
      }
    },
  );

  /** Judges a target that is started so many times: again after it was stopped, and after it was killed. */
  async function judgesDurability(
    name: string,
    { start, options, starts }: { start: object; options: readonly string[]; starts: number },
  ): Promise<void> {
    const profile = { ...referenceContent(start), clock: { advance_url: "{auth_url}/test/clock" } };
    const profilePath = join(place, `${name}.json`);
    writeFileSync(profilePath, JSON.stringify(profile));
    const out = join(place, name);
    const rest = ["--restart", "--out", out, ...options];
    const ended = await startMailproof(["conformance", "--target", profilePath, ...rest]).ended;
    const [id = ""] = readdirSync(out);
    const { checks } = JSON.parse(readFileSync(join(out, id, "run.json"), "utf8")) as Run;
    const undecided = checks.filter(({ verdict }) => !["pass", "warning", "observed"].includes(verdict));
    expect(undecided.map(({ id, verdict, reason }) => ({ id, verdict, reason }))).toEqual([]);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("the target is ready") as string });
    const durable = checks.filter(({ suite }) => suite === "durability").map(({ verdict }) => verdict);
    expect(new Set(durable)).toEqual(new Set(["pass", "observed"]));
    const log = readFileSync(join(out, id, "target.log"), "utf8");
    expect(log.match(/^The reference mail service is ready/gmu)).toHaveLength(starts);
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
    await judgesDurability("started", { start, options: ["--image", image], starts: 7 });
  });

  test.skipIf(missingPlugin !== undefined)("is a service of a compose file that a run starts", async () => {
    const command = [...serve, ...listeners.flatMap(({ name, key }) => [`--port-${name}`, `\${${key}}`])];
    const ports = listeners.map(({ key }) => `127.0.0.1:\${${key}}:\${${key}}`);
    const file = join(place, "compose.yaml");
    writeFileSync(file, JSON.stringify({ services: { mail: { image, command, ports } } }));
    const environment = Object.fromEntries(listeners.map(({ key }) => [key, `{${key}}`]));
    const start = { ports: { sign_in: 0 }, environment, ready };
    await judgesDurability("composed", {
      start,
      options: ["--compose", file, "--suite", "durability"],
      starts: 3,
    });
  });
});
