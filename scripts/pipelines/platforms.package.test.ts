import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { parseAction } from "@actions/workflow-parser/actions/action-parser";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import { environmentOf, packInto, runToEnd } from "../package/installed-package.ts";
import { referenceContent, serviceCommand } from "../start-target/reference-target.ts";
import { runCompositeAction } from "./composite-action.ts";

const root = join(import.meta.dirname, "../..");
const pipelines = import.meta.dirname;
const place = mkdtempSync(join(tmpdir(), "mailproof-pipelines-"));
afterAll(() => rmSync(place, { recursive: true }));

const secrets = { ALICE_PASSWORD: "alice-password", BOB_PASSWORD: "bob-password" };

/** The repository of a team whose service is the reference service: a profile, and a check that it fails. */
function makeProject(name: string): string {
  const folder = join(place, name);
  mkdirSync(folder);
  const content = {
    ...referenceContent({ ports: { sign_in: 0 }, command: serviceCommand("scripts/mailproof.ts", "serve") }),
    humans: ["alice", "bob"].map((username) => ({
      name: username,
      consent: { driver: "form", username, password: `env:${username.toUpperCase()}_PASSWORD` },
    })),
  };
  writeFileSync(join(folder, "mailproof.json"), JSON.stringify(content));
  writeFileSync(join(folder, "our-checks.mjs"), failingCheck);
  return folder;
}

const failingCheck = `
import { check, expectStatus } from "mailproof";

export default {
  name: "ours",
  requirements: { "OURS-01": { level: "MUST", section: "1", statement: "The metadata is gone." } },
  checks: [
    check({
      id: "OURS-01",
      claim: "The metadata is gone.",
      act: (target) => target.send({ method: "GET", url: target.authUrl + "/.well-known/oauth-authorization-server" }),
      assert: (exchange) => expectStatus(exchange, 404),
    }),
  ],
};
`;

describe("GitHub Actions", () => {
  const workflow = readFileSync(join(pipelines, "github-actions.yaml"), "utf8");
  const actionPath = ".github/actions/conformance/action.yaml";
  const action = readFileSync(join(root, actionPath), "utf8");

  test.for([
    { name: "github-actions.yaml", content: workflow, parseFile: parseWorkflow },
    { name: "action.yaml", content: action, parseFile: parseAction },
  ])("$name is what GitHub's own parser takes", ({ name, content, parseFile }) => {
    const errorsIn = (text: string): readonly unknown[] =>
      parseFile({ name, content: text }, new NoOperationTraceWriter()).context.errors.getErrors();
    expect(errorsIn(content)).toEqual([]);
    expect(errorsIn(content.replace("steps:", "stages:"))).not.toEqual([]);
  });

  describe("the action's commands, in a checkout of this repository", () => {
    const checkout = join(place, "action-checkout");
    const project = makeProject("github-project");
    const given = callOf(workflow);
    const judge = (more: string) =>
      runCompositeAction(
        join(checkout, actionPath),
        { ...given.with, arguments: `${given.with["arguments"] ?? ""} ${more}` },
        project,
        Object.fromEntries(given.secrets.map((name) => [name, secrets[name as keyof typeof secrets]])),
      );

    beforeAll(() => checkOut(checkout));

    test("judge the service, fail the job when a requirement is violated, and keep the reports", async () => {
      const { code, log, outputs, summary } = await judge(
        "--suite metadata --suite ours --checks ./our-checks.mjs",
      );
      expect({ code, log }).toMatchObject({ code: 1 });
      expect(outputs).toBe("exit-code=1\n");
      expect(log).toMatch(/^::error [^\n]*OURS-01/mu);
      expect(summary).toContain("| metadata |");
      const [run = ""] = readdirSync(join(project, "mailproof-runs"));
      expect(readdirSync(join(project, "mailproof-runs", run))).toEqual(
        expect.arrayContaining(["junit.xml", "report.html", "run.json"]),
      );
    });
  });
});

/** What the published workflow hands to the action. */
function callOf(workflow: string): { readonly with: Record<string, string>; readonly secrets: string[] } {
  const { jobs } = parse(workflow) as {
    jobs: { conformance: { steps: { with?: Record<string, string>; env?: Record<string, string> }[] } };
  };
  const call = jobs.conformance.steps.at(-1);
  return { with: call?.with ?? {}, secrets: Object.keys(call?.env ?? {}) };
}

/** Copies what git has of this repository, and what it would add. */
function checkOut(folder: string): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
  });
  for (const name of listed.toString().split("\0")) {
    if (name === "" || !existsSync(join(root, name))) continue;
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
}

const hasRsync = spawnSync("rsync", ["--version"]).status === 0;
nameWhatIsMissing("the GitLab template in its runner", hasRsync ? undefined : "rsync is not installed");

describe.skipIf(!hasRsync)("GitLab CI", () => {
  const project = makeProject("gitlab-project");
  let tarball: string;

  beforeAll(async () => {
    tarball = await packInto(place);
    cpSync(join(pipelines, "gitlab-ci.yaml"), join(project, "template.yml"));
    const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: project });
    git("init", "--quiet");
    git("remote", "add", "origin", "git@gitlab.example.com:acme/mail.git");
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  });

  /** Runs the job that includes the template with the runner that people have on their own machines. */
  async function runJob(mailproofArguments: string): Promise<{ code: number; log: string }> {
    const variables = { MAILPROOF_PACKAGE: tarball, MAILPROOF_ARGUMENTS: mailproofArguments };
    const job = { extends: ".mailproof", variables };
    writeFileSync(
      join(project, ".gitlab-ci.yml"),
      stringify({ include: [{ local: "template.yml" }], conformance: job }),
    );
    execFileSync("git", ["add", "--all"], { cwd: project });
    const runner = join(root, "node_modules/gitlab-ci-local/dist/index.js");
    const env = environmentOf(dirname(process.execPath));
    const masked = Object.entries(secrets).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
    const args = [runner, "--force-shell-executor", ...masked, "conformance"];
    const { code, out, err } = await runToEnd(process.execPath, args, project, env);
    return { code, log: out + err };
  }

  /** The JUnit report that the server would show. */
  function artifact(): string {
    const runs = join(project, "mailproof-runs");
    const [run = ""] = readdirSync(runs).sort().slice(-1);
    return readFileSync(join(runs, run, "junit.xml"), "utf8");
  }

  test("a job that extends the template judges the service, and keeps the report", async () => {
    expect(await runJob("--suite metadata")).toMatchObject({
      code: 0,
      log: expect.stringContaining("PASS") as string,
    });
    expect(artifact()).toContain('name="META-01/');
  });

  test("it fails when a requirement is violated, and keeps the report too", async () => {
    const { code, log } = await runJob("--suite ours --checks ./our-checks.mjs");
    expect({ code, log }).toMatchObject({ code: 1 });
    expect(artifact()).toMatch(/<testcase [^>]*name="OURS-01"[^>]*>\s*<failure/u);
  });
});

test("Kubernetes takes each object of the nightly gate", () => {
  const objects = parseAllDocuments(readFileSync(join(pipelines, "nightly-gate.yaml"), "utf8"));
  const [claim, job] = objects.map((object) => object.toJS() as never);
  new PersistentVolumeClaim(claim).validate();
  new CronJob(job).validate();
  objects[1]?.setIn(["spec", "schedule"], 5);
  expect(() => new CronJob(objects[1]?.toJS() as never).validate()).toThrow("schedule");
});
