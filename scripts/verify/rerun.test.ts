import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certifiableRun, certifiedFolder } from "../certificate/example-certificate.ts";
import { catalogue, checkIds } from "../conformance/catalogue.ts";
import { type DefectiveTarget, startDefectiveTarget } from "../conformance/defective-target.ts";
import { readRun } from "../conformance/read-run.ts";
import { suiteDigests } from "../conformance/suite-digests.ts";
import { type Ended, startMailproof } from "../mailproof-process.ts";

const place = mkdtempSync(join(tmpdir(), "mailproof-rerun-"));
const certified = ["REDIR-08/upper-case-host", "REDIR-08/capital-host", "META-02/host"];
let target: DefectiveTarget;
let profile: string;
let certificate: string;

beforeAll(async () => {
  target = await startDefectiveTarget();
  target.isDefective = () => false;
  profile = target.profile(place);
  certificate = await certificateOf(certified);
});
afterAll(async () => {
  await target.close();
  rmSync(place, { recursive: true });
});

/** A certificate of the target for these checks; all others are certified as left out. */
async function certificateOf(ids: readonly string[]): Promise<string> {
  const out = join(place, "before");
  const once = ["conformance", "--target", profile, ...ids.flatMap((id) => ["--check", id]), "--out", out];
  expect(await startMailproof(once, target.env).ended).toMatchObject({ code: 0 });
  const [id = ""] = readdirSync(out);
  const { target: judged } = readRun(join(out, id));
  const small = certifiableRun();
  const { folder } = certifiedFolder({
    ...small,
    suite: { ...small.suite, ...suiteDigests(catalogue) },
    target: judged,
    leftOut: [{ needs: "nothing", checks: checkIds(catalogue).filter((other) => !ids.includes(other)) }],
  });
  return join(folder, "certificate.json");
}

function rerun(...more: readonly string[]): Promise<Ended> {
  const options = ["--rerun", "100%", "--target", profile, "--out", join(place, "runs"), ...more];
  return startMailproof(["verify", certificate, ...options], target.env).ended;
}

test("a target that is as it was certified shows the same results, and what it is known by", async () => {
  const { code, out } = await rerun();
  expect(out).toContain("a sample of 3 checks: all 2 of account takeover, and 1 of the other 1");
  expect(out).toContain("✓ 3 of 3 sampled results were reproduced");
  expect(out).toContain("✓ As certified: the issuer, the metadata, the signing keys.");
  expect(code).toBe(0);
});

test("a target that has broken since does not reproduce what was certified", async () => {
  target.isDefective = () => true;
  const { code, out } = await rerun();
  expect(out).toMatch(/not reproduced\n {2}✗ REDIR-08\/upper-case-host: fail: a code was issued/u);
  expect(code).toBe(1);
});

test("another target is not the one that was certified", async () => {
  const other = await startDefectiveTarget();
  try {
    other.isDefective = () => false;
    const options = ["--rerun", "100%", "--target", other.profile(place), "--out", join(place, "other")];
    const { code, out } = await startMailproof(["verify", certificate, ...options], other.env).ended;
    expect(out).toContain("✗ the issuer: not as certified");
    expect(out).toContain("✗ the signing keys: not as certified; they may have been renewed");
    expect(code).toBe(1);
  } finally {
    await other.close();
  }
});
