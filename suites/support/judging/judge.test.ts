import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { check } from "./check.ts";
import { expectStatus } from "./expect.ts";
import { judge } from "./judge.ts";
import { createSolver } from "../pow/solver.ts";
import { parseProfile, type Profile } from "../target/profile.ts";
import { openTarget, type TargetRun } from "../target/target.ts";
import { BlockedError, InconclusiveError, observation, warning } from "../verdict.ts";

const server = createServer((request, response) =>
  response.writeHead(request.url === "/broken" ? 500 : 204).end(),
);
const solver = createSolver();
let profile: Profile;
let run: TargetRun;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url }, "of the test");
  run = openTarget(profile, solver, new AbortController().signal);
});

afterAll(async () => {
  await run.close();
  await solver.close();
  server.close();
});

const get = (path: string) =>
  check({
    id: "META-01",
    claim: "answers 204",
    act: (target) => target.send({ method: "GET", url: target.authUrl + path }),
    assert: (exchange) => expectStatus(exchange, 204),
  });

test("a claim that holds passes, with what crossed the wire", async () => {
  const result = await judge(get("/"), run, profile);
  expect(result).toMatchObject({
    verdict: "pass",
    exchanges: [{ request: { method: "GET" }, response: { status: 204 } }],
  });
});

test("a claim that does not hold fails, with both sides of it", async () => {
  expect(await judge(get("/broken"), run, profile)).toMatchObject({
    verdict: "fail",
    expected: "status 204",
    observed: "500",
  });
});

const thrown = (error: Error) =>
  check({ id: "META-01", claim: "c", act: () => Promise.reject(error), assert: () => undefined });

test.for([
  {
    why: "a refused control",
    subject: thrown(new InconclusiveError("control-refused", "refused too")),
    seen: { verdict: "inconclusive", reason: "refused too" },
  },
  {
    why: "a lacking need",
    subject: thrown(new BlockedError("needs it")),
    seen: { verdict: "blocked", reason: "needs it" },
  },
  {
    why: "a broken check",
    subject: thrown(new TypeError("x is undefined")),
    seen: { verdict: "inconclusive", defect: true },
  },
  {
    why: "a warning",
    subject: check({ id: "META-01", claim: "c", act: async () => 0, assert: () => warning("w") }),
    seen: { verdict: "warn", reason: "w" },
  },
  {
    why: "an observation",
    subject: check({ id: "META-01", claim: "c", act: async () => 0, assert: () => observation("o") }),
    seen: { verdict: "observed", reason: "o" },
  },
  {
    why: "a need of the profile",
    subject: check({
      id: "META-01",
      claim: "c",
      needs: ["human"],
      act: async () => 0,
      assert: () => undefined,
    }),
    seen: { verdict: "blocked" },
  },
  {
    why: "a wait beyond the patience",
    subject: check({
      id: "META-01",
      claim: "c",
      waitSeconds: 900,
      act: async () => 0,
      assert: () => undefined,
    }),
    seen: { verdict: "blocked" },
  },
])("$why is never a pass", async ({ subject, seen }) => {
  expect(await judge(subject, run, profile)).toMatchObject(seen);
});

test("what is done once a run is evidence of everyone who asks, and a failure is tried again", async () => {
  let made = 0;
  const asking = check({
    id: "META-01",
    claim: "c",
    act: (target) =>
      target.once("shared", async (recording) => {
        made += 1;
        const exchange = await recording.send({ method: "GET", url: `${recording.authUrl}/` });
        if (made === 1) throw new InconclusiveError("control-refused", "the first time");
        return exchange;
      }),
    assert: (exchange) => expectStatus(exchange, 204),
  });
  const verdicts = [
    await judge(asking, run, profile),
    await judge(asking, run, profile),
    await judge(asking, run, profile),
  ];
  expect(verdicts.map(({ verdict, exchanges }) => [verdict, exchanges.length])).toEqual([
    ["inconclusive", 0],
    ["pass", 1],
    ["pass", 1],
  ]);
  expect(made).toBe(2);
});
