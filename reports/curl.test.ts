import { expect, test } from "vitest";
import { resend } from "./curl.ts";
import { exampleExchange } from "./example-run.ts";
import type { RunExchange } from "./run-format.ts";
import { variableNames } from "./shell-text.ts";

// That a command sends what was recorded is proved with curl itself in scripts/conformance/resend.test.ts.

function resent(request: Partial<RunExchange["request"]>) {
  const exchange = exampleExchange(17, request);
  const { url, headers, body } = exchange.request;
  return resend(exchange, variableNames([url, ...headers.flat(), body]));
}

test("a masked secret is a shell variable named after what it is, with its fingerprint beneath", () => {
  const again = resent({
    headers: [["Authorization", "Bearer <access_token 1a2b3c4d, 43 characters>"]],
    body: "apiKey=<apiKey 00000000, 20 characters>&x=it's",
  });
  expect(again).toEqual({
    command: [
      "curl -i --path-as-is --globoff --http1.1 -X POST 'https://auth.example/oauth/token' \\",
      `  -H 'Authorization: Bearer '"$ACCESS_TOKEN" \\`,
      "  -H 'Accept:' \\",
      "  -H 'User-Agent:' \\",
      "  -H 'Content-Type:' \\",
      `  --data-raw 'apiKey='"$API_KEY"'&x=it'\\''s'`,
    ],
    notes: [
      "$ACCESS_TOKEN stands for <access_token 1a2b3c4d, 43 characters>",
      "$API_KEY stands for <apiKey 00000000, 20 characters>",
    ],
  });
});

test("what went to a node goes to it again, under the public address", () => {
  expect(resent({ node: "[fe80::7]:8443" })).toMatchObject({
    command: expect.arrayContaining(["  --connect-to '::[fe80::7]:8443' \\"]),
  });
});

test("several secrets of one kind are numbered, and a spelling is named", () => {
  const names = variableNames([
    "<code aaaaaaaa, 20 characters> <code bbbbbbbb, 20 characters> <code aaaaaaaa, 20 characters>",
    "<password cccccccc, 9 characters, percent-encoded>",
  ]);
  expect([...names.values()]).toEqual(["CODE_1", "CODE_2", "PASSWORD_PERCENT_ENCODED"]);
});

test("a long body comes from a file, and the notes say how to write it", () => {
  const again = resent({ body: `code=<code aaaaaaaa, 20 characters>&x=${"x".repeat(5000)}` });
  expect(again).toMatchObject({
    command: expect.arrayContaining(["  --data-binary @exchange-17-body"]),
    notes: [
      expect.stringMatching(
        /^first write the body of 50\d\d characters to a file and put its secrets back:$/u,
      ),
      "jq -j '.exchanges[] | select(.number == 17).request.body' run.json > exchange-17-body",
    ],
  });
});

test.for([
  { why: "chunks", request: { isChunked: true }, says: "the body went out in chunks" },
  { why: "bytes that are not text", request: { body: "a\u{FFFD}" }, says: "the body is not UTF-8 text" },
  { why: "half a surrogate pair", request: { body: "a\u{D83D}" }, says: "the body is not UTF-8 text" },
  {
    why: "a header line outside ASCII",
    request: { headers: [["X-Name", "é"]] },
    says: "characters that curl cannot send unchanged",
  },
  {
    why: "a control character in a header line",
    request: { headers: [["X-Name", "a\tb"]] },
    says: "characters that curl cannot send unchanged",
  },
  {
    why: "two Host lines",
    request: {
      headers: [
        ["Host", "a"],
        ["host", "b"],
      ],
    },
    says: "curl sends only one Host line",
  },
  { why: "HEAD with a body", request: { method: "HEAD" }, says: "curl sends no body with HEAD" },
  {
    why: "a long header line",
    request: { headers: [["X-Long", "x".repeat(5000)]] },
    says: "the command would be 5",
  },
] as { why: string; request: Partial<RunExchange["request"]>; says: string }[])(
  "a request with $why has no command",
  ({ request, says }) => {
    expect(resent(request)).toEqual({ impossible: expect.stringContaining(says) });
  },
);
