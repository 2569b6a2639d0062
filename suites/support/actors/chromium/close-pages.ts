import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";

const againMs = 500;
// What is left then is closed with the browser, at the end of the run.
const mostTimes = 10;

/** Closes a page, and the blank windows that it has opened. */
export async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => closePage(page)));
}

/**
 * Chromium drops a request to close a page that comes just as it shows another document, and Playwright would wait for ever:
 * it is asked again until the page is closed.
 */
async function closePage(page: Page): Promise<void> {
  const closed = page.close().then(() => true);
  for (let times = 0; times < mostTimes; times += 1) {
    if (await Promise.race([closed, delay(againMs, false)])) return;
    await askAgain(page);
  }
}

async function askAgain(page: Page): Promise<void> {
  try {
    const session = await page.context().newCDPSession(page);
    await session.send("Page.close");
  } catch {
    // It may have closed meanwhile, and its session with it; when it has not, it is asked once more.
  }
}
