import type { Element } from "./page.ts";

/** What a profile can name. */
interface Locatable {
  readonly element: Element;
  /** What stands on a button or link. */
  readonly text?: string;
}

const part =
  /#(?<id>[\w-]+)|\.(?<className>[\w-]+)|\[(?<name>[\w-]+)(?:=(?:"(?<quoted>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\]"']*)))?\]/gu;
const selector =
  /^(?<tag>[a-z][a-z0-9]*)?(?<parts>(?:#[\w-]+|\.[\w-]+|\[[\w-]+(?:=(?:"[^"]*"|'[^']*'|[^\]"']*))?\])+)$/iu;

/**
 * Whether a profile means this field, button or link: by its `name`, its `id`, its text, or a selector of one element such as
 * `#login`, `input[type=email]`, `button.primary[value="yes"]`.
 */
export function isLocatedBy(locator: string, { element, text }: Locatable): boolean {
  const { attributes } = element;
  const sought = locator.trim();
  if (attributes["name"] === sought || attributes["id"] === sought) return true;
  if (text?.trim().toLowerCase() === sought.toLowerCase()) return true;
  const { tag, parts = "" } = selector.exec(sought)?.groups ?? {};
  if (parts === "" || (tag !== undefined && tag.toLowerCase() !== element.tag)) return false;
  return [...parts.matchAll(part)].every(({ groups = {} }) => {
    const { id, className, name = "", quoted, single, bare } = groups;
    if (id !== undefined) return attributes["id"] === id;
    if (className !== undefined) return (attributes["class"] ?? "").split(/\s+/u).includes(className);
    const value = quoted ?? single ?? bare;
    const actual = attributes[name.toLowerCase()];
    return value === undefined ? actual !== undefined : actual === value;
  });
}
