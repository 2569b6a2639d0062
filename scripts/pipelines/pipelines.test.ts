import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { commands } from "../commands.ts";

const folder = import.meta.dirname;
const action = join(folder, "../../.github/actions/conformance/action.yaml");
const named = (extension: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));
const yamlFiles = [action, ...named(".yaml")];
const pages = named(".md");

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function documentsOf(path: string): unknown[] {
  return parseAllDocuments(read(path)).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

/** Calls of the command line in a text, with the arguments behind the command. */
function callsIn(text: string): { command: string; args: string }[] {
  const lines = text.replaceAll(/\\\n\s*/gu, "");
  return [
    ...lines.matchAll(/mailproof(?:\.cjs")? ([a-z]+)( --[^\n`]*)/gu),
    ...lines.matchAll(/`(?:npx )?mailproof ([a-z]+)([^\n`]*)`/gu),
  ].map(([, command = "", args = ""]) => ({ command, args }));
}

async function helpOf(command: string): Promise<string> {
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const run = await commands[command]?.load();
  await run?.(["--help"]);
  return print.mock.calls.join("\n");
}

async function expectUsable({ command, args }: { command: string; args: string }): Promise<void> {
  expect(Object.keys(commands)).toContain(command);
  const options = new Set((await helpOf(command)).match(/--[a-z-]+/gu));
  expect([...options]).toEqual(expect.arrayContaining(args.match(/--[a-z-]+/gu) ?? []));
}

test("there are files for three pipelines and pages for four languages", () => {
  expect(yamlFiles).toHaveLength(4);
  expect(pages).toHaveLength(5);
});

test.for([...yamlFiles, ...pages])("%s calls commands and options that exist", async (path) => {
  for (const call of callsIn(read(path))) await expectUsable(call);
});

test("the calls are found", () => {
  const found = [...yamlFiles, ...pages].flatMap((path) => callsIn(read(path)));
  expect(found.length).toBeGreaterThanOrEqual(12);
  expect(callsIn('node "$HERE/mailproof.cjs" conformance --target \\\n  "$PROFILE"')).toEqual([
    { command: "conformance", args: ' --target "$PROFILE"' },
  ]);
});

test.for(yamlFiles)("%s is YAML", (path) => {
  expect(documentsOf(path)).not.toEqual([]);
});

test("the action uses inputs and outputs that it declares", () => {
  const [content] = documentsOf(action);
  const { inputs, outputs } = z
    .object({ inputs: z.record(z.string(), z.unknown()), outputs: z.record(z.string(), z.unknown()) })
    .parse(content);
  const used = [...read(action).matchAll(/inputs\.([a-z-]+)/gu)].map(([, name]) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  expect(Object.keys(outputs)).toEqual(["exit-code"]);

  const [workflow] = documentsOf(join(folder, "github-actions.yaml"));
  const steps = z
    .object({
      jobs: z.object({ conformance: z.object({ steps: z.array(z.looseObject({ uses: z.string() })) }) }),
    })
    .parse(workflow).jobs.conformance.steps;
  const calling = steps.find(({ uses }) => uses.includes("mailproof"));
  expect(calling?.uses).toContain("/.github/actions/conformance@");
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(calling?.["with"] ?? {})));
});

test("the CronJob calls the command line, and mounts what its arguments name", async () => {
  const container = z.object({
    args: z.array(z.string()),
    volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
  });
  const pod = z.object({
    containers: z.tuple([container]),
    volumes: z.array(z.looseObject({ name: z.string() })),
  });
  const job = z.object({
    spec: z.object({
      jobTemplate: z.object({
        spec: z.object({ backoffLimit: z.literal(0), template: z.object({ spec: pod }) }),
      }),
    }),
  });
  const { containers, volumes } = job.parse(documentsOf(join(folder, "nightly-gate.yaml"))[1]).spec
    .jobTemplate.spec.template.spec;
  const [{ args, volumeMounts }] = containers;
  await expectUsable({ command: args[0] ?? "", args: args.slice(1).join(" ") });
  for (const path of args.filter((arg) => arg.startsWith("/")))
    expect(volumeMounts.some(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))).toBe(
      true,
    );
  expect(new Set(volumeMounts.map(({ name }) => name))).toEqual(new Set(volumes.map(({ name }) => name)));
});

describe.for(pages)("%s", (path) => {
  const blocks = [...read(path).matchAll(/^```json\n([^]*?)^```$/gmu)].map(([, json = ""]) => json);

  test("shows profiles that can be used", () => {
    for (const [, name = ""] of blocks.join("\n").matchAll(/"env:(\w+)"/gu)) vi.stubEnv(name, "a-password");
    for (const json of blocks) expect(parseProfile(JSON.parse(json), path).humans).toHaveLength(2);
    expect(blocks).toHaveLength(path.endsWith("README.md") ? 0 : 1);
  });

  test("links to what is there", () => {
    const links = [...read(path).matchAll(/\]\(([^)#]*)(#[^)]*)?\)/gu)];
    expect(links).not.toEqual([]);
    const broken = links.filter(([, target = "", anchor]) => {
      const file = target === "" ? path : join(dirname(path), target);
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(read(file)).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});

function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gmu)].map(
    ([, title = ""]) =>
      `#${title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/gu, "")
        .replaceAll(" ", "-")}`,
  );
}
