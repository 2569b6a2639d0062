import { expect, test } from "vitest";
import { openChoiceOf } from "./open-choices.ts";

function literal(original: string, file = "oauth/token/check-code.ts"): string | undefined {
  return openChoiceOf({ file, kind: "StringLiteral", original });
}

test.for([
  '"the code is unknown"',
  "`the refresh_token is ${status}`",
  "`${tool.name} takes no arguments: send {} or leave them out`",
  '"Choose what to allow, then approve or deny."',
])("%s is wording", (text) => {
  expect(literal(text)).toBe("the wording of a message");
});

test.for([
  '"invalid_grant"',
  '"mail.read mail.send"',
  '"application/x-www-form-urlencoded"',
  '"no-cache, no-store, must-revalidate"',
  "\"default-src 'none'; frame-ancestors 'none'\"",
  "'Bearer realm=\"mail\"'",
  '`${realm}, error="${error.code}", error_description="${error.message}"`',
  "`${name}=${value}; Path=${options.path}; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`",
  '"the challenge is invalid or expired"',
  '"request a fresh challenge with POST /api/v1/challenge, solve its proof of work again"',
])("%s is for a check to notice", (text) => {
  expect(literal(text)).toBeUndefined();
});

test("what a page decides is for a check to notice, unlike its texts", () => {
  const file = "oauth/consent/consent-page.ts";
  expect(literal('"Deny"', file)).toBe("the look of a page");
  expect(openChoiceOf({ file, kind: "ConditionalExpression", original: "isOptional" })).toBeUndefined();
});

test("endpoints of the sandbox are open, and those of the document are not", () => {
  const change = { kind: "BlockStatement", original: "{}" };
  expect(openChoiceOf({ ...change, file: "oauth/operator-flows.ts" })).toBeDefined();
  expect(openChoiceOf({ ...change, file: "oauth/revoke/revoke-flow.ts" })).toBeUndefined();
  expect(openChoiceOf({ ...change, file: "mcp/mcp-flow.ts" })).toBeUndefined();
});
