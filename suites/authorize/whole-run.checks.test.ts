import { describe, expect, test } from "vitest";
import type { Attempt } from "../support/actors/authorization.ts";
import { undecodableText } from "../support/material/undecodable.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { wholeRunChecks } from "./whole-run.checks.ts";

const issuer = "https://auth.example";
const client = "https://cb.example.test/cb";
const iss = encodeURIComponent(issuer);
const success = `${client}?code=c&state=s%201&iss=${iss}`;
const refusal = `${client}?error=invalid_request&state=s%201&iss=${iss}`;

function answered(method: string, status: number, location?: string): Exchange {
  return {
    number: 7,
    startedAt: "",
    durationMs: 0,
    request: { method, url: `${issuer}/oauth/consent`, headers: [], body: "" },
    response: { status, headers: location === undefined ? [] : [["Location", location]], body: "" },
  };
}

function attempted(end: Attempt["end"], states: readonly string[] = ["s 1"]): Attempt {
  return {
    parameters: [["redirect_uri", `${client}?tenant=7`], ...states.map((state) => ["state", state] as const)],
    registered: [client],
    issuer,
    first: end.exchange,
    hops: () => [end.exchange],
    end,
    interaction: true,
  };
}

function redirected(location: string, status = 303, states?: readonly string[], method = "POST"): Attempt {
  return attempted({ kind: "redirect", location, exchange: answered(method, status, location) }, states);
}

const directRefusal = attempted({ kind: "answer", exchange: answered("GET", 400), reason: "got 400" });

type Kinds = typeof Violation | typeof InconclusiveError | typeof NotApplicableError;

/** The ids of the checks that end so. */
function idsWith(Kind: Kinds, attempts: readonly Attempt[]): string[] {
  return wholeRunChecks.flatMap(({ id, assert }) => {
    try {
      assert(attempts);
      return [];
    } catch (error) {
      return error instanceof Kind ? [id] : [];
    }
  });
}

test("right responses break nothing", () => {
  const attempts = [
    redirected(success),
    redirected(`${client}?code=c&state=plain&iss=${iss}`, 303, ["plain"]),
    redirected(refusal),
    redirected(`${client}?tenant=7&code=c&tenant=8&state=s%201&iss=${iss}`),
  ];
  expect(idsWith(Violation, attempts)).toEqual([]);
  expect(idsWith(InconclusiveError, attempts)).toEqual([]);
});

describe("each defect breaks its own check and no other", () => {
  test.for([
    {
      why: "a success without iss",
      attempt: redirected(`${client}?code=c&state=s%201`),
      id: "AUTHZ-13/every-response",
    },
    {
      why: "a success with another state",
      attempt: redirected(`${client}?code=c&state=other&iss=${iss}`, 303, ["plain"]),
      id: "AUTHZ-10/every-response",
    },
    {
      why: "iss missing",
      attempt: redirected(`${client}?error=e&state=s%201`),
      id: "AUTHZ-13/error-redirects",
    },
    {
      why: "iss with a slash",
      attempt: redirected(`${client}?error=e&state=s%201&iss=${iss}/`),
      id: "AUTHZ-13/error-redirects",
    },
    {
      why: "state missing",
      attempt: redirected(`${client}?error=e&iss=${iss}`),
      id: "AUTHZ-10/error-redirects",
    },
    {
      why: "state encoded twice",
      attempt: redirected(`${client}?error=e&state=s%25201&iss=${iss}`),
      id: "AUTHZ-10/error-redirects",
    },
    { why: "code and error", attempt: redirected(`${refusal}&code=c`), id: "AUTHZ-09/code-or-error" },
    { why: "code twice", attempt: redirected(`${success}&code=d`), id: "AUTHZ-09/once" },
    { why: "error twice", attempt: redirected(`${refusal}&error=e`), id: "B-AUTHZ-15" },
    { why: "301 after GET", attempt: redirected(success, 301, undefined, "GET"), id: "B-AUTHZ-11" },
    { why: "307 after GET", attempt: redirected(refusal, 307, undefined, "GET"), id: "B-AUTHZ-11" },
  ])("$why", ({ attempt, id }) => {
    expect(idsWith(Violation, [redirected(success), redirected(refusal), attempt])).toEqual([id]);
  });

  test("307 after POST posts the form again, beside its unusual status", () => {
    const broken = idsWith(Violation, [redirected(refusal), redirected(success, 307)]);
    expect(broken).toEqual(["B-AUTHZ-11", "AUTHZ-09/form-not-repeated"]);
  });
});

describe("a way back that follows no form", () => {
  const signIn = answered("POST", 303, "/consent");
  const back = redirected(success, 303, undefined, "GET");
  const formNotRepeated = (attempts: readonly Attempt[]): string | undefined =>
    idsWith(InconclusiveError, attempts).find((id) => id === "AUTHZ-09/form-not-repeated");

  test("posts none again, where a person signed in by a form before", () => {
    expect(formNotRepeated([{ ...back, hops: () => [signIn, back.end.exchange] }])).toBeUndefined();
  });

  test("tells nothing where no form was seen at all", () => {
    expect(formNotRepeated([back])).toBe("AUTHZ-09/form-not-repeated");
  });
});

test.for([
  { states: [] },
  { states: [""] },
  { states: ["a", "b"] },
  { states: ["é"] },
  { states: [undecodableText] },
])("a request with the states $states is owed none", ({ states }) => {
  const attempts = [redirected(refusal), redirected(`${client}?error=e&iss=${iss}`, 303, states)];
  expect(idsWith(Violation, attempts)).toEqual([]);
});

const all = wholeRunChecks.map(({ id }) => id);

test("a run with nothing tells nothing", () => {
  expect(idsWith(InconclusiveError, [])).toEqual(all);
});

test("a run with direct refusals alone has no error redirect to judge, and tells nothing else", () => {
  const ofRedirects = ["AUTHZ-13/error-redirects", "AUTHZ-10/error-redirects", "B-AUTHZ-15"];
  expect(idsWith(NotApplicableError, [directRefusal])).toEqual(ofRedirects);
  expect(idsWith(InconclusiveError, [directRefusal])).toEqual(all.filter((id) => !ofRedirects.includes(id)));
});
