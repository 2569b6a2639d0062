import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { parse } from "parse5";
import { expect, test } from "vitest";
import { harmIn, hostileText } from "../hostile-text.ts";
import type { Run } from "../run-format.ts";
import { examplePageRun } from "./example-page-run.ts";
import { renderPage } from "./render-page.ts";

function page(run: Run): string {
  return [...renderPage(run)].join("");
}

/** The page with its compressed evidence, as a browser would come to hold it. */
function opened(run: Run): string {
  return page(run).replaceAll(
    /<script\s+type="application\/gzip\+base64"[^>]*>([^<]*)<\/script>/gu,
    (_, text: string) =>
      Object.values(JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString()) as object).join("\n"),
  );
}

interface Element {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Element[];
  readonly value?: string;
  readonly parentNode?: { readonly nodeName: string } | null;
}

function elementsIn(node: Element): Element[] {
  return [node, ...(node.childNodes ?? []).flatMap(elementsIn)];
}

/** Names of elements and attributes, whatever stands in them. */
function shapeOf(markup: string): string[] {
  return elementsIn(parse(markup)).flatMap(({ nodeName, attrs }) =>
    nodeName.startsWith("#") ? [] : [`${nodeName} ${attrs?.map(({ name }) => name).join(" ") ?? ""}`],
  );
}

test("the policy allows our script and our style by their digests, and nothing else", () => {
  const markup = page(examplePageRun());
  const [, policy = ""] = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/u.exec(markup) ?? [];
  const digestOf = (text = ""): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const [, style] = /<style>([\s\S]*?)<\/style>/u.exec(markup) ?? [];
  const [, script] = /<script>([\s\S]*?)<\/script>/u.exec(markup) ?? [];
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `script-src ${digestOf(script)}`,
    `style-src ${digestOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  expect(markup.indexOf("Content-Security-Policy")).toBeLessThan(markup.indexOf("<style>"));
});

test("whatever a target sends, the page has no element and no attribute of it, and shows it as it is", () => {
  const ours = new Set(shapeOf(opened(examplePageRun("x&y=z"))));
  fc.assert(
    fc.property(hostileText, (text) => {
      const markup = opened(examplePageRun(`x${text}`));
      const shape = shapeOf(markup);
      expect(shape.filter((element) => !ours.has(element))).toEqual([]);
      expect(shape.filter((element) => element.startsWith("script "))).toHaveLength(1);
      const shown = elementsIn(parse(markup)).filter(
        ({ nodeName, parentNode }) =>
          nodeName === "#text" && !/^(?:script|style)$/u.test(parentNode?.nodeName ?? ""),
      );
      for (const { value = "" } of shown) expect(harmIn(value.replaceAll("\t", " "))).toBeUndefined();
    }),
    { numRuns: 15 },
  );
});

test("without a script there are findings with their evidence, what is undecided, warnings and observations", () => {
  const markup = page(examplePageRun()).replaceAll(/<script[\s\S]*?<\/script>/gu, "");
  for (const text of [
    "It does not conform: 1 requirement is violated. First of all: The service compares the host",
    "97 % sure that it is this defect",
    "Whoever owns a host that ends so receives the code.",
    "https://evil.cb.example/cb",
    "npx mailproof replay &#39;reports/runs/20260101T000000-abcd&#39; &#39;REDIR-08/suffix&#39; --target &#39;profile.json&#39;",
    "the profile has no",
    "the control was refused",
    "a clock that can be moved",
    "Which <code>code_challenge_methods_supported</code> are there?",
    "There are events.",
  ])
    expect(markup).toContain(text);
});

test("a body of 10 MB is cut in the page", () => {
  const run = examplePageRun();
  const exchanges = run.exchanges.map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, body: "<script>".repeat(1_250_000) },
  }));
  expect(opened({ ...run, exchanges }).length).toBeLessThan(600_000);
});

test("the same run gives the same page", () => {
  expect(page(examplePageRun())).toBe(page(examplePageRun()));
});
