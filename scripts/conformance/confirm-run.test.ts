import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { askToGoOn, canAsk, planLines } from "./confirm-run.ts";

const profile = parseProfile(
  {
    auth_url: "https://auth.example.com",
    api_url: "https://api.example.com",
    mcp_url: "https://mcp.example.com",
    budget: { registrations: 7, grants: 30, sign_ups: 2, requests_per_second: 5, concurrency: 3 },
  },
  "of the test",
);

test("the plan names the target and what the budget allows", () => {
  const plan = planLines(profile, 12, false).join("\n");
  expect(plan).toContain("judging https://auth.example.com with 12 checks");
  expect(plan).toContain("at most 7 clients, 30 grants, which it revokes at the end, and 2 agents");
  expect(plan).toContain("3 checks at the same time, at most 5 requests a second");
});

test("a run that makes nothing says so", () => {
  expect(planLines(profile, 12, true).join("\n")).toContain("it makes nothing");
});

test.each([
  { typed: "y\n", goesOn: true },
  { typed: "Yes\n", goesOn: true },
  { typed: "\n", goesOn: false },
  { typed: "no\n", goesOn: false },
  { typed: "yesterday\n", goesOn: false },
])("the answer $typed means $goesOn", async ({ typed, goesOn }) => {
  const input = new PassThrough();
  const asked = askToGoOn({ input, output: new PassThrough() });
  input.write(typed);
  expect(await asked).toBe(goesOn);
});

test("the end of input means no", async () => {
  const input = new PassThrough();
  const asked = askToGoOn({ input, output: new PassThrough() });
  input.end();
  expect(await asked).toBe(false);
});

test("nobody is asked without a terminal or in CI", () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect(canAsk({ input: terminal, output: terminal }, {})).toBe(true);
  expect(canAsk({ input: terminal, output: terminal }, { CI: "true" })).toBe(false);
  expect(canAsk({ input: new PassThrough(), output: terminal }, {})).toBe(false);
});
