import type { Target } from "../target/target.ts";

const placeholder = "~no-utf-8~";

/** What {@link withUndecodable} makes a byte of that is in no UTF-8 text. */
export const undecodableText = `mailproof${placeholder}`;

/** The target, sent `%FF` where {@link undecodableText} has its placeholder: no text of ours can hold such a byte. */
export function withUndecodable(target: Target): Target {
  const changed = (text: string): string => text.replaceAll(placeholder, "%FF");
  return target.changing(({ url, body, ...outgoing }) => ({
    ...outgoing,
    url: changed(url),
    ...(body !== undefined && { body: typeof body === "string" ? changed(body) : body }),
  }));
}
