import type { Element, Form } from "./page.ts";

/** What a page tells the scripts of its framework about forms that they send. */
export interface TokenOfPage {
  readonly name: string | undefined;
  readonly value: string | undefined;
}

/**
 * The form that the script of a framework sends when a person follows a link with `data-method`, as rails-ujs and Yii do with
 * the page's CSRF token, and Phoenix with that of the link; undefined for a link that only leads to its address.
 */
export function formOfLink({ attributes }: Element, token: TokenOfPage, pageUrl?: string): Form | undefined {
  const method = attributes["data-method"]?.trim().toLowerCase();
  if (method === undefined || method === "" || method === "get") return undefined;
  const action = (attributes["data-to"] ?? attributes["href"] ?? "").trim();
  const ownToken = { name: "_csrf_token", value: attributes["data-csrf"] };
  const { name, value } = ownToken.value === undefined ? token : ownToken;
  const sent: [name: string, value: string][] = [["_method", method]];
  if (name !== undefined && value !== undefined && staysAt(action, pageUrl)) sent.push([name, value]);
  return {
    action,
    method: "POST",
    enctype: "application/x-www-form-urlencoded",
    fields: sent.map((field) => hidden(...field)),
    buttons: [],
    scriptButtons: [],
    isUnseen: false,
    element: { tag: "form", attributes: {} },
  };
}

/** The token goes to the page's own origin alone. */
function staysAt(action: string, pageUrl: string | undefined): boolean {
  if (pageUrl === undefined) return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/iu.test(action);
  return URL.parse(action, pageUrl)?.origin === new URL(pageUrl).origin;
}

function hidden(name: string, value: string): Form["fields"][number] {
  const element = { tag: "input", attributes: { type: "hidden", name, value } };
  return {
    type: "hidden",
    name,
    value,
    checked: false,
    required: false,
    options: [],
    multiple: false,
    isUnseen: false,
    hint: "",
    element,
  };
}
