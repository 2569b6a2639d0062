/** A change as a rule may look at it: never what became of it. */
export interface Change {
  /** Below `fixtures/service`. */
  readonly file: string;
  readonly kind: string;
  readonly original: string;
}

interface OpenChoice {
  /** Why no check can notice such a change: what the document leaves to the service. */
  readonly reason: string;
  covers(change: Change): boolean;
}

/** A rule for whole files. Paths are below `fixtures/service`. */
function files(reason: string, ...paths: readonly string[]): OpenChoice {
  return { reason, covers: ({ file }) => paths.some((path) => file.startsWith(path)) };
}

/**
 * Classes of changes that no conforming service could be blamed for. Only what the document, the RFCs that it follows and the
 * interpretations in `fixtures/spec` leave open belongs here: statuses, error codes, names of headers and members, claims and
 * the message about a challenge do not. Single changes are explained in `fixtures/faults/explained-mutants.json`.
 */
const openChoices: readonly OpenChoice[] = [
  {
    reason: "the wording of a message",
    covers: ({ kind, original }) =>
      kind === "StringLiteral" && isWording(original) && !isFixedWording(original),
  },
  {
    reason: "the look of a page",
    covers: ({ file, kind }) => kind === "StringLiteral" && pages.includes(file),
  },
  {
    reason: "what only a log shows of an error",
    covers: ({ kind, original }) => kind === "ObjectLiteral" && original === "{ cause }",
  },
  files(
    "an endpoint of the sandbox, which the document does not have",
    "oauth/connections/",
    "oauth/operator-flows.ts",
    "oauth/test-clock-flow.ts",
    "api/docs-page.ts",
    "pow/docs-page.ts",
  ),
  files("what passes between the service and the identity provider", "oauth/sign-in/identity-client.ts"),
  files(
    "the messages of MCP, of which the document shows none",
    "mcp/json-rpc.ts",
    "mcp/mcp-methods.ts",
    "mcp/mail-access.ts",
    "mcp/mail-tools.ts",
  ),
  files("how another JMAP server is used as the mail store", "external-store/"),
  files("uploads, downloads and events, which the document does not show (B-JMAP-34)", "api/blobs/"),
  files("the body of an error that may have any shape (C-13, C-57)", "api/errors/jmap-agent-error-body.ts"),
  files(
    "how the difficulty follows the load (POW-58)",
    "pow/challenge/difficulty-for.ts",
    "pow/session/recent-load.ts",
  ),
  files("how many JMAP requests run at the same time", "api/jmap/concurrency"),
  files(
    "which addresses are not fetched from: the answer is that of a failed fetch",
    "oauth/client-metadata/address-is-public.ts",
  ),
];

/** @returns why the document leaves the change open, or undefined when a check has to notice it */
export function openChoiceOf(change: Change): string | undefined {
  return openChoices.find(({ covers }) => covers(change))?.reason;
}

const pages: readonly string[] = [
  "oauth/consent/consent-page.ts",
  "oauth/pages/message-page.ts",
  "oauth/pages/page.ts",
];

// Three words in a row. No error code, header, scope, media type or claim has that form.
const words = /(?:^|[\s"'`(])[a-z_]+,? [a-z_]+,? [a-z_]+/iu;

function isWording(literal: string): boolean {
  return words.test(literal.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/gu, "it"));
}

/** The message and the hint for an invalid or expired challenge, which the document gives. */
function isFixedWording(literal: string): boolean {
  return /^["'`](?:the challenge is|request a fresh challenge with)/u.test(literal);
}
