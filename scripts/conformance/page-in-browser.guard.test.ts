import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import { findChromium } from "../../suites/support/actors/chromium/find-chromium.ts";
import type { Run } from "../../reports/run-format.ts";
import { examplePageRun } from "../../reports/page/example-page-run.ts";
import { renderPage } from "../../reports/page/render-page.ts";
import { missingChromium } from "./missing-chromium.ts";

const missing = missingChromium();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

nameWhatIsMissing("the page in a browser", missing);

describe.skipIf(missing)("the page in a browser", () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), "mailproof-"));

  beforeAll(async () => {
    browser = await chromium.launch(findChromium({}));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  interface Opened {
    readonly page: Page;
    /** What the browser complained of, and what it asked for beside the page. */
    readonly trouble: readonly string[];
  }

  async function open(run: Run, fragment = "", options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(folder, "report.html");
    writeFileSync(file, [...renderPage(run)].join(""));
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on("console", (message) => trouble.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("dialog", (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const url = pathToFileURL(file).href;
    page.on("request", (request) => {
      if (request.url().replace(/#.*$/u, "") !== url) trouble.push(`request: ${request.url()}`);
    });
    await page.goto(url + fragment);
    return { page, trouble };
  }

  /** Opens what can be opened, until nothing new appears. */
  async function openEverything(page: Page): Promise<void> {
    await expect
      .poll(() =>
        page.evaluate<number>(
          `const closed = document.querySelectorAll("details:not([open])");
          for (const each of closed) each.open = true;
          closed.length;`,
        ),
      )
      .toBe(0);
    await expect.poll(() => page.locator("details[data-exchange] > div:empty").count()).toBe(0);
  }

  const harmful = [
    "<script>document.title='harmed'</script>",
    "<img src=https://attacker.example/pixel onerror=alert(1)>",
    `"><svg onload=alert(2)>`,
    "</script><script>alert(3)</script>",
    "javascript:alert(4)",
    "<style>*{display:none}</style><link rel=stylesheet href=https://attacker.example/a.css>",
    "<meta http-equiv=refresh content='0;url=https://attacker.example/'>",
    "{{constructor.constructor('alert(5)')()}}",
  ].join(" ");

  test("a target that answers with script is harmless, whatever is opened", async () => {
    const run = examplePageRun(harmful);
    const { page, trouble } = await open(run);
    await openEverything(page);
    expect(await page.title()).toContain(run.id);
    expect(await page.getByText("<img src=https://attacker.example/pixel").count()).toBeGreaterThan(3);
    expect(trouble).toEqual([]);
  });

  test("what came from right to left, or cannot be seen, is shown in place", async () => {
    const { page, trouble } = await open(
      examplePageRun("a\u{202E}gnp.exe\u{0}\u{1B}[2J \u{5D0}\u{5D1}\u{5D2} \u{FFFD}\u{FFFD}"),
    );
    const observed = page.locator("#F1 dl.outcome dd").nth(1);
    expect(await observed.innerText()).toBe(
      "a\\u{202e}gnp.exe\\u{0}\\u{1b}[2J \u{5D0}\u{5D1}\u{5D2} \u{FFFD}\u{FFFD}",
    );
    expect(await observed.locator("bdi").count()).toBe(1);
    expect(trouble).toEqual([]);
  });

  test("an answer of 10 MB opens, cut", async () => {
    const run = examplePageRun();
    const exchanges = run.exchanges.map((exchange) => ({
      ...exchange,
      response: { ...exchange.response, body: "ab<>\u{5D0}".repeat(2_000_000) },
    }));
    const { page, trouble } = await open({ ...run, exchanges }, "#REDIR-08/suffix");
    const exchange = page.locator("#requirements details[data-exchange='1']");
    await exchange.locator("summary").click();
    await expect.poll(() => exchange.innerText()).toContain("9980000 more characters in run.json");
    expect(trouble).toEqual([]);
  });

  test("a link to a check opens it, with control and subject, the difference marked, and its exchanges", async () => {
    const { page, trouble } = await open(examplePageRun(), "#REDIR-08/suffix");
    const check = page.locator("#requirements [data-check='REDIR-08/suffix']");
    await expect
      .poll(() => check.locator("mark").allInnerTexts())
      .toEqual(["https://cb.example/cb", "https://evil.cb.example/cb"]);
    expect(await check.innerText()).toContain(
      "npx mailproof replay 'reports/runs/20260101T000000-abcd' 'REDIR-08/suffix' --target 'profile.json'",
    );
    await expect
      .poll(() =>
        check.locator("> summary").evaluate((summary) => summary === summary.ownerDocument.activeElement),
      )
      .toBe(true);
    await check.locator("details[data-exchange='1'] > summary").click();
    await expect.poll(() => check.innerText()).toContain("curl -i --path-as-is");
    expect(trouble).toEqual([]);
  });

  const shownRequirements = (page: Page): Promise<string[]> =>
    page.locator("details.requirement:not([hidden]) > summary b.id").allTextContents();

  test("filters by verdict, level, area and text are part of the address, and restored from it", async () => {
    const { page } = await open(examplePageRun());
    const all = ["META-20", "REDIR-08", "SCOPE-01", "POW-01", "EVT-01", "B-TOK-03"];
    await expect.poll(() => shownRequirements(page)).toEqual(all);
    await page.getByRole("checkbox", { name: "failed" }).check();
    await page.getByRole("checkbox", { name: "blocked" }).check();
    await expect.poll(() => shownRequirements(page)).toEqual(["REDIR-08", "POW-01"]);
    await page.getByRole("combobox", { name: "Area" }).selectOption("Endpoints");
    await page.getByRole("combobox", { name: "Level" }).selectOption("MUST");
    // A word of a check's claim, which the page holds compressed.
    await page.getByRole("searchbox").fill("registered ENDING");
    await expect.poll(() => shownRequirements(page)).toEqual(["REDIR-08"]);
    await expect
      .poll(() => page.url())
      .toContain("#?q=registered+ENDING&area=Endpoints&level=MUST&verdict=fail&verdict=blocked");
    expect(await page.locator("form.filters output").innerText()).toBe("1 of 6 requirements");
    await page.reload();
    await expect.poll(() => shownRequirements(page)).toEqual(["REDIR-08"]);
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => shownRequirements(page)).toEqual(all);
    await expect.poll(() => page.url()).not.toContain("#");
  });

  test("the place is part of the address beside the filters, and a link leads to what they hide", async () => {
    const { page } = await open(examplePageRun(), "#REDIR-08?verdict=fail");
    await expect.poll(() => page.locator("#REDIR-08").getAttribute("open")).not.toBeNull();
    expect(await shownRequirements(page)).toEqual(["REDIR-08"]);
    await page.locator(".map a[href='#SCOPE-01']").click();
    await expect.poll(() => page.locator("#SCOPE-01").getAttribute("open")).not.toBeNull();
    await expect.poll(() => page.url()).toMatch(/#SCOPE-01$/u);
    await page.locator("header a[href='#?verdict=warn']").click();
    await expect.poll(() => shownRequirements(page)).toEqual(["B-TOK-03"]);
  });

  test("the keyboard reaches the search, a requirement and its check", async () => {
    const { page } = await open(examplePageRun());
    await page.keyboard.press("/");
    await page.keyboard.type("META-20");
    await expect.poll(() => shownRequirements(page)).toEqual(["META-20"]);
    await page.locator("#META-20 > summary").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#META-20 details.check").count()).toBe(1);
    await expect.poll(() => page.url()).toMatch(/#META-20\?q=META-20$/u);
  });

  test("paper shows the evidence of findings, and no filters", async () => {
    const { page } = await open(examplePageRun());
    await page.emulateMedia({ media: "print" });
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    expect(await page.locator("#F1 table.comparison").isVisible()).toBe(true);
    expect(await page.locator("form.filters").isVisible()).toBe(false);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });

  test("without a script, findings and observations can be read", async () => {
    const { page } = await open(examplePageRun(), "", { javaScriptEnabled: false });
    expect(await page.locator("#F1").innerText()).toContain(
      "The service compares the host of redirect_uri by its ending.",
    );
    expect(await page.locator("#F1 mark").first().isVisible()).toBe(true);
    expect(await page.locator("#observations").innerText()).toContain("https://evil.cb.example/cb");
    expect(await page.locator("form.filters").isVisible()).toBe(false);
  });

  test.for([
    { name: "light", options: {} },
    { name: "dark", options: { colorScheme: "dark" } },
    { name: "360 px wide", options: { viewport: { width: 360, height: 740 } } },
    { name: "more contrast", options: { contrast: "more", forcedColors: "active" } },
    { name: "print", options: {}, media: "print" },
  ] as const)("axe finds nothing serious: $name", async ({ name, options, ...more }) => {
    const { page } = await open(examplePageRun(), "#REDIR-08/suffix", options);
    if ("media" in more) await page.emulateMedia({ media: more.media });
    await openEverything(page);
    await page.evaluate(axe);
    const found = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.slice(0, 3).map(({ html }) => html) })))",
    );
    expect(
      (found as { impact: string }[]).filter(({ impact }) => impact === "serious" || impact === "critical"),
    ).toEqual([]);
    const width = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(width, `${name}: wider than the window`).toBeLessThanOrEqual(0);
  });
});
