import { marked } from "marked";
import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleFinding, exampleRun } from "./example-run.ts";
import { codeSpan, prose } from "./markdown-text.ts";
import { renderMarkdown } from "./markdown.ts";

const failed = exampleCheck({ id: "A-1/x", verdict: "fail", expected: "a", observed: "b", decisive: 0 });

test("the outcome comes first, then each problem with its evidence folded away", () => {
  const run = exampleRun([failed], { findings: [exampleFinding()], exchanges: [exampleExchange(0)] });
  const text = renderMarkdown(run);
  expect(text).toMatch(/^## ` https:\/\/auth\.example ` does not conform\n/u);
  const html = marked.parse(text, { async: false });
  expect(html).toContain("<h3>✗ F1 The service compares <code>redirect_uri</code> by prefix.</h3>");
  expect(html).toContain("<strong>account takeover</strong>");
  expect(html).toMatch(/<details><summary>Evidence<\/summary>[^]*curl -i[^]*<\/details>/u);
});

test("known failures, what was not judged and the suites are listed", () => {
  const run = exampleRun([
    { ...failed, known: "being fixed" },
    exampleCheck({ id: "A-2", verdict: "blocked", reason: "needs a human" }),
  ]);
  const text = renderMarkdown(run);
  expect(text).toContain("- A-1/x: ` being fixed `");
  expect(text).toContain("- 1 check: ` needs a human ` (A-2)");
  expect(text).toContain("| redirect-uri | 1 | 1 |");
  expect(text).toContain("was not judged completely");
});

test("a summary that GitHub would lose for its length is cut between its parts, and says so", () => {
  const checks = Array.from({ length: 400 }, (_, at) => ({
    ...failed,
    id: `A-${at}/x`,
    observed: "b".repeat(5000),
    requirement: { ...failed.requirement, id: `A-${at}` },
  }));
  const text = renderMarkdown(exampleRun(checks, { exchanges: [exampleExchange(0)] }));
  expect(Buffer.byteLength(text)).toBeLessThan(901_000);
  expect(text).toMatch(
    /<\/details>\n\n… and more, which is too long for this page: run\.json has it all\.\n$/u,
  );
});

test.for([
  { text: "a `b` c", html: "<p>a <code>b</code> c</p>\n" },
  { text: "*a* _b_ <b> [c](d) !", html: "<p>*a* _b_ &lt;b&gt; [c](d) !</p>\n" },
])("prose keeps its code spans and nothing else: $text", ({ text, html }) => {
  expect(marked.parse(prose(text), { async: false })).toBe(html);
});

test.for(["`", "a ``` b", "<img src=x>", "@someone https://a.example", " "])(
  "a code span means itself: %j",
  (text) => {
    expect(marked.parse(codeSpan(text), { async: false })).toMatch(/^<p><code>[^<]*<\/code><\/p>\n$/u);
  },
);
