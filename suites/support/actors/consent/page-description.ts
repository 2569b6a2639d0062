import type { Field, Form, Link, Page } from "./page.ts";

const mostListed = 6;
const longestText = 40;

/** What the form driver saw on a page, for the person who has to tell it more: texts and names, and no values. */
export function describePage(page: Page, url: string): string {
  const address = url.split(/[?#]/u, 1)[0];
  const seen = [
    ...listed("form", page.forms, describeForm),
    ...listed("link", page.links, ({ text }: Link) => quoted(text)),
    ...listed("frame", page.frames, (href) => href.split(/[?#]/u, 1)[0]?.slice(0, longestText) ?? ""),
  ];
  const name = page.title || page.headings || page.text;
  return `the page ${quoted(name)} at ${address} (${seen.join("; ") || "no forms, no links"})`;
}

function describeForm({ method, action, fields, buttons }: Form): string {
  const shown = fields.filter(({ type }) => type !== "hidden");
  const parts = [
    `${method} ${action.split(/[?#]/u, 1)[0]?.slice(0, longestText) || "itself"}`,
    ...listed("field", shown, ({ name, type }: Field) => `${name.slice(0, longestText)} (${type})`),
    ...listed("button", buttons, ({ text, name }) => quoted(text || name)),
  ];
  return parts.join(", ");
}

function listed<Item>(what: string, items: readonly Item[], describe: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const more = items.length > mostListed ? [`${items.length - mostListed} more`] : [];
  const shown = [...items.slice(0, mostListed).map(describe), ...more];
  return [`${what}${items.length === 1 ? "" : "s"} ${shown.join(", ")}`];
}

function quoted(text: string): string {
  return JSON.stringify(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
}
