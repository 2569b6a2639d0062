import type { UnlabelledField } from "./html-controls.ts";
import type { Element, Field, Form, Link, Page, SubmitButton } from "./page.ts";
import { formOfLink } from "./scripted-link.ts";

const maxHintLength = 1_000;

export interface OpenForm {
  readonly element: Element;
  readonly isUnseen: boolean;
  readonly action: string;
}

/** A control before the page is complete: labels and forms may still follow. */
export interface Control<Item> {
  readonly item: Item;
  /** The form that it stands in, and the id of another one that its `form` attribute names. */
  readonly inside: OpenForm | undefined;
  readonly label: { text: string } | undefined;
}

/** What one pass over the markup has collected. */
export interface Collected {
  readonly forms: readonly OpenForm[];
  readonly fields: readonly Control<UnlabelledField>[];
  readonly buttons: readonly Control<SubmitButton>[];
  readonly scriptButtons: readonly Control<{ readonly text: string; readonly element: Element }>[];
  readonly links: readonly Omit<Link, "form">[];
  /** Content of `<meta>` by lower-case name. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly labelsById: ReadonlyMap<string, string>;
}

/**
 * Gives each control its form and its label, wherever on the page these stand.
 *
 * @param url - of the page
 */
export function completePage(
  texts: Omit<Page, "forms" | "links" | "limit">,
  { forms, fields, buttons, scriptButtons, links, metadata, labelsById }: Collected,
  url: string | undefined,
): Omit<Page, "limit"> {
  const formsById = new Map(forms.map((it) => [it.element.attributes["id"], it]));
  const ownerOf = <Item extends { element: Element }>({ item, inside }: Control<Item>) => {
    const named = item.element.attributes["form"];
    return named === undefined ? inside : formsById.get(named);
  };
  const fieldsOf = Map.groupBy(fields, ownerOf);
  const buttonsOf = Map.groupBy(buttons, ownerOf);
  const scriptButtonsOf = Map.groupBy(scriptButtons, ownerOf);
  const token = { name: metadata.get("csrf-param"), value: metadata.get("csrf-token") };
  return {
    ...texts,
    links: links.map((link) => {
      const scripted = formOfLink(link.element, token, url);
      return scripted === undefined ? link : { ...link, form: scripted };
    }),
    forms: forms.filter(isSent).map((it): Form => ({
      action: it.action,
      method: methodOf(it),
      enctype: (it.element.attributes["enctype"] ?? "application/x-www-form-urlencoded").toLowerCase(),
      fields: (fieldsOf.get(it) ?? []).map((field) => labelled(field, labelsById)),
      buttons: (buttonsOf.get(it) ?? []).map(({ item }) => item),
      scriptButtons: (scriptButtonsOf.get(it) ?? []).map(({ item }) => item.text),
      isUnseen: it.isUnseen,
      element: it.element,
    })),
  };
}

function methodOf({ element: { attributes } }: OpenForm): string {
  return (attributes["method"] ?? "get").toUpperCase();
}

/** A form with the method dialog closes the dialog that it is in, and sends nothing. */
function isSent(form: OpenForm): boolean {
  return methodOf(form) !== "DIALOG";
}

function labelled({ item, label }: Control<UnlabelledField>, labelsById: ReadonlyMap<string, string>): Field {
  const { id = "", placeholder, autocomplete, title } = item.element.attributes;
  const told = [labelsById.get(id) ?? label?.text, placeholder, autocomplete];
  const hint = [...told, item.element.attributes["aria-label"], title].join(" ").trim();
  return { ...item, hint: hint.slice(0, maxHintLength) };
}
