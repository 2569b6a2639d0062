import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type DefectiveTarget, startDefectiveTarget } from "../conformance/defective-target.ts";
import { startMailproof } from "../mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
const roundEnd = /of all that is known, .*\n/gu;
let target: DefectiveTarget;

beforeAll(async () => {
  target = await startDefectiveTarget();
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

test("rounds follow changes of files, show what changed, write nothing, and end with Ctrl-C", async () => {
  const source = join(folder, "src");
  const out = join(folder, "runs");
  for (const path of [source, join(source, "node_modules"), out]) mkdirSync(path);
  const options = ["--target", target.profile(folder), "--check", "REDIR-08", "--on", source, "--out", out];
  const { child, ended } = startMailproof(["watch", ...options], target.env);
  let printed = "";
  child.stdout?.on("data", (part: Buffer) => (printed += part.toString()));
  const rounds = async (count: number): Promise<string> => {
    await vi.waitFor(() => expect(printed.match(roundEnd)).toHaveLength(count), {
      timeout: 240_000,
      interval: 50,
    });
    return printed.split(roundEnd)[count - 1] ?? "";
  };
  try {
    const first = await rounds(1);
    expect(first).toContain("everything: judging 2 checks");
    expect(first).toMatch(
      /^FAILS {8}REDIR-08\/upper-case-host .*\n {4}expected {2}no code\n {4}observed {2}a code was issued$/mu,
    );

    target.isDefective = () => false;
    writeFileSync(join(source, "node_modules", "ignored.js"), "");
    writeFileSync(join(source, "compare.ts"), "");
    const second = await rounds(2);
    expect(second).toContain("compare.ts changed: judging 2 checks");
    expect(second).toMatch(/^FIXED {8}REDIR-08\/upper-case-host /mu);
    expect(printed).toContain("nothing fails; waiting for a change");

    let isBroken = true;
    target.isDefective = () => isBroken;
    writeFileSync(join(source, "compare.ts"), "again");
    expect(await rounds(3)).toMatch(/^BROKEN {7}REDIR-08\/upper-case-host /mu);
    isBroken = false;
  } finally {
    child.kill("SIGINT");
  }
  const { code } = await ended;
  // What failed last fails still, as far as is known.
  expect(code).toBe(1);
  expect(readdirSync(out)).toEqual([]);
});

test("a target that is gone is waited for", async () => {
  const gone = await startDefectiveTarget();
  const profile = gone.profile(folder);
  await gone.close();
  const { child, ended } = startMailproof(["watch", "--target", profile, "--check", "META-02"], gone.env);
  let printed = "";
  child.stdout?.on("data", (part: Buffer) => (printed += part.toString()));
  await vi.waitFor(() => expect(printed).toContain("waiting for the target: no usable answer"), {
    timeout: 240_000,
  });
  child.kill("SIGINT");
  expect((await ended).code).toBe(3);
});

test("a folder that is not there is refused", async () => {
  const options = ["--target", target.profile(folder), "--on", join(folder, "nowhere")];
  const { code, err } = await startMailproof(["watch", ...options], target.env).ended;
  expect(err).toContain("there is no such folder");
  expect(code).toBe(2);
});
