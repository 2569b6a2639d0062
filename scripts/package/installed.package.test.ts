import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import type { Run } from "../../reports/run-format.ts";
import { postgresPrograms } from "../../fixtures/service/store/postgres/test-server.ts";
import { postgresDatabase } from "../../fixtures/service/store/store-under-test.ts";
import { commands } from "../commands.ts";
import { environmentOf, type InstalledPackage, installInto, packInto } from "./installed-package.ts";
import { ownChecksExample } from "./own-checks-example.ts";

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "mailproof-package-"));
let tarball: string;

beforeAll(async () => {
  tarball = await packInto(place);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.for(["22", "24", "26"])("installed with Node.js %s", (version) => {
  let installed: InstalledPackage;
  const mailproof = (...args: readonly string[]) => installed.run("mailproof", args);

  beforeAll(async () => {
    installed = await installInto(join(place, `node-${version}`), tarball, version);
  });

  test("it is this version of Node.js that runs", async () => {
    expect((await installed.run("node", ["--version"])).out).toMatch(new RegExp(`^v${version}\\.`, "u"));
  });

  test("help names the commands that are there, and the others say where they are", async () => {
    const { code, out, err } = await mailproof("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect([...out.matchAll(/^ {2}(\w+)/gmu)].map(([, name]) => name)).toEqual(Object.keys(commands));
    for (const contributors of ["faults", "mutants", "diagnosis"])
      expect(await mailproof(contributors)).toEqual({
        code: 2,
        out: "",
        err: `mailproof: ${contributors} is a command for contributors: it needs the sources of mailproof, and runs in a clone of its repository\n`,
      });
  });

  test("doctor examines the reference service, and consent knows its options", async () => {
    const examined = await mailproof("doctor");
    expect(examined).toMatchObject({ code: 0, out: expect.stringContaining("can be judged") as string });
    expect((await mailproof("consent", "--help")).out).toContain("consent record");
  });

  test("list, schema and solve", async () => {
    expect((await mailproof("list")).out).toContain("REDIR-08/upper-case-host");
    expect((await mailproof("schema")).out).toBe(
      readFileSync(join(root, "fixtures/targets/profile.schema.json"), "utf8"),
    );
    expect((await mailproof("schema", "run")).out).toBe(
      readFileSync(join(root, "fixtures/targets/run.schema.json"), "utf8"),
    );
    const salt = "9f86d081884c7d659a2feaa0c55ad015";
    const solved = await mailproof("solve", "--jti", "4f6a1c2e", "--salt", salt, "--difficulty", "3");
    expect(solved).toMatchObject({ code: 0, out: expect.stringContaining("powHex") as string });
  });

  test("serve answers, and ends when it is told to", async () => {
    const child = spawn("mailproof", ["serve", "--json"], {
      cwd: installed.folder,
      env: environmentOf(installed.folder),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { addresses } = JSON.parse(line) as { addresses: { auth_url: string } };
    const metadata = await fetch(`${addresses.auth_url}/.well-known/oauth-authorization-server`);
    child.kill("SIGTERM");
    expect(await metadata.json()).toMatchObject({ issuer: addresses.auth_url });
    expect(await ended).toEqual([0, null]);
  });

  test("conformance judges with the checks of suites/README.md too, and report shows the run again", async () => {
    writeFileSync(join(installed.folder, "my-checks.mjs"), ownChecksExample());
    // Proof of work is solved by a process with threads of its own.
    const suites = ["acme", "metadata", "sessions"].flatMap((name) => ["--suite", name]);
    const args = ["--checks", "./my-checks.mjs", ...suites];
    const judged = await mailproof("conformance", ...args);
    expect(judged).toMatchObject({ code: 0, err: expect.not.stringContaining("Warning") as string });
    const runs = join(installed.folder, "reports/runs");
    const [id = ""] = readdirSync(runs);
    const run = JSON.parse(readFileSync(join(runs, id, "run.json"), "utf8")) as Run;
    expect(run.suite).toMatchObject({ version: packageJson.version });
    expect(run.checks.filter(({ suite }) => suite === "acme")).toMatchObject([
      { id: "ACME-01/metadata", verdict: "pass", requirement: { source: "own", level: "MUST" } },
      { id: "BEARER-04/acme-cut", verdict: "pass", requirement: { source: "document" } },
    ]);
    expect(readFileSync(join(runs, id, "junit.xml"), "utf8")).toContain('name="ACME-01/metadata"');
    const reporters = ["terminal", "sarif", "badge"].flatMap((name) => ["--reporter", name]);
    expect(await mailproof("report", join("reports/runs", id), ...reporters)).toMatchObject({ code: 0 });
    expect(readFileSync(join(runs, id, "badge.svg"), "utf8")).toContain("partly judged");
    expect((await mailproof("list", "--checks", "./my-checks.mjs")).out).toContain("acme (2)");
  });

  test("load makes its report", async () => {
    const { code, out } = await mailproof("load", "--profile", "capability", "--short");
    // What else the machine does may spoil a measurement: invalid or missed, but judged.
    expect([0, 3, 4]).toContain(code);
    expect(out).toContain("load.html");
  });
});

describe("the package", () => {
  let installed: InstalledPackage;
  const folder = join(place, "plain");

  beforeAll(async () => {
    installed = await installInto(folder, tarball);
  });

  test("holds what a user needs, and nothing of the tests", () => {
    const files = readdirSync(join(folder, "node_modules/mailproof"), { recursive: true, encoding: "utf8" });
    expect(
      files.filter((name) =>
        /(?<!\.d)\.ts$|\.(?:test|setup)\.|(?:^|\/)faults\/.*\.(?!json$|md$)\w+$/u.test(name),
      ),
    ).toEqual([]);
    expect(new Set(files.map((name) => name.split("/", 1)[0]))).toEqual(
      new Set(["LICENSE", "README.md", "dist", "fixtures", "package.json", "reports", "scripts", "suites"]),
    );
  });

  test("serves with several nodes", async ({ skip }) => {
    if (postgresPrograms() === null) skip("PostgreSQL is not installed");
    const options = ["serve", "--json", "--exit-with-parent", "--nodes", "2"];
    const child = spawn("mailproof", [...options, "--database", await postgresDatabase()], {
      cwd: folder,
      env: environmentOf(folder),
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { addresses } = JSON.parse(line) as { addresses: { auth_url: string } };
    const metadata = await fetch(`${addresses.auth_url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer: addresses.auth_url });
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test("gives its JSON Schemas by name", async () => {
    const names = ["profile", "run"].map((name) => `require("mailproof/${name}.schema.json").$schema`);
    const { out } = await installed.run("node", ["-p", `[${names.join(", ")}].join(" ")`]);
    const version = "https://json-schema.org/draft/2020-12/schema";
    expect(out.trim()).toBe(`${version} ${version}`);
  });

  test("brings no test runner and no compiler along", () => {
    const dependencies = readdirSync(join(folder, "node_modules"));
    expect(dependencies).toEqual(expect.arrayContaining(["undici", "zod"]));
    expect(dependencies).not.toEqual(expect.arrayContaining(["vitest"]));
    expect(dependencies).not.toEqual(expect.arrayContaining(["typescript"]));
  });

  test("checks of one's own are typed", async () => {
    writeFileSync(join(folder, "my-checks.mts"), typedChecks);
    const tsc = join(root, "node_modules/.bin/tsc");
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--types", "node"];
    const typeRoots = ["--typeRoots", join(root, "node_modules/@types")];
    expect(await installed.run(tsc, [...options, ...typeRoots, "my-checks.mts"])).toMatchObject({
      code: 1,
      // Everything is typed, so nothing but the planted mistake is found.
      out: expect.stringMatching(
        /^my-checks\.mts\(\d+,\d+\): error TS2322: .*"MAY NOT"[^\n]*\n(?! *my-checks)/u,
      ) as string,
    });
  });
});

const typedChecks = `
import { check, expectStatus, type Check, type Exchange, type Profile, type Run, type Suite } from "mailproof";

const own: Check<Exchange> = check({
  id: "ACME-01",
  claim: "It answers.",
  act: (target) => target.send({ method: "GET", url: target.authUrl }),
  assert: (exchange) => expectStatus(exchange, 200),
});
export const url = (profile: Profile): string => profile.auth_url;
export const failed = (run: Run): number => run.counts.fail;
export const suite: Suite = {
  name: "acme",
  requirements: { "ACME-01": { level: "MAY NOT", section: "1", statement: "It answers." } },
  checks: [own],
};
`;
