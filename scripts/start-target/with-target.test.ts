import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startMailproof } from "../mailproof-process.ts";
import { referenceContent, serviceCommand } from "./reference-target.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-with-target-"));
const out = join(folder, "runs");

afterAll(() => rmSync(folder, { recursive: true }));

function profileFile(name: string, start: object): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(referenceContent({ ports: { sign_in: 0 }, ...start })));
  return path;
}

const target = profileFile("started", { command: serviceCommand("scripts/mailproof.ts", "serve") });

test("doctor starts the target of a profile that says how, and stops it", async () => {
  const { code, out: lines } = await startMailproof(["doctor", "--target", target]).ended;
  expect(lines).toContain("starting the target\n");
  expect(lines).toMatch(/everything that a run needs is there/u);
  expect(code).toBe(0);
});

test("replay starts it too, and does not mind its other ports", async () => {
  const once = ["conformance", "--target", target, "--check", "META-01/accept-any", "--out", out];
  expect(await startMailproof(once).ended).toMatchObject({ code: 0 });
  const [id = ""] = readdirSync(out);
  const {
    code,
    out: lines,
    err,
  } = await startMailproof(["replay", join(out, id), "META-01/accept-any"]).ended;
  expect(lines).toContain("SAME");
  expect(err).not.toContain("the run judged");
  expect(code).toBe(0);
});

test("load says why the target does not start, and ends with 3", async () => {
  const broken = profileFile("broken", { command: "echo no database >&2; exit 7" });
  const { code, err } = await startMailproof(["load", "--target", broken, "--short"]).ended;
  expect(err).toMatch(/exit code 7[^]*no database/u);
  expect(code).toBe(3);
});
