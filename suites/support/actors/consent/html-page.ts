import { Parser } from "htmlparser2";
import { completePage, type Control, type OpenForm } from "./complete-page.ts";
import {
  buttonText,
  fieldOf,
  fieldType,
  hides,
  isUnread,
  readable,
  submitButtonOf,
  submits,
  type UnlabelledField,
} from "./html-controls.ts";
import type { Element, Link, Option, Page, Refresh, SubmitButton } from "./page.ts";

const maxCharacters = 1_000_000;
const maxElements = 20_000;
// Browsers stop nesting at 512 too.
const maxDepth = 512;
const maxTextLength = 1_000;
const maxPageText = 20_000;

class LimitReached extends Error {
  override readonly name = "LimitReached";
}

/**
 * Reads `content` of `<meta http-equiv=refresh>`, or a `Refresh` header, as browsers do (HTML, "shared declarative refresh
 * steps").
 */
export function parseRefresh(content: string): Refresh | undefined {
  const match = /^\s*(\d{1,6})(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+|$)(?:url\s*=\s*)?(.*)$/isu.exec(content);
  const [, seconds, address] = match ?? [];
  if (seconds === undefined || address === undefined) return undefined;
  const quote = /^["']/u.exec(address)?.[0];
  const url = quote === undefined ? address : (address.slice(1).split(quote, 1)[0] ?? "");
  return { seconds: Number(seconds), url: url.trim() };
}

interface PageSource {
  readonly isXhtml?: boolean;
  /** Its address. */
  readonly url?: string;
}

/**
 * What a person finds on an HTML page: its forms with their fields and buttons, and its links. Takes time in proportion to
 * the length of the page, which is read up to a limit.
 */
export function readPage(html: string, { isXhtml = false, url }: PageSource = {}): Page {
  const reader = createReader(url);
  const parser = new Parser(reader.handler, { recognizeSelfClosing: isXhtml, recognizeCDATA: isXhtml });
  let limit = html.length > maxCharacters ? `it is longer than ${maxCharacters} characters` : undefined;
  try {
    parser.end(html.slice(0, maxCharacters));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    limit = error.message;
  }
  return { ...reader.page(), limit };
}

interface OpenElement {
  readonly element: Element;
  /** How many pieces of text stood before it. */
  readonly piecesBefore: number;
  readonly disables: boolean;
  readonly hides: boolean;
}

/** Collects a page from the parser's events in one pass; nothing is looked for twice. */
function createReader(url: string | undefined): {
  readonly handler: NonNullable<ConstructorParameters<typeof Parser>[0]>;
  page(): Omit<Page, "limit">;
} {
  const open: OpenElement[] = [];
  const forms: OpenForm[] = [];
  const fields: Control<UnlabelledField>[] = [];
  const buttons: Control<SubmitButton>[] = [];
  const scriptButtons: Control<{ readonly text: string; readonly element: Element }>[] = [];
  const links: Omit<Link, "form">[] = [];
  const frames: string[] = [];
  const metadata = new Map<string, string>();
  const labelsById = new Map<string, string>();
  const openLabels: { text: string; control?: true }[] = [];
  let form: OpenForm | undefined;
  let select: { options: Option[]; field: Element } | undefined;
  let elements = 0;
  let unread = 0;
  let disabledSets = 0;
  let hiddenElements = 0;
  const pieces: string[] = [];
  let title = "";
  let headings = "";
  let base: string | undefined;
  let refresh: Refresh | undefined;

  /** The beginning of the text since then, as it stands in the markup. */
  function textSince(piecesBefore: number, maxLength: number): string {
    let text = "";
    for (let at = piecesBefore; at < pieces.length && text.length < maxLength; at += 1) text += pieces[at];
    return text.slice(0, maxLength);
  }

  const labelOfControl = (): { text: string } | undefined => {
    const label = openLabels.at(-1);
    if (label === undefined || label.control) return undefined;
    label.control = true;
    return label;
  };
  const isDisabled = (element: Element): boolean =>
    disabledSets > 0 || element.attributes["disabled"] !== undefined;

  function addField(element: Element, value: string | undefined, options: readonly Option[] = []): void {
    const label = labelOfControl();
    if (isDisabled(element)) return;
    const item = fieldOf(element, value, options, hiddenElements > 0);
    if (item !== undefined) fields.push({ item, inside: form, label });
  }

  function addButton(element: Element, shown: string): void {
    if (isDisabled(element)) return;
    const text = buttonText(element, shown);
    if (element.attributes["type"]?.toLowerCase() === "button")
      scriptButtons.push({ item: { text, element }, inside: form, label: undefined });
    if (submits(element))
      buttons.push({ item: submitButtonOf(element, text), inside: form, label: undefined });
  }

  function opened(element: Element): void {
    const { tag, attributes } = element;
    if (tag === "form" && form === undefined) {
      form = { element, action: attributes["action"]?.trim() ?? "", isUnseen: hiddenElements > 0 };
      forms.push(form);
    }
    if (tag === "base") base ??= attributes["href"]?.trim();
    if (tag === "meta" && attributes["http-equiv"]?.toLowerCase() === "refresh")
      refresh ??= parseRefresh(attributes["content"] ?? "");
    if (tag === "meta" && attributes["name"] !== undefined)
      metadata.set(attributes["name"].toLowerCase(), attributes["content"] ?? "");
    // A button may show nothing but an image.
    if (tag === "img" && attributes["alt"] !== undefined) pieces.push(attributes["alt"]);
    if (tag === "iframe" && hiddenElements === 0 && attributes["src"] !== undefined)
      frames.push(attributes["src"].trim());
    if (tag === "label") openLabels.push({ text: "" });
    if (tag === "select") select = { options: [], field: element };
    if (tag === "input" && fieldType(element) !== undefined) addField(element, attributes["value"]);
    if (tag === "input" && fieldType(element) === undefined) addButton(element, attributes["value"] ?? "");
  }

  function closed({ element, piecesBefore }: OpenElement, isImplied: boolean): void {
    const { tag, attributes } = element;
    const inner = (): string => readable(textSince(piecesBefore, maxTextLength));
    if (tag === "form" && !isImplied) form = undefined;
    if (tag === "title") title ||= inner();
    if (tag === "h1" || tag === "h2") headings = `${headings} ${inner()}`.trim().slice(0, maxTextLength);
    if (tag === "a" && attributes["href"] !== undefined)
      links.push({
        href: attributes["href"].trim(),
        text: inner() || (attributes["aria-label"] ?? ""),
        element,
      });
    if (tag === "button") addButton(element, inner());
    if (tag === "textarea") addField(element, textSince(piecesBefore, maxCharacters).replace(/^\n/u, ""));
    if (tag === "option") {
      const shown = inner();
      select?.options.push({
        value: attributes["value"] ?? shown,
        text: shown,
        selected: attributes["selected"] !== undefined,
      });
    }
    if (tag === "select" && select !== undefined) {
      const { options, field } = select;
      select = undefined;
      const chosen = options.find(({ selected }) => selected) ?? options[0];
      addField(field, chosen?.value ?? "", options);
    }
    if (tag === "label") {
      const label = openLabels.pop();
      const shown = inner();
      if (label !== undefined) label.text = shown;
      if (attributes["for"] !== undefined) labelsById.set(attributes["for"], shown);
    }
  }

  return {
    handler: {
      onopentag(tag, attributes) {
        elements += 1;
        if (elements > maxElements) throw new LimitReached(`it has more than ${maxElements} elements`);
        if (open.length >= maxDepth)
          throw new LimitReached(`its elements are nested more than ${maxDepth} deep`);
        const disables = tag === "fieldset" && attributes["disabled"] !== undefined;
        if (isUnread(tag)) unread += 1;
        if (disables) disabledSets += 1;
        const element = { tag, attributes };
        const isHiding = hides(element);
        if (isHiding) hiddenElements += 1;
        pieces.push(" ");
        open.push({ element, piecesBefore: pieces.length, disables, hides: isHiding });
        if (unread === 0) opened(element);
      },
      ontext(data) {
        if (unread === 0) pieces.push(data);
      },
      onclosetag(_tag, isImplied) {
        const ended = open.pop();
        if (ended === undefined) return;
        if (unread === 0) closed(ended, isImplied);
        if (isUnread(ended.element.tag)) unread -= 1;
        if (ended.disables) disabledSets -= 1;
        if (ended.hides) hiddenElements -= 1;
        pieces.push(" ");
      },
    },
    page: () =>
      completePage(
        { title, headings, base, refresh, frames, text: readable(textSince(0, maxPageText)) },
        { forms, fields, buttons, scriptButtons, links, metadata, labelsById },
        url,
      ),
  };
}
