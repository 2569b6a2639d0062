import type { Page } from "playwright-core";
import type { Topic } from "../../target/notes.ts";
import type { Target } from "../../target/target.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { readPage } from "../consent/html-page.ts";
import { describePage } from "../consent/page-description.ts";

/** A page that was not the one that the steps were written for. */
export interface UnexpectedPage {
  /** Of its files, without the endings. */
  readonly name: string;
  /** PNG; what stands in fields is covered. */
  readonly screenshot: Uint8Array | undefined;
  /** The address without its query, and what is to be read there. */
  readonly text: string;
}

/** Kept in the run folder. */
export const unexpectedPages: Topic<UnexpectedPage> = { name: "pages that consent steps did not fit" };

// Hundreds of checks may come to the same page.
const mostKept = 10;
const evidenceTimeoutMs = 5_000;

/**
 * Keeps what a page shows.
 *
 * @returns what is there, and where it is kept, in words
 */
export async function keepPage(
  target: Target,
  page: Page,
  { human, last }: { readonly human: string; readonly last: Exchange },
): Promise<string> {
  const url = page.url().split(/[?#]/u, 1)[0] ?? "";
  // A page that is being replaced has no content; what was to be shown last is near enough.
  const html = await page.content().catch(() => last.response.body);
  const description = describePage(readPage(html), url);
  const kept = target.noted(unexpectedPages).length;
  if (kept >= mostKept) return description;
  const name = `consent-${human.replaceAll(/[^\w-]/gu, "_")}-${kept + 1}`;
  const body = page.locator("body");
  const text = await body.innerText({ timeout: evidenceTimeoutMs }).catch(() => html);
  const screenshot = await page
    .screenshot({ mask: [page.locator("input, textarea")], timeout: evidenceTimeoutMs })
    // A page that never stops painting; its text is kept.
    .catch(() => undefined);
  target.note(unexpectedPages, { name, screenshot, text: `${url}\n\n${text}\n` });
  return `${description}; its screenshot and text: ${name}.png and ${name}.txt`;
}
