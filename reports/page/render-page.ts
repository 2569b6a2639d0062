import { createHash } from "node:crypto";
import { assetText } from "../asset-text.ts";
import { type Html, html } from "../html-text.ts";
import type { Run } from "../run-format.ts";
import { aboutRun } from "./about-run.ts";
import { compact } from "./compact.ts";
import { documentSection } from "./document-section.ts";
import { evidenceBlocks } from "./evidence-blocks.ts";
import { findingsSection } from "./findings.ts";
import { observationsSection } from "./observations.ts";
import { pageHeader, targetWords } from "./page-header.ts";
import { undecidedSection, warningsSection } from "./undecided.ts";

/**
 * A run as one self-contained file that asks for nothing from anywhere. What it shows comes from the run alone, and all of
 * it is text to the browser: only the script and the style whose digests stand in the policy take effect.
 *
 * @returns the parts of the file, since the whole may be longer than a string can be
 */
export function* renderPage(run: Run): Iterable<string> {
  const style = assetText("base.css") + assetText("report.css");
  const script = assetText("report.js");
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.number, exchange]));
  const exchangeOf = (number: number) => exchanges.get(number);
  yield head(run, style, script).markup;
  for (const part of [
    pageHeader(run),
    findingsSection(run, exchangeOf),
    undecidedSection(run),
    warningsSection(run),
    documentSection(run),
    observationsSection(run),
    aboutRun(run),
  ])
    yield compact(part);
  yield "</main>\n";
  for (const block of evidenceBlocks(run, exchangeOf)) yield `${block.markup}\n`;
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}

function head(run: Run, style: string, script: string): Html {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${{ markup: policy }}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Conformance of ${targetWords(run)}, run ${run.id}</title>
        ${{ markup: `<style>${style}</style>` }}
      </head>
      <body>
        <a class="skip" href="#findings">Skip to the findings</a>
        <main></main>
      </body>
    </html> `;
}

/** As a policy names what it allows. */
function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
