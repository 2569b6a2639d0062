import { gzipSync } from "node:zlib";
import { type Html, html } from "../html-text.ts";
import type { Run } from "../run-format.ts";
import { checkView, type ExchangeLookup } from "./check-view.ts";
import { compact } from "./compact.ts";
import { exchangeView } from "./exchange-view.ts";
import { findingsOfChecks } from "./findings-of-checks.ts";
import { requirementView } from "./requirement-view.ts";
import { joined } from "./text.ts";

// Fewer are opened faster, and more are smaller: 100 exchanges took 30 ms to open, and cost a tenth more than all in one.
const itemsPerBlock = 100;

/**
 * What the page shows when it is asked for: the view of each requirement, check and exchange, as compressed markup in elements
 * that no browser runs or draws. The script finds the block of an id in its `data-ids`.
 */
export function* evidenceBlocks(run: Run, exchangeOf: ExchangeLookup): Iterable<Html> {
  const findingsOf = findingsOfChecks(run);
  const checks = new Map(run.checks.map((check) => [check.id, check]));
  yield* blocks(
    "requirement",
    run.requirements,
    ({ id }) => id,
    (requirement) => requirementView(requirement, (id) => checks.get(id)),
  );
  yield* blocks(
    "check",
    run.checks,
    ({ id }) => id,
    (check) => checkView(check, run, exchangeOf, findingsOf(check.id)),
  );
  yield* blocks("exchange", run.exchanges, ({ number }) => String(number), exchangeView);
}

function* blocks<Item>(
  kind: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
  view: (item: Item) => Html,
): Iterable<Html> {
  for (let at = 0; at < items.length; at += itemsPerBlock) {
    const block = items.slice(at, at + itemsPerBlock);
    const views = Object.fromEntries(block.map((item) => [idOf(item), compact(view(item))]));
    const text = gzipSync(JSON.stringify(views)).toString("base64");
    yield html`<script
      type="application/gzip+base64"
      data-kind="${kind}"
      data-ids="${JSON.stringify(Object.keys(views))}"
    >
      ${joined([{ markup: text }])}
    </script>`;
  }
}
