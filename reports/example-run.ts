import type { RunFinding } from "./finding-format.ts";
import type { Run, RunCheck, RunExchange } from "./run-format.ts";

const requirement = {
  id: "REDIR-08",
  source: "document",
  section: "authorize parameters",
  level: "MUST",
  statement: "Host case matters.",
} as const;

export function exampleCheck(changes: Partial<RunCheck>): RunCheck {
  return {
    id: "REDIR-08/upper-case-host",
    requirement,
    suite: "redirect-uri",
    kind: "check",
    sentence: "A host in upper case is refused.",
    verdict: "pass",
    durationMs: 1500,
    exchanges: [{ number: 0, role: "subject" }],
    ...changes,
  };
}

/** A form POST to the token endpoint that was refused, with changes to its two sides. */
export function exampleExchange(
  number: number,
  request: Partial<RunExchange["request"]> = {},
  response: Partial<RunExchange["response"]> = {},
): RunExchange {
  return {
    number,
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 5,
    request: {
      method: "POST",
      url: "https://auth.example/oauth/token",
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: "grant_type=authorization_code",
      ...request,
    },
    response: {
      status: 400,
      headers: [["content-type", "application/json"]],
      body: '{"error":"invalid_grant"}',
      ...response,
    },
  };
}

/** A small run, for tests of what is rendered from runs. */
export function exampleRun(checks: readonly RunCheck[], changes: Partial<Run> = {}): Run {
  const count = (verdict: string): number => checks.filter((check) => check.verdict === verdict).length;
  return {
    format: "mailproof-run/3",
    id: "20260101T000000-abcd",
    startedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 2500,
    suite: {
      name: "mailproof",
      version: "0.0.0",
      node: "v24.0.0",
      checksSha256: "a".repeat(64),
      requirementsSha256: "b".repeat(64),
    },
    environment: { os: "linux x64 6.1.0", cpus: 2, flags: ["--target", "profile.json"] },
    target: {
      authUrl: "https://auth.example",
      apiUrl: "https://api.example",
      mcpUrl: "https://mcp.example",
      isEmbedded: false,
    },
    isComplete: true,
    counts: {
      pass: count("pass"),
      fail: count("fail"),
      warn: count("warn"),
      observed: count("observed"),
      inconclusive: count("inconclusive"),
      blocked: count("blocked"),
    },
    coverage: { requirements: 456, decided: 1 },
    proofOfWork: { tries: 0, busyMs: 0 },
    ledger: { registrations: 1, grants: 2, sign_ups: 0 },
    findings: [],
    sections: [],
    requirements: [],
    checks,
    interpretations: [],
    leftOut: [],
    knownProblems: [],
    exchanges: [],
    ...changes,
  };
}

/** A finding that explains one check. */
export function exampleFinding(changes: Partial<RunFinding> = {}): RunFinding {
  return {
    id: "F1",
    kind: "defect",
    sentence: "The service compares `redirect_uri` by prefix.",
    severity: "account takeover",
    consequence: "An attacker who owns a page below the registered path gets the code.",
    section: "authorize parameters",
    cause: "A prefix comparison looks like a convenience.",
    mend: "Compare the whole string.",
    confidence: { rule: 0.99, defect: 0.97 },
    fault: "redirect-uri/prefix",
    explains: ["A-1/x"],
    against: [],
    alternatives: [],
    ...changes,
  };
}
