import { type ButtonMeaning, meaningOf, meaningOfLink } from "./buttons.ts";
import { followed } from "./follow-link.ts";
import { filled } from "./form-values.ts";
import type { Form, Link, Page } from "./page.ts";
import type { Step } from "./step.ts";
import { type Meaning, says } from "./words.ts";

const elsewhere: readonly Meaning[] = ["create", "terms", "cookies", "language"];

/**
 * A page that offers identity providers, or inboxes, each by a form, a button or a link of its own that differs in nothing but
 * what it chooses: the first of them does. The question about the client may speak of an inbox too, so that the markup has to
 * say that one is chosen.
 */
export function firstOfAlike(page: Page): Step | undefined {
  const heading = `${page.title} ${page.headings}`;
  const isSignIn = says("signIn", heading);
  if (!isSignIn && !says("inbox", heading)) return undefined;
  const chooses = (markup: string): boolean => isSignIn || /inbox|mailbox|account/iu.test(markup);
  const forms = page.forms.filter((it) => isChoice(it) && chooses(namesIn(it)));
  const form = firstAlike(forms, ({ action }) => action);
  if (form !== undefined)
    return { kind: "submit", form, button: form.buttons[0], fields: filled(form), purpose: "continue" };
  for (const choosing of page.forms) {
    const neutral = choosing.buttons.filter((button) => isNeutral(meaningOf(button), button.text));
    const [button, other] = neutral;
    if (button !== undefined && button.name !== "" && button.name === other?.name && chooses(button.name))
      return { kind: "submit", form: choosing, button, fields: filled(choosing), purpose: "continue" };
  }
  if (page.forms.some(({ fields }) => fields.some(({ type }) => type !== "hidden"))) return undefined;
  const links = page.links.filter((it) => isNeutralLink(it) && chooses(it.href));
  const link = firstAlike(links, ({ href }) => href);
  return link && followed(link, { purpose: "continue" });
}

function namesIn({ action, fields }: Form): string {
  return [action, ...fields.map(({ name }) => name)].join(" ");
}

/** Of two or more that lead to one place, but for the end of its address. */
function firstAlike<Item>(items: readonly Item[], addressOf: (item: Item) => string): Item | undefined {
  const placeOf = (item: Item): string => addressOf(item).replace(/(?:[?#].*|[^/]*)$/u, "");
  return [...Map.groupBy(items, placeOf).values()].find((group) => group.length > 1)?.[0];
}

function isChoice({ fields, buttons: [button, ...others] }: Form): boolean {
  return (
    button !== undefined &&
    others.length === 0 &&
    fields.every(({ type }) => type === "hidden") &&
    isNeutral(meaningOf(button), button.text)
  );
}

function isNeutralLink(link: Link): boolean {
  return isNeutral(meaningOfLink(link), link.text);
}

/** It neither answers nor leads away, and creates nothing. */
function isNeutral(meaning: ButtonMeaning | undefined, text: string): boolean {
  return meaning === undefined && !elsewhere.some((it) => says(it, text));
}
