import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../suites/support/actors/chromium/launch-chromium.ts";
import { certifiedFolder } from "../certificate/example-certificate.ts";
import { verify } from "../verify.ts";

const { folder, keyId } = certifiedFolder();
const html = readFileSync(join(folder, "certificate.html"), "utf8");
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium({});
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** Requests and console messages. */
  readonly seen: string[];
}

/** Opens the page from disk, as someone who was sent it does, and waits for what it says of itself. */
async function opened(text = html, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Opened> {
  const path = join(folder, "page.html");
  writeFileSync(path, text);
  const page = await browser.newPage(options);
  const seen: string[] = [];
  page.on("request", (request) => void (request.url().startsWith("file:") || seen.push(request.url())));
  page.on("console", (message) => void seen.push(message.text()));
  page.on("pageerror", (error) => void seen.push(error.message));
  await page.goto(pathToFileURL(path).href);
  await page.locator("#verdict:not(:has-text('Not verified yet'))").waitFor();
  return { page, seen };
}

async function verdictOf(text: string): Promise<string> {
  const { page } = await opened(text);
  const verdict = await page.locator("#verdict").textContent();
  await page.close();
  return verdict ?? "";
}

test("the page verifies its certificate, from disk and without a network", async () => {
  const { page, seen } = await opened();
  expect(await page.locator("#verdict.good").textContent()).toContain("The signature is valid");
  expect(await page.locator("dd.changed").count()).toBe(0);
  expect(await page.getByText(`npx mailproof verify certificate.html --key ${keyId}`).count()).toBe(2);
  expect(seen).toEqual([]);
  await page.close();
});

describe("what was changed shows", () => {
  const envelope = /"payload": "([^"]+)"/u.exec(html)?.[1] ?? "";
  const statement = Buffer.from(envelope, "base64").toString();
  test.for([
    {
      why: "the payload",
      changed: html.replace(
        envelope,
        Buffer.from(statement.replace('"pass":5', '"pass":9')).toString("base64"),
      ),
      says: "the signature does not fit",
    },
    {
      why: "the signature",
      changed: html.replace(/"sig": "(.)/u, (_all, first) => `"sig": "${first === "A" ? "B" : "A"}`),
      says: "the signature does not fit",
    },
    {
      why: "the key id",
      changed: html.replace(`"keyid": "${keyId}"`, `"keyid": "${keyId.slice(1)}"`),
      says: "the signature does not fit",
    },
    {
      why: "a number on the page",
      changed: html.replace('data-path="predicate.counts.pass">5<', 'data-path="predicate.counts.pass">9<'),
      says: "showed something else than its certificate says, corrected below: Checks passed",
    },
    {
      why: "the name in its heading",
      changed: html.replace(
        'data-path="subject.0.name">https://auth.example',
        'data-path="subject.0.name">Acme',
      ),
      says: "corrected below: Heading",
    },
    { why: "the certificate, cut", changed: html.replace(envelope, ""), says: "cannot be read" },
  ])("$why", async ({ changed, says }) => {
    expect(changed).not.toBe(html);
    expect(await verdictOf(changed)).toContain(says);
  });
});

test("a script that was added does not run", async () => {
  const { page, seen } = await opened(
    html.replace("</main>", "<script>document.title = 'taken'</script></main>"),
  );
  expect(await page.title()).toBe("Conformance certificate of https://auth.example");
  expect(seen.join("\n")).toContain("Content Security Policy");
  await page.close();
});

test("the command verifies the page itself, and finds a change that the page cannot", async () => {
  const path = join(folder, "verified.html");
  writeFileSync(path, html);
  expect(await verify([path, "--key", keyId])).toBe(0);
  for (const [from, to] of [
    ["A page cannot vouch for itself", "Trust this page"],
    [">5<", ">9<"],
    ["</main>", "</main> "],
    ["</html>", "</html><!-- -->"],
  ] as const) {
    expect(html).toContain(from);
    writeFileSync(path, html.replace(from, to));
    expect(await verify([path, "--key", keyId])).toBe(1);
  }
});

describe.for(["light", "dark"] as const)("in %s colours", (colorScheme) => {
  test.for([{ width: 360 }, { width: 1280 }])(
    "at $width px nothing is wider, and axe finds nothing",
    async ({ width }) => {
      // The policy of the page lets no script in; axe is injected by the browser.
      const { page } = await opened(html, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);
      await page.addScriptTag({ path: axe });
      const found = (await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id }) => id))",
      )) as string[];
      expect(found).toEqual([]);
      const shots = process.env["MAILPROOF_SCREENSHOTS"];
      if (shots !== undefined) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({
          path: join(shots, `certificate-${colorScheme}-${width}.png`),
          fullPage: true,
        });
      }
      await page.close();
    },
  );
});

test("without scripts, it says that nothing was verified, and how to do it", async () => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(pathToFileURL(join(folder, "certificate.html")).href);
  expect(await page.locator("#verdict").textContent()).toContain("use the command below");
  await page.close();
});
