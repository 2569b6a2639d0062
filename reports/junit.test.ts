import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import { renderJunit } from "./junit.ts";

test.for([
  { verdict: "fail", element: "<failure message=" },
  { verdict: "inconclusive", element: "<error message=" },
  { verdict: "blocked", element: "<skipped message=" },
  { verdict: "warn", element: "<system-out>warn" },
  { verdict: "observed", element: "<system-out>observed" },
] as const)("$verdict is written as $element", ({ verdict, element }) => {
  expect(renderJunit(exampleRun([exampleCheck({ verdict, reason: "why" })]))).toContain(element);
});

test("a pass has nothing inside, and the counts are those of the verdicts", () => {
  const checks = [
    exampleCheck({}),
    exampleCheck({ id: "X-1", verdict: "fail" }),
    exampleCheck({ id: "X-2", verdict: "blocked" }),
  ];
  const xml = renderJunit(exampleRun(checks));
  expect(xml).toContain('<testcase classname="redirect-uri" name="REDIR-08/upper-case-host" time="1.500"/>');
  expect(xml).toContain(
    '<testsuite name="redirect-uri" tests="3" failures="1" errors="0" skipped="1" time="4.500">',
  );
});

test("what XML cannot hold is escaped or replaced", () => {
  const xml = renderJunit(
    exampleRun([exampleCheck({ verdict: "fail", reason: 'a "quoted" <tag> & \u{0} \u{1B}[2K \u{FFFE}' })]),
  );
  expect(xml).toContain(String.raw`a &quot;quoted&quot; &lt;tag&gt; &amp; \u{0} \u{1b}[2K \u{fffe}`);
});

test.for([
  { verdict: "fail", element: "failure" },
  { verdict: "inconclusive", element: "error" },
] as const)("$verdict holds its evidence", ({ verdict, element }) => {
  const check = exampleCheck({
    verdict,
    reason: "expected a; observed b",
    expected: "a",
    observed: "b\u{202E}",
    decisive: 4,
    exchanges: [{ number: 4, role: "control" }],
  });
  const exchange = exampleExchange(4, { body: "a=1&code=<code 1a2b3c4d, 43 characters>" });
  const xml = renderJunit(exampleRun([check], { exchanges: [exchange] }));
  const text = new RegExp(`<${element} message="[^"]*">([^<]*)</${element}>`, "u").exec(xml)?.[1];
  expect(text?.split("\n")).toEqual(
    expect.arrayContaining([
      "A host in upper case is refused.",
      "expected  a",
      String.raw`observed  b\u{202e}`,
      "exchange 4 (control) with https://auth.example",
      "  &gt; a=1&amp;code=&lt;code 1a2b3c4d, 43 characters&gt;",
      `    --data-raw 'a=1&amp;code='"$CODE"`,
      "  $CODE stands for &lt;code 1a2b3c4d, 43 characters&gt;",
    ]),
  );
});

test("checks that the profile left out are skipped with the key that they need, and counted", () => {
  const leftOut = [{ needs: "internal_urls: the addresses", checks: ["INT-01/get", "INT-01/put"] }];
  const xml = renderJunit(exampleRun([exampleCheck({})], { leftOut }));
  expect(xml).toContain('tests="3" failures="0" errors="0" skipped="2"');
  expect(xml).toContain('<testsuite name="left out" tests="2" failures="0" errors="0" skipped="2"');
  expect(xml.split('<skipped message="needs internal_urls: the addresses"/>')).toHaveLength(3);
});
