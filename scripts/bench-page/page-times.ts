import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../suites/support/actors/chromium/find-chromium.ts";

/** Medians, in milliseconds. */
export interface PageTimes {
  readonly domMs: number;
  readonly paintMs: number;
  /** From the click on a check, the first in the page, to its evidence. */
  readonly openMs: number;
  /** From a word in the search, the first, to its matches. */
  readonly searchMs: number;
}

const times = 5;

/** @param checkId - of a check to open */
export async function measurePage(file: string, checkId: string): Promise<PageTimes> {
  const browser = await chromium.launch(findChromium({}));
  try {
    const measured: PageTimes[] = [];
    for (let time = 0; time < times; time++) measured.push(await measureOnce(browser, file, checkId));
    const median = (name: keyof PageTimes): number =>
      measured.map((each) => each[name]).toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
    return {
      domMs: median("domMs"),
      paintMs: median("paintMs"),
      openMs: median("openMs"),
      searchMs: median("searchMs"),
    };
  } finally {
    await browser.close();
  }
}

async function measureOnce(browser: Browser, file: string, checkId: string): Promise<PageTimes> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  // The first paint may come after the page is loaded.
  await page.waitForFunction("performance.getEntriesByName('first-contentful-paint').length > 0");
  const measured = await page.evaluate<PageTimes>(`(async () => {
    const id = ${JSON.stringify(checkId)};
    const until = (holds) => new Promise((resolve) => {
      const look = () => (holds() ? resolve() : setTimeout(look, 1));
      look();
    });
    const requirement = document.getElementById(id.split("/")[0]);
    const openBegun = performance.now();
    requirement.open = true;
    const check = () => requirement.querySelector('[data-check="' + CSS.escape(id) + '"]');
    await until(check);
    check().open = true;
    await until(() => check().querySelector(":scope > div").hasChildNodes());
    const openMs = performance.now() - openBegun;
    const search = document.querySelector("[type=search]");
    const output = document.querySelector("form.filters output");
    const before = output.value;
    const searchBegun = performance.now();
    search.value = "verifier";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => output.value !== before);
    const searchMs = performance.now() - searchBegun;
    const [navigation] = performance.getEntriesByType("navigation");
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { domMs: navigation.domContentLoadedEventEnd, paintMs: paint.startTime, openMs, searchMs };
  })()`);
  await context.close();
  return measured;
}
