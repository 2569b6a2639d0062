import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Comparison } from "../reports/compare/comparison.ts";
import type { Run } from "../reports/run-format.ts";
import { type DefectiveTarget, startDefectiveTarget } from "./conformance/defective-target.ts";
import { type Ended, startMailproof } from "./mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
const failing = "REDIR-08/upper-case-host";
let target: DefectiveTarget;
/** Two runs of one check: before and after the defect was fixed. */
let [before, after] = ["", ""];

beforeAll(async () => {
  target = await startDefectiveTarget();
  before = await judged();
  target.isDefective = () => false;
  after = await judged();
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

function mailproof(...args: readonly string[]): Promise<Ended> {
  return startMailproof(args, target.env).ended;
}

async function judged(...profile: readonly string[]): Promise<string> {
  const out = mkdtempSync(join(folder, "runs-"));
  const [path = target.profile(folder)] = profile;
  await mailproof("conformance", "--target", path, "--out", out, "--check", failing, "--no-repeat");
  const [name = ""] = readdirSync(out);
  return join(out, name);
}

describe("known", () => {
  test("prints a block that makes the same run conform", async () => {
    target.isDefective = () => true;
    const { out, code } = await mailproof("known", before, "--expires", "2099-01-01", "--issue", "MAIL-1");
    expect(code).toBe(0);
    const block = JSON.parse(`{${out}}`) as { known: Record<string, unknown> };
    expect(block.known[failing]).toEqual({
      verdict: "fail",
      reason: expect.stringMatching(
        /^fails since \d{4}-\d\d-\d\d: expected no code, observed a code was issued$/u,
      ),
      issue: "MAIL-1",
      expires: "2099-01-01",
    });
    const out2 = mkdtempSync(join(folder, "runs-"));
    const profile = target.profile(folder, block);
    const again = await mailproof("conformance", "--target", profile, "--out", out2, "--check", failing);
    target.isDefective = () => false;
    expect(again.code).toBe(0);
    // The entry is stale when the defect is fixed.
    const stale = await mailproof("conformance", "--target", profile, "--out", out2, "--check", failing);
    expect(stale.out).toContain(`${failing}: known to be fail, but it is pass; correct or remove the entry`);
    expect(stale.code).toBe(1);
  });

  test("has nothing to print where nothing failed, and refuses a day that is over", async () => {
    const [nothing, past] = await Promise.all([
      mailproof("known", after),
      mailproof("known", before, "--expires", "2020-01-01"),
    ]);
    expect([nothing.out, nothing.code]).toEqual(["", 0]);
    expect(past.err).toContain("--expires 2020-01-01: expected a day to come");
    expect(past.code).toBe(2);
  });
});

describe("replay", () => {
  const replay = (...args: readonly string[]): Promise<Ended> =>
    mailproof("replay", before, ...args, "--target", target.profile(folder));

  test("says FIXED, with both answers side by side", async () => {
    target.isDefective = () => false;
    const { out, code } = await replay(failing);
    expect(out).toMatch(/^fail: expected no code, observed a code was issued +≠ pass$/mu);
    expect(out).toMatch(/^< 303 +≠ < 400$/mu);
    expect(out).toContain(`FIXED  ${failing}: it passes`);
    expect(code).toBe(0);
  });

  test("says STILL FAILS", async () => {
    target.isDefective = () => true;
    const { out, code } = await replay(failing);
    target.isDefective = () => false;
    expect(out).toContain(`STILL FAILS  ${failing}: expected no code, observed a code was issued`);
    expect(code).toBe(1);
  });

  test("refuses a check that the run has not", async () => {
    const { err, code } = await replay("REDIR-08/uper-case-host");
    expect(err).toContain(`has no check REDIR-08/uper-case-host; did you mean ${failing}?`);
    expect(code).toBe(2);
  });

  test("names the checks of a requirement", async () => {
    const { err, code } = await replay("REDIR-08");
    expect(err).toContain("REDIR-08 is a requirement; give one of its checks: REDIR-08/");
    expect(code).toBe(2);
  });

  test("takes the profile of the run, and asks for one where that is gone", async () => {
    const run = await judged();
    const found = await mailproof("replay", run, failing);
    expect(found.out).toContain(`SAME  ${failing}: it passes`);
    const { flags } = (JSON.parse(readFileSync(join(run, "run.json"), "utf8")) as Run).environment;
    rmSync(flags[flags.indexOf("--target") + 1] ?? "");
    const gone = await mailproof("replay", run, failing);
    expect(gone.err).toContain(`the run judged ${target.authUrl}; give its profile with --target`);
    expect([found.code, gone.code]).toEqual([0, 2]);
  });
});

describe("compare", () => {
  test("exits with 0 for a defect that was fixed, and with 1 for a new one", async () => {
    const [fixed, broken] = await Promise.all([
      mailproof("compare", before, after),
      mailproof("compare", after, before),
    ]);
    expect(fixed.out).toContain("fixed (1):");
    expect(fixed.out).toContain("A → B: 1 fixed\nnothing became worse");
    expect(broken.out).toContain("broken: they fail now (1):");
    expect(broken.out).toContain("something became worse");
    expect([fixed.code, broken.code]).toEqual([0, 1]);
  });

  test("shows more than two side by side, in each format", async () => {
    const runs = [after, before, after];
    const file = join(folder, "matrix.html");
    const [terminal, json, markdown, html] = await Promise.all([
      mailproof("compare", ...runs),
      mailproof("compare", ...runs, "--format", "json"),
      mailproof("compare", ...runs, "--format", "markdown"),
      mailproof("compare", ...runs, "--format", "html", "--out", file),
    ]);
    expect(terminal.out).toMatch(/^ {2}REDIR-08 {2}✓ {2}✗ {2}✓ {3}MUST: /mu);
    const comparison = JSON.parse(json.out) as Comparison;
    expect(comparison.requirements).toEqual([
      expect.objectContaining({ id: "REDIR-08", verdicts: ["pass", "fail", "pass"] }),
    ]);
    expect(markdown.out).toContain("| REDIR-08 | ✓ pass | ✗ fail | ✓ pass | MUST |");
    expect(readFileSync(file, "utf8")).toContain("3 runs side by side");
    expect([terminal, json, markdown, html].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  });

  test("refuses what is not a run", async () => {
    const file = join(folder, "run.json");
    writeFileSync(file, "{}");
    const [one, format, other] = await Promise.all([
      mailproof("compare", before),
      mailproof("compare", before, after, "--format", "pdf"),
      mailproof("compare", before, file),
    ]);
    expect(one.err).toContain("compare needs two runs or more");
    expect(format.err).toContain("there is no format pdf; there are terminal, html, markdown, json");
    expect(other.err).toContain("run.json");
    expect([one.code, format.code, other.code]).toEqual([2, 2, 2]);
  });
});

describe("explain", () => {
  test("a check: its claim, its requirement, the readings, and the defects that prove it", async () => {
    const { out, code } = await mailproof("explain", "redir-08/UPPER-case-host");
    expect(out).toContain("A `redirect_uri` with its host in upper case is refused without a redirect.");
    expect(out).toContain("REDIR-08  MUST  (the document)");
    expect(out).toMatch(/^the reading taken:\n {2}C-02 {2}/mu);
    expect(out).toContain("The service compares redirect_uri case-insensitively.");
    expect(code).toBe(0);
  });

  test("a requirement with all its checks, a reading, and one that nothing judges", async () => {
    const [requirement, reading, unjudged] = await Promise.all([
      mailproof("explain", "REDIR-08"),
      mailproof("explain", "C-76"),
      mailproof("explain", "VER-04"),
    ]);
    expect(requirement.out).toContain("REDIR-08/capital-host");
    expect(reading.out).toContain("requirements whose verdicts rest on it (9):");
    expect(unjudged.out).toContain("not judged: the document shows no events");
    expect([requirement.code, reading.code, unjudged.code]).toEqual([0, 0, 0]);
  });

  test("shows what a check sends to the reference service", async () => {
    const { out, code } = await mailproof("explain", failing, "--example");
    expect(out).toContain("the reference service: pass");
    expect(out).toMatch(/^ {2}subject\n {4}> GET \/oauth\/authorize\?.*CB\.EXAMPLE\.TEST/mu);
    expect(out).toMatch(/^ {4}< 400$/mu);
    expect(out).toMatch(/^ {2}control$/mu);
    expect(code).toBe(0);
  });

  test("suggests what a mistyped id was meant to be", async () => {
    const { err, code } = await mailproof("explain", "REDIR-8");
    expect(err).toContain("there is no check, requirement or reading REDIR-8; did you mean REDIR-08");
    expect(code).toBe(2);
  });
});
