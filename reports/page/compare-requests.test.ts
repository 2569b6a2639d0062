import { expect, test } from "vitest";
import { exampleCheck, exampleExchange } from "../example-run.ts";
import type { RunExchange } from "../run-format.ts";
import { compareRequests, type Comparison } from "./compare-requests.ts";

type Request = Partial<RunExchange["request"]>;

/** Compares a control with the subject of one check. */
function compared(control: Request, subject: Request): Comparison | undefined {
  const exchanges = [exampleExchange(1, control), exampleExchange(2, subject)];
  const check = exampleCheck({
    verdict: "fail",
    decisive: 2,
    exchanges: [
      { number: 1, role: "control" },
      { number: 2, role: "subject" },
    ],
  });
  return compareRequests(check, (number) => exchanges.find((exchange) => exchange.number === number));
}

function differences(control: Request, subject: Request) {
  const rows = compared(control, subject)?.rows ?? [];
  return rows
    .filter(({ kind }) => kind === "different")
    .map(({ name, control: left, subject: right }) => [name, left, right]);
}

const authorize = "https://auth.example/oauth/authorize";

test.for<{ why: string; control: Request; subject: Request; found: unknown[] }>([
  {
    why: "a parameter of the query",
    control: { url: `${authorize}?a=1&redirect_uri=https%3A%2F%2Fcb.example%2Fcb&state=4f1c09e2b7aa` },
    subject: { url: `${authorize}?a=1&redirect_uri=https%3A%2F%2Fcb.example%2Fcb%2F&state=99e0b1c7d210` },
    found: [["redirect_uri", "https%3A%2F%2Fcb.example%2Fcb", "https%3A%2F%2Fcb.example%2Fcb%2F"]],
  },
  {
    why: "a parameter that is left out of a form",
    control: { body: "grant_type=authorization_code&code_verifier=<code_verifier 00000000, 43 characters>" },
    subject: { body: "grant_type=authorization_code" },
    found: [["code_verifier", "<code_verifier 00000000, 43 characters>", undefined]],
  },
  {
    why: "a parameter that is sent twice",
    control: { body: "scope=a" },
    subject: { body: "scope=a&scope=b" },
    found: [["scope", undefined, "b"]],
  },
  {
    why: "a value deep in JSON",
    control: { body: '{"methodCalls":[["Email/get",{"accountId":"a"},"0"]]}' },
    subject: { body: '{"methodCalls":[["Email/get",{"accountId":"b"},"0"]]}' },
    found: [["methodCalls[0][1].accountId", '"a"', '"b"']],
  },
  {
    why: "a header line that is added",
    control: { headers: [["Accept", "*/*"]] },
    subject: {
      headers: [
        ["Accept", "*/*"],
        ["X-Service-Account-Id", ""],
      ],
    },
    found: [["X-Service-Account-Id", undefined, ""]],
  },
  {
    why: "the case of a header name",
    control: { headers: [["Accept", "*/*"]] },
    subject: { headers: [["ACCEPT", "*/*"]] },
    found: [["Accept", "Accept: */*", "ACCEPT: */*"]],
  },
  {
    why: "the method",
    control: { method: "POST" },
    subject: { method: "PUT" },
    found: [["Request", "POST https://auth.example/oauth/token", "PUT https://auth.example/oauth/token"]],
  },
  {
    why: "another secret where nothing else differs",
    control: { body: "code=<code 00000000, 43 characters>" },
    subject: { body: "code=<code 11111111, 43 characters>" },
    found: [["code", "<code 00000000, 43 characters>", "<code 11111111, 43 characters>"]],
  },
  {
    why: "nothing of what mailproof adds",
    control: { headers: [["X-Conformance-Check", "shared"]] },
    subject: { headers: [["X-Conformance-Check", "CODE-01"]] },
    found: [],
  },
])("$why", ({ control, subject, found }) => {
  expect(differences(control, subject)).toEqual(found);
});

test("values that are new in each request are not a difference beside one that was changed", () => {
  const form = (code: string, type: string) => ({
    body: `code=<code ${code}, 43 characters>&grant_type=${type}`,
  });
  const rows = compared(form("00000000", "authorization_code"), form("11111111", "AUTHORIZATION_CODE"))?.rows;
  expect(rows?.filter(({ group }) => group === "body").map(({ name, kind }) => [name, kind])).toEqual([
    ["code", "fresh"],
    ["grant_type", "different"],
  ]);
});

test("of several controls it takes the one that differs least", () => {
  const exchanges = [
    exampleExchange(1, { body: "a=1&b=2" }),
    exampleExchange(2, { body: "a=9&b=9" }),
    exampleExchange(3, { url: "https://auth.example/other" }),
    exampleExchange(4, { body: "a=1&b=3" }),
  ];
  const roles = ["control", "control", "control", "subject"] as const;
  const check = exampleCheck({ exchanges: roles.map((role, at) => ({ number: at + 1, role })) });
  const comparison = compareRequests(check, (number) => exchanges[number - 1]);
  expect(comparison).toMatchObject({ control: { number: 1 }, subject: { number: 4 } });
});

test("where the judged requests differ in nothing that was chosen, an earlier one shows what was changed", () => {
  const consent = (csrf: string) => ({
    url: "https://auth.example/consent",
    body: `csrf_token=<csrf_token ${csrf}, 43 characters>`,
  });
  const exchanges = [
    exampleExchange(1, { method: "GET", url: `${authorize}?redirect_uri=a`, body: "" }),
    exampleExchange(2, consent("00000000")),
    exampleExchange(3, { method: "GET", url: `${authorize}?redirect_uri=a%2Fevil`, body: "" }),
    exampleExchange(4, consent("11111111")),
  ];
  const roles = ["control", "control", "subject", "subject"] as const;
  const check = exampleCheck({
    decisive: 4,
    exchanges: roles.map((role, at) => ({ number: at + 1, role })),
  });
  const comparison = compareRequests(check, (number) => exchanges[number - 1]);
  expect(comparison).toMatchObject({
    control: { number: 1 },
    subject: { number: 3 },
    judged: { control: { number: 2 }, subject: { number: 4 } },
  });
  expect(comparison?.rows.filter(({ kind }) => kind === "different")).toMatchObject([
    { name: "redirect_uri", control: "a", subject: "a%2Fevil" },
  ]);
});

test("without a control there is the subject alone, and without a subject nothing", () => {
  const exchangeOf = () => exampleExchange(0);
  expect(compareRequests(exampleCheck({}), exchangeOf)).not.toHaveProperty("control");
  const check = exampleCheck({ exchanges: [{ number: 0, role: "setup" }] });
  expect(compareRequests(check, exchangeOf)).toBeUndefined();
});

// As long as a target's maxSizeRequest: a pattern that looks ahead from each letter was not done after ten minutes.
test("a word of a megabyte is compared in one pass", () => {
  const long = "a".repeat(1_000_000);
  expect(differences({ body: "padding=b" }, { body: `padding=${long}` })).toEqual([["padding", "b", long]]);
});
