import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** One control of a form, as a person sees it. */
export interface Field {
  /** Lower case: `text`, `password`, `hidden`, `checkbox`, `radio`, `select`, `textarea`, … */
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** For check boxes and radio buttons. */
  readonly checked: boolean;
  readonly required: boolean;
  /** For a select: its options in order. */
  readonly options: readonly { readonly value: string; readonly text: string; readonly selected: boolean }[];
  /** Label, placeholder and autocomplete text, for recognising what it asks for. */
  readonly hint: string;
}

/** A button that submits its form. */
export interface SubmitButton {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  /** The button's own `formaction`, where it has one. */
  readonly action: string | undefined;
}

export interface Form {
  readonly action: string;
  /** Upper case. */
  readonly method: string;
  readonly enctype: string;
  readonly fields: readonly Field[];
  readonly buttons: readonly SubmitButton[];
}

export interface Page {
  readonly title: string;
  readonly text: string;
  readonly forms: readonly Form[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** What a person finds on an HTML page: its forms with their fields and buttons, and its links. */
export function readPage(html: string): Page {
  const elements = [...descendants(parse(html))];
  const labels = labelTexts(elements);
  const forms = elements.filter((element) => element.tagName === "form");
  return {
    title: textOf(elements.find((element) => element.tagName === "title")),
    text: textOf(elements.find((element) => element.tagName === "body")),
    forms: forms.map((form) => readForm(form, elements, labels)),
    links: elements.flatMap((element) => {
      const href = attribute(element, "href");
      return element.tagName === "a" && href !== undefined ? [{ href, text: textOf(element) }] : [];
    }),
  };
}

function readForm(form: Element, elements: readonly Element[], labels: ReadonlyMap<Element, string>): Form {
  const id = attribute(form, "id");
  const inside = new Set(descendants(form));
  const own = elements.filter((element) => {
    const owner = attribute(element, "form");
    return owner === undefined ? inside.has(element) : owner === id;
  });
  return {
    action: attribute(form, "action") ?? "",
    method: (attribute(form, "method") ?? "get").toUpperCase(),
    enctype: attribute(form, "enctype") ?? "application/x-www-form-urlencoded",
    fields: own.flatMap((element) => readField(element, labels)),
    buttons: own.flatMap(readButton),
  };
}

function readField(element: Element, labels: ReadonlyMap<Element, string>): Field[] {
  const type = fieldType(element);
  const name = attribute(element, "name");
  if (type === undefined || name === undefined || attribute(element, "disabled") !== undefined) return [];
  const options = [...descendants(element)].filter((child) => child.tagName === "option").map(readOption);
  const selected = options.find((option) => option.selected) ?? options[0];
  const value =
    type === "select" ? selected?.value : type === "textarea" ? textOf(element) : attribute(element, "value");
  return [
    {
      type,
      name,
      // An HTML check box without a value sends "on".
      value: value ?? (type === "checkbox" || type === "radio" ? "on" : ""),
      checked: attribute(element, "checked") !== undefined,
      required: attribute(element, "required") !== undefined,
      options,
      hint: [
        labels.get(element),
        attribute(element, "placeholder"),
        attribute(element, "autocomplete"),
        attribute(element, "aria-label"),
      ].join(" "),
    },
  ];
}

function fieldType(element: Element): string | undefined {
  if (element.tagName === "select" || element.tagName === "textarea") return element.tagName;
  if (element.tagName !== "input") return undefined;
  const type = (attribute(element, "type") ?? "text").toLowerCase();
  return ["submit", "image", "button", "reset", "file"].includes(type) ? undefined : type;
}

function readOption(option: Element): { value: string; text: string; selected: boolean } {
  const text = textOf(option);
  return {
    value: attribute(option, "value") ?? text,
    text,
    selected: attribute(option, "selected") !== undefined,
  };
}

function readButton(element: Element): SubmitButton[] {
  const type = attribute(element, "type")?.toLowerCase();
  const submits =
    (element.tagName === "button" && (type === undefined || type === "submit")) ||
    (element.tagName === "input" && (type === "submit" || type === "image"));
  if (!submits || attribute(element, "disabled") !== undefined) return [];
  const value = attribute(element, "value") ?? "";
  const shown = element.tagName === "button" ? textOf(element) : value;
  return [
    {
      text: shown || attribute(element, "aria-label") || attribute(element, "alt") || "",
      name: attribute(element, "name") ?? "",
      value,
      action: attribute(element, "formaction"),
    },
  ];
}

/** The text of each control's label, by `for` or by nesting. */
function labelTexts(elements: readonly Element[]): ReadonlyMap<Element, string> {
  const texts = new Map<Element, string>();
  for (const label of elements.filter((element) => element.tagName === "label")) {
    const named = attribute(label, "for");
    const nested = [...descendants(label)].find((element) => fieldType(element) !== undefined);
    const control =
      named === undefined ? nested : elements.find((element) => attribute(element, "id") === named);
    if (control !== undefined) texts.set(control, textOf(label));
  }
  return texts;
}

function* descendants(node: Node): Generator<Element> {
  if (!("childNodes" in node)) return;
  for (const child of node.childNodes) {
    if ("tagName" in child) yield child;
    yield* descendants(child);
  }
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

function textOf(node: Node | undefined): string {
  if (node === undefined) return "";
  if (node.nodeName === "#text" && "value" in node) return node.value;
  if (!("childNodes" in node) || node.nodeName === "script" || node.nodeName === "style") return "";
  return node.childNodes.map(textOf).join(" ").replaceAll(/\s+/gu, " ").trim();
}
