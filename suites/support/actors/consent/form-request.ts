import { encodeParameters, type Parameters } from "../../wire/parameters.ts";
import { multipartForm, urlEncoded } from "../../wire/posted-form.ts";
import type { SubmitButton } from "./page.ts";
import type { Navigation } from "./browser.ts";
import type { Submission } from "./step.ts";

/**
 * The request that a browser makes of a submitted form (HTML, "form submission algorithm").
 *
 * @param page - the address of the page, and its `<base href>`
 * @returns why the form cannot be sent, when it cannot
 */
export function submissionRequest(
  { form, button, fields }: Submission,
  page: { readonly url: string; readonly base: string | undefined },
  password: string,
): Navigation | { readonly problem: string } {
  const { action, method, enctype } = {
    action: form.action,
    method: form.method,
    enctype: form.enctype,
    ...button?.overrides,
  };
  // An empty action means the page itself, not its base.
  const url = action === "" ? withoutFragment(page.url) : resolved(action, page);
  if (url === undefined)
    return { problem: `the form's action ${JSON.stringify(action.slice(0, 80))} is not a web address` };
  const sent: Parameters = button === undefined ? fields : [...fields, ...buttonValues(button)];
  const common = { hasPassword: sent.some(([, value]) => value === password), from: page.url };
  if (method !== "POST") return { ...common, url: `${url.split("?", 1)[0]}?${encodeParameters(sent)}` };
  if (enctype === "multipart/form-data") return { ...common, url, form: multipartForm(sent) };
  if (enctype === "text/plain")
    return { problem: "the form is sent as text/plain, which no server should ask for" };
  return { ...common, url, form: { contentType: urlEncoded, body: encodeParameters(sent) } };
}

function buttonValues({ name, value, isImage }: SubmitButton): Parameters {
  const prefix = name === "" ? "" : `${name}.`;
  if (isImage) return ["x", "y"].map((axis) => [`${prefix}${axis}`, "1"] as const);
  return name === "" ? [] : [[name, value]];
}

/** An address on a page, without its fragment; undefined when it is not a web address. */
export function resolved(
  reference: string,
  page: { readonly url: string; readonly base: string | undefined },
): string | undefined {
  const base = URL.parse(page.base ?? "", page.url)?.href ?? page.url;
  const url = URL.parse(reference, base);
  return url !== null && /^https?:$/u.test(url.protocol) ? withoutFragment(url.href) : undefined;
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0] ?? url;
}
