import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleFinding, exampleRun } from "./example-run.ts";
import { renderHar } from "./har.ts";
import { schemaErrors } from "./schema-errors.ts";

const failed = exampleCheck({
  id: "A-1/x",
  verdict: "fail",
  exchanges: [
    { number: 0, role: "control" },
    { number: 1, role: "subject" },
  ],
});
const exchanges = [
  exampleExchange(0),
  exampleExchange(
    1,
    { url: "https://auth.example/a?b=1&b=%zz|c", method: "GET", body: "" },
    { status: 302, headers: [["Location", "/x"]], cut: { bytes: 7, sha256: "0".repeat(64) } },
  ),
  exampleExchange(2),
];

test("each problem is a page with the exchanges of its first check, and their roles", () => {
  const text = renderHar(exampleRun([failed], { findings: [exampleFinding()], exchanges }));
  expect(schemaErrors("har", text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({
    log: {
      version: "1.2",
      pages: [{ id: "F1", title: "F1 The service compares `redirect_uri` by prefix. (A-1/x)" }],
      entries: [
        {
          pageref: "F1",
          _role: "control",
          request: { postData: { mimeType: "application/x-www-form-urlencoded" } },
          response: { status: 400, content: { mimeType: "application/json", size: 25 } },
        },
        {
          _role: "subject",
          _target: "/a?b=1&b=%zz|c",
          request: {
            url: "https://auth.example/a?b=1&b=%25zz%7Cc",
            queryString: [
              { name: "b", value: "1" },
              { name: "b", value: "%zz|c" },
            ],
          },
          response: { redirectURL: "/x", content: { size: 32, comment: "7 more bytes were not kept" } },
        },
      ],
    },
  });
});

test("a run that conforms has no entries", () => {
  const text = renderHar(exampleRun([exampleCheck({})], { exchanges }));
  expect(schemaErrors("har", text)).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({ log: { pages: [], entries: [] } });
});
