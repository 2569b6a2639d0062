import fc from "fast-check";
import { marked } from "marked";
import type { Log } from "sarif";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { renderBadge } from "./badge.ts";
import { renderCtrf } from "./ctrf.ts";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import { renderGithub } from "./github.ts";
import { renderHar } from "./har.ts";
import { hostileRun } from "./hostile-run.ts";
import { harmIn, hostileText } from "./hostile-text.ts";
import { renderJunit } from "./junit.ts";
import { escapeHtml } from "./html-text.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Run } from "./run-format.ts";
import { renderSarif } from "./sarif.ts";
import { schemaErrors } from "./schema-errors.ts";
import { renderTerminal } from "./terminal.ts";

function always(property: (run: Run) => void): void {
  fc.assert(fc.property(hostileRun, property));
}

/** The names of the elements, in order. */
function elementsOf(xml: string): string[] {
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => void names.push(name));
  parser.write(xml).close();
  return names;
}

test("whatever a target sends, a terminal and a CI log show it as text", () => {
  always((run) => {
    expect(harmIn(renderTerminal(run))).toBeUndefined();
    expect(harmIn(renderTerminal(run, { width: 40 }))).toBeUndefined();
  });
});

// The escape sequences of colours, which are ours.
const colour = /\u{1B}\[\d+m/gu;

test("whatever a target sends, a coloured terminal gets no escape sequence but colours", () => {
  always((run) => {
    const shown = renderTerminal(run, { isColoured: true });
    expect(shown.replaceAll(colour, "")).toBe(renderTerminal(run));
  });
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

test("whatever a target sends, JUnit is well-formed XML of the elements that we write", () => {
  const ours = ["testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out"];
  always((run) => {
    const xml = renderJunit(run);
    expect(ours).toEqual(expect.arrayContaining(elementsOf(xml)));
    expect(harmIn(xml)).toBeUndefined();
  });
});

test("whatever a target sends, GitHub gets no workflow command but our annotations", () => {
  always((run) => {
    for (const line of renderGithub(run).split("\n").slice(0, -1)) {
      expect(line).toMatch(/^::(?:error|warning) title=mailproof%3A [^:,]*::/u);
      expect(harmIn(line.replace(/^::(?:error|warning) title=/u, ""))).toBeUndefined();
    }
  });
});

test("whatever a target sends, Markdown has no markup of it", () => {
  // Of the text that a target chose, nothing may become one of these.
  const markup = /<(?:a|img|script|iframe|em|del|input|h[1456])\b/u;
  always((run) => {
    const text = renderMarkdown(run);
    expect(harmIn(text.replaceAll("\t", " "))).toBeUndefined();
    const html = marked.parse(text, { async: false });
    expect(html).not.toMatch(markup);
    const details = run.checks.some(({ verdict, known }) => verdict === "fail" && known === undefined);
    expect(html.match(/<h2|<h3|<details>/gu)?.length).toBeLessThanOrEqual(details ? 8 : 7);
  });
});

test("whatever a target sends, SARIF has a place and a text for each result", () => {
  always((run) => {
    const text = renderSarif(run);
    const { runs } = JSON.parse(text) as Log;
    for (const { message, locations, ruleId } of runs[0]?.results ?? []) {
      expect(message.text).toBeTruthy();
      expect(locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe("profile.json");
      expect(runs[0]?.tool.driver.rules?.map(({ id }) => id)).toContain(ruleId);
    }
    expect(text.isWellFormed()).toBe(true);
  });
});

test("whatever a target sends, HAR is valid", () => {
  always((run) => {
    expect(schemaErrors("har", renderHar(run))).toEqual([]);
  });
});

test("whatever a target sends, CTRF is valid", () => {
  always((run) => {
    expect(schemaErrors("ctrf", renderCtrf(run))).toEqual([]);
  });
});

test("whatever a target sends, the badge is an image without text of it", () => {
  always((run) => {
    const svg = renderBadge(run);
    expect(elementsOf(svg)).toEqual(["svg", "title", "rect", "rect", "g", "text", "text"]);
  });
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
