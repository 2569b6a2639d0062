import type { Locator as PageLocator, Page } from "playwright-core";
import type { BrowserStep, Locator } from "../../target/consent-settings.ts";
import { literalPattern } from "./literal-pattern.ts";

/** The first visible element that a step names. */
export function elementOf(page: Page, named: Locator): PageLocator {
  return located(page, named).filter({ visible: true }).first();
}

function located(page: Page, { role, name, label, text, id, css }: Locator): PageLocator {
  if (role !== undefined)
    // The profile may name any role; Playwright's type lists those of today.
    return page.getByRole(role as Parameters<Page["getByRole"]>[0], {
      ...(name !== undefined && { name: wholeText(name) }),
    });
  if (label !== undefined) return page.getByLabel(wholeText(label));
  if (text !== undefined) return page.getByText(wholeText(text));
  if (id !== undefined) return page.locator(`[id=${JSON.stringify(id)}]`);
  return page.locator(css ?? "");
}

function wholeText(texts: string | readonly string[]): RegExp {
  const patterns = [texts]
    .flat()
    .map((text) => literalPattern(text.trim()).replaceAll(/\s+/gu, String.raw`\s+`));
  return new RegExp(String.raw`^\s*(?:${patterns.join("|")})\s*$`, "iu");
}

/** What a step acts on; undefined for `goto`. */
export function elementNamedBy(step: BrowserStep): Locator | undefined {
  return step.click ?? step.fill ?? step.check ?? step.uncheck ?? step.select ?? step.waitFor;
}

/** Such as `click the button "Allow"`. */
export function describeStep(step: BrowserStep): string {
  if (step.goto !== undefined) return `goto ${step.goto}`;
  const action = Object.keys(step).find(
    (key) => key !== "value" && Reflect.get(step, key) === elementNamedBy(step),
  );
  const named = elementNamedBy(step);
  return `${action ?? "step"} ${named === undefined ? "" : describeElement(named)}`;
}

function describeElement({ role, name, label, text, id, css }: Locator): string {
  const shown = (texts: string | readonly string[]): string =>
    [texts]
      .flat()
      .map((it) => JSON.stringify(it))
      .join(" or ");
  if (role !== undefined) return `the ${role}${name === undefined ? "" : ` ${shown(name)}`}`;
  if (label !== undefined) return `the field labelled ${shown(label)}`;
  if (text !== undefined) return `the text ${shown(text)}`;
  return id !== undefined ? `#${id}` : (css ?? "");
}
