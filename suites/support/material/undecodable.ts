import type { Target } from "../target/target.ts";

const placeholder = "~undecodable~";

/** What {@link withUndecodable} puts an escape into that no encoder writes. */
export const undecodableText = `mailproof${placeholder}`;

/**
 * The target, sent an escape where {@link undecodableText} has its placeholder: no text of ours can be encoded so.
 *
 * @param escape - by default, a byte that is in no UTF-8 text
 */
export function withUndecodable(target: Target, escape = "%FF"): Target {
  const changed = (text: string): string => withEscape(text, escape);
  return target.changing(({ url, body, ...outgoing }) => ({
    ...outgoing,
    url: changed(url),
    ...(body !== undefined && { body: typeof body === "string" ? changed(body) : body }),
  }));
}

/** Whether a text has the placeholder, so that {@link withUndecodable} sends another one. */
export function isSentOtherwise(text: string): boolean {
  return text.includes(placeholder);
}

/** A text with an escape, or what stands for one, where {@link undecodableText} has its placeholder. */
export function withEscape(text: string, escape: string): string {
  return text.replaceAll(placeholder, escape);
}
