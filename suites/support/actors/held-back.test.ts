import { createServer } from "node:http";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { createSolver } from "../pow/solver.ts";
import { createEvidence } from "../target/evidence.ts";
import { parseProfile } from "../target/profile.ts";
import { openTarget, type TargetRun } from "../target/target.ts";
import { jmapAs, jmapBody, methodResponses } from "./jmap.ts";

/** What the server answers, the last for ever. */
let answers: readonly unknown[] = [];
let served = 0;
const server = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ methodResponses: answers[Math.min(served, answers.length - 1)] }));
  served += 1;
});
const solver = createSolver();
let run: TargetRun;

beforeEach(async () => {
  served = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const addresses = { auth_url: url, api_url: url, mcp_url: url };
  const profile = parseProfile({ ...addresses, patience_seconds: 1 }, "of the test");
  run = openTarget(profile, solver, new AbortController().signal);
});

afterEach(async () => {
  await run.close();
  await new Promise((resolve) => server.close(resolve));
});

afterAll(() => solver.close());

const limited = [["EmailSubmission/set", { created: null, notCreated: { s1: { type: "rateLimit" } } }, "0"]];
const sent = [["EmailSubmission/set", { created: { s1: { id: "s" } } }, "0"]];
const unavailable = [["error", { type: "serverUnavailable" }, "0"]];

async function ask() {
  const target = run.targetFor(createEvidence());
  return jmapAs(target, "token", "account", jmapBody([["EmailSubmission/set", {}, "0"]]));
}

test.for([
  { what: "a submission that a limit refused", first: limited },
  { what: "what was unavailable for a moment", first: unavailable },
])("$what is sent again", async ({ first }) => {
  answers = [first, sent];
  expect(methodResponses(await ask())).toEqual(sent);
  expect(served).toBe(2);
});

test("what was sent beside something that was refused is not sent twice", async () => {
  answers = [[...sent, ...limited]];
  await ask();
  expect(served).toBe(1);
});

test("patience ends, and those that come later wait no more", async () => {
  answers = [limited];
  await expect(ask()).rejects.toMatchObject({ code: "rate-limited" });
  const before = served;
  await expect(ask()).rejects.toThrow("held back with rateLimit or serverUnavailable for 1 s");
  expect(served - before).toBe(1);
});

test("an answer that nothing was served in has no method responses", async () => {
  answers = [unavailable];
  await expect(ask()).rejects.toMatchObject({ code: "rate-limited" });
});
