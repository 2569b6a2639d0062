import { exampleCheck, exampleExchange, exampleRun } from "../example-run.ts";
import type { RunFinding } from "../finding-format.ts";
import type { Run, RunCheck, RunRequirement, RunStatement } from "../run-format.ts";

function statement(id: string, level: string, text: string, section: string): RunStatement {
  return { id, source: section.startsWith("RFC") ? "rfc" : "document", section, level, statement: text };
}

const redirect = statement(
  "REDIR-08",
  "MUST",
  "The host of `redirect_uri` is compared exactly.",
  "Endpoints › authorize",
);
const scope = statement(
  "SCOPE-01",
  "MUST NOT",
  "A refresh widens no scope.",
  "Authentication › OAuth 2.0 path, 7",
);
const open = statement("META-20", "OBSERVE", "Whether plain is offered is recorded.", "Endpoints");
const media = statement("B-TOK-03", "SHOULD", "Errors are JSON.", "RFC 6749 §5.2");
const signup = statement(
  "POW-01",
  "MUST",
  "A signup needs a proof.",
  "Authentication › Proof-of-work path, 1",
);
const events = statement("EVT-01", "none", "There are events.", "Events");

const finding: RunFinding = {
  id: "F1",
  kind: "defect",
  sentence: "The service compares the host of redirect_uri by its ending.",
  severity: "account takeover",
  consequence: "Whoever owns a host that ends so receives the code.",
  section: "Endpoints › authorize",
  cause: "An `endsWith` stands in for a comparison.",
  mend: "Compare the whole value.",
  confidence: { rule: 0.99, defect: 0.97 },
  fault: "redirect-uri/suffix",
  explains: ["REDIR-08/suffix"],
  against: ["REDIR-08/upper-case-host"],
  alternatives: [{ fault: "redirect-uri/none", sentence: "The service compares nothing.", confidence: 0.1 }],
};

/** A run with every verdict, for tests of the page. */
export function examplePageRun(text = "https://evil.cb.example/cb", changes: Partial<Run> = {}): Run {
  const url = "https://auth.example/oauth/authorize?client_id=c&redirect_uri=";
  const headers = [["X-Sent", text]] as const;
  const exchanges = [
    exampleExchange(
      0,
      { method: "GET", url: `${url}https://cb.example/cb`, body: "", headers },
      { status: 302, body: "" },
    ),
    exampleExchange(
      1,
      { method: "GET", url: `${url}${text}`, body: "", headers },
      { status: 302, headers: [["location", text]], body: text },
    ),
    exampleExchange(2, {}, { status: 0, headers: [], body: "" }),
  ];
  const pair = [
    { number: 2, role: "setup" },
    { number: 0, role: "control" },
    { number: 1, role: "subject" },
  ] as const;
  const checks: readonly RunCheck[] = [
    exampleCheck({
      id: "REDIR-08/suffix",
      requirement: redirect,
      sentence: "A host with a registered ending is refused.",
      verdict: "fail",
      expected: "no redirect",
      observed: text,
      reason: `expected no redirect; observed ${text}`,
      decisive: 1,
      exchanges: pair,
      interpretations: ["C-01"],
    }),
    exampleCheck({ requirement: redirect, exchanges: pair }),
    exampleCheck({
      id: "SCOPE-01",
      requirement: scope,
      sentence: "A refresh with more scopes is refused.",
      verdict: "inconclusive",
      reason: `the control was refused: ${text}`,
      exchanges: [{ number: 2, role: "setup" }],
      explainedBy: ["REDIR-08/suffix"],
    }),
    exampleCheck({
      id: "META-20/plain",
      requirement: open,
      kind: "observe",
      sentence: "Which `code_challenge_methods_supported` are there?",
      verdict: "observed",
      reason: text,
    }),
    exampleCheck({
      id: "B-TOK-03/errors",
      requirement: media,
      kind: "recommend",
      sentence: "Every error is JSON.",
      verdict: "warn",
      reason: `observed ${text}`,
      known: "until 4.2",
    }),
    exampleCheck({
      id: "POW-01/none",
      requirement: signup,
      sentence: "A signup without a proof is refused.",
      verdict: "blocked",
      reason: "the profile has no `pow`",
      exchanges: [],
    }),
  ];
  const requirements: RunRequirement[] = [redirect, scope, open, media, signup, events].map((each) => {
    const its = checks.filter(({ requirement }) => requirement.id === each.id);
    const verdict = its.find((check) => check.verdict !== "pass")?.verdict;
    return {
      ...each,
      checks: its.map(({ id }) => id),
      ...(verdict === undefined ? { notJudged: "the document shows no events" } : { verdict }),
    };
  });
  return exampleRun(checks, {
    sections: [
      "Endpoints",
      "Endpoints › authorize",
      "Authentication › OAuth 2.0 path",
      "Authentication › Proof-of-work path",
      "Events",
    ],
    findings: [finding],
    requirements,
    exchanges,
    interpretations: [
      { id: "C-01", question: "Where is an error reported?", reading: "Either `here` or there." },
    ],
    knownProblems: [`B-TOK-03/errors: ${text}`],
    leftOut: [{ needs: "`clock`, a clock that can be moved", checks: ["TIME-01/expiry"] }],
    leftBehind: {
      clients: [{ client_id: text, isDeleted: false }],
      grants: { made: 2, revoked: 1 },
      agents: [text],
      emails: 1,
      submissions: 0,
    },
    ...changes,
  });
}
