import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, observe, recommend } from "./check.ts";
import { expectStatus } from "./expect.ts";
import { judge } from "./judge.ts";
import { createSolver } from "../pow/solver.ts";
import { parseProfile, type Profile } from "../target/profile.ts";
import { openTarget, type Target, type TargetRun } from "../target/target.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { BlockedError, InconclusiveError, warning } from "../verdict.ts";

let isBusy = true;
const server = createServer((request, response) => {
  if (request.url === "/reset") return void request.socket.destroy();
  if (request.url === "/busy-once" && isBusy) {
    isBusy = false;
    return void response.writeHead(429, { "Retry-After": "0" }).end();
  }
  return void response.writeHead(request.url === "/broken" ? 500 : 204).end();
});
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
    exchanges: [{ role: "subject", exchange: { request: { method: "GET" }, response: { status: 204 } } }],
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

test.for([
  { why: "no answer", act: async () => undefined },
  { why: "none of what it would have sent", act: async () => ({ exchanges: [], marker: "m" }) },
])("a check that has $why to judge is observed, not passed", async ({ act }) => {
  const nothing = check<unknown>({ id: "META-01", claim: "c", act, assert: () => undefined });
  expect(await judge(nothing, run, profile)).toMatchObject({
    verdict: "observed",
    reason: "the target gave no opportunity to try this: there is no answer to judge",
  });
  expect(await judge({ ...nothing, last: true }, run, profile)).toMatchObject({ verdict: "pass" });
});

test("what is done once a run is evidence of everyone who asks, and a failure is evidence too, and tried again", async () => {
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
    ["inconclusive", 1],
    ["pass", 1],
    ["pass", 1],
  ]);
  expect(made).toBe(2);
});

describe("the exchanges of a check", () => {
  const roles = (result: Awaited<ReturnType<typeof judge>>) =>
    result.exchanges.map(({ exchange, role }) => [new URL(exchange.request.url).pathname, role]);
  const at = (target: Target, path: string) => target.send({ method: "GET", url: target.authUrl + path });

  /** One setup of its own, one that is shared, a control that may be refused, and the subject. */
  const withControl = (control: string, subject: string) =>
    check({
      id: "META-01",
      claim: "c",
      async act(target) {
        await target.setup.once(`shared before ${control}`, (recording) => at(recording, "/shared"));
        await at(target, "/own");
        const accepted = await at(target.control, control);
        if (accepted.response.status !== 204) throw controlRefused("the control", "204", accepted, "META-02");
        return at(target, subject);
      },
      assert: (exchange) => expectStatus(exchange, 204),
    });

  test("of a pass are what it rests on, without what it shares", async () => {
    expect(roles(await judge(withControl("/control", "/subject"), run, profile))).toEqual([
      ["/own", "setup"],
      ["/control", "control"],
      ["/subject", "subject"],
    ]);
  });

  test("of a refused control are all, and the control is decisive", async () => {
    const result = await judge(withControl("/broken", "/subject"), run, profile);
    expect(result).toMatchObject({ verdict: "inconclusive", explainedBy: "META-02" });
    expect(roles(result)).toEqual([
      ["/shared", "setup"],
      ["/own", "setup"],
      ["/broken", "control"],
    ]);
    expect(result.decisive).toBe(result.exchanges.at(-1)?.exchange.number);
  });

  test("of a shared control that was refused are evidence of every check that needs it", async () => {
    const asking = check({
      id: "META-01",
      claim: "c",
      act: (target) =>
        target.control.once("refused for all", async (recording) => {
          throw controlRefused("the control", "204", await at(recording, "/broken"));
        }),
      assert: () => undefined,
    });
    expect(roles(await judge(asking, run, profile))).toEqual([["/broken", "control"]]);
  });

  test("that a target asked to wait for are told from its answer", async () => {
    const waiting = check({
      id: "META-01",
      claim: "c",
      act: (target) => at(target, "/busy-once"),
      assert: (exchange) => expectStatus(exchange, 204),
    });
    expect(roles(await judge(waiting, run, profile))).toEqual([
      ["/busy-once", "waited"],
      ["/busy-once", "subject"],
    ]);
  });

  test("that got no answer are evidence too, and the verdict says that it may be another", async () => {
    const result = await judge(
      check({
        id: "META-01",
        claim: "c",
        act: (target) => target.send({ method: "POST", url: `${target.authUrl}/reset` }),
        assert: (exchange) => expectStatus(exchange, 204),
      }),
      run,
      profile,
    );
    expect(result).toMatchObject({ verdict: "inconclusive", isDisturbed: true });
    expect(roles(result)).toEqual([["/reset", "subject"]]);
  });
});

test("a violation of a recommendation warns, with both sides of it", async () => {
  const advice = recommend({
    id: "B-META-01",
    claim: "c",
    act: (target) => target.send({ method: "GET", url: `${target.authUrl}/broken` }),
    assert: (exchange) => expectStatus(exchange, 204),
  });
  expect(await judge(advice, run, profile)).toMatchObject({ verdict: "warn", expected: "status 204" });
});

test("an observation answers its question and never fails", async () => {
  const question = observe({
    id: "META-01",
    question: "Which status?",
    act: (target) => target.send({ method: "GET", url: `${target.authUrl}/broken` }),
    answer: (exchange) => String(exchange.response.status),
  });
  expect(await judge(question, run, profile)).toMatchObject({ verdict: "observed", reason: "500" });
});

test("what was refused twice for the same reason is not tried again, and stays evidence", async () => {
  let made = 0;
  const asking = check({
    id: "META-01",
    claim: "c",
    act: (target) =>
      target.once("always refused", async (recording) => {
        made += 1;
        const exchange = await recording.send({ method: "GET", url: `${recording.authUrl}/broken` });
        throw controlRefused("the request", "204", exchange);
      }),
    assert: () => undefined,
  });
  const results = [];
  for (let at = 0; at < 5; at += 1) results.push(await judge(asking, run, profile));
  expect(results.map(({ verdict, exchanges }) => [verdict, exchanges.length])).toEqual(
    Array.from({ length: 5 }, () => ["inconclusive", 1]),
  );
  expect(made).toBe(2);
});
