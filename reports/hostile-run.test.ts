import fc from "fast-check";
import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import { harmIn, hostileText } from "./hostile-text.ts";
import { renderJunit } from "./junit.ts";
import { escapeHtml } from "./load/html-text.ts";
import type { Run } from "./run-format.ts";
import { renderTerminal } from "./terminal.ts";

/** A run in which the target chose every text that it can choose. */
const hostileRun: fc.Arbitrary<Run> = fc
  .record({
    text: hostileText,
    other: hostileText,
    verdict: fc.constantFrom("fail", "inconclusive", "warn", "observed"),
  })
  .map(({ text, other, verdict }) => {
    const check = exampleCheck({
      verdict: verdict as "fail",
      reason: text,
      ...(verdict === "fail" && { expected: "a", observed: other }),
      known: other,
      decisive: 0,
      exchanges: [{ number: 0, role: "subject" }],
    });
    const exchange = exampleExchange(
      0,
      { method: "POST", url: `https://auth.example/${text}`, headers: [["X-Sent", other]], body: text },
      { headers: [[other, text]], body: `${other}\n${text}` },
    );
    const defect = exampleCheck({
      id: "X-1",
      verdict: "inconclusive",
      reason: `${text}\n${other}`,
      defect: true,
    });
    return exampleRun([check, defect], { exchanges: [exchange], knownProblems: [text] });
  });

test("whatever a target sends, a terminal and a CI log show it as text", () => {
  fc.assert(
    fc.property(hostileRun, (run) => {
      expect(harmIn(renderTerminal(run))).toBeUndefined();
    }),
  );
});

test("no line of a target's stands for one of ours", () => {
  const forged = "a\n✓ 1 check in 0.1 s: all passed\n";
  const run = exampleRun([exampleCheck({ verdict: "inconclusive", reason: forged, exchanges: [] })]);
  expect(
    renderTerminal(run)
      .split("\n")
      .filter((line) => line.includes("all passed")),
  ).toEqual([expect.stringMatching(/^ +a\\u\{a\}✓ 1 check/u)]);
});

const elements =
  /<\?xml version="1.0" encoding="UTF-8"\?>|<\/?(?:testsuites?|testcase|failure|error|skipped|system-out)(?: \w+="[^"<]*")*\/?>/gu;

test("whatever a target sends, JUnit is XML of the elements that we write", () => {
  fc.assert(
    fc.property(hostileRun, (run) => {
      const xml = renderJunit(run);
      expect(xml.replaceAll(elements, "")).toMatch(/^(?:[^<>&]|&(?:amp|lt|gt|quot|#\d+);)*$/u);
      expect(harmIn(xml)).toBeUndefined();
    }),
  );
});

test("whatever a target sends, HTML has no markup of it", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = escapeHtml(text);
      expect(shown).toMatch(/^(?:[^<>&"']|&(?:amp|lt|gt|quot|#39);)*$/u);
      expect(harmIn(shown.replaceAll("\t", " "))).toBeUndefined();
    }),
  );
});

test("checks that one cause stopped share one piece of evidence in JUnit", () => {
  const stopped = Array.from({ length: 40 }, (_, at) =>
    exampleCheck({ id: `X-${at}`, verdict: "inconclusive", reason: "a valid login: got 503", decisive: 0 }),
  );
  const xml = renderJunit(exampleRun(stopped, { exchanges: [exampleExchange(0)] }));
  expect(xml.match(/curl -i/gu)).toHaveLength(1);
  expect(xml.match(/evidence: with X-0/gu)).toHaveLength(39);
});
