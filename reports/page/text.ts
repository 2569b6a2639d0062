import { type Html, html } from "../html-text.ts";
import { type ShownVerdict, verdictMarks, verdictWords } from "./verdict-words.ts";

/** Our own words, with what stands in backticks as code. */
export function prose(text: string): Html {
  const pieces = text.split("`");
  // An odd backtick is a backtick.
  if (pieces.length % 2 === 0) return html`${text}`;
  return joined(pieces.map((piece, at) => (at % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`)));
}

/** Words of the target: letters that run from right to left reorder nothing around them. */
export function foreign(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** A link to whatever the page has under this id. */
export function idLink(id: string): Html {
  return html`<a class="id" href="#${fragmentOf(id)}">${id}</a>`;
}

export function idLinks(ids: readonly string[]): Html {
  return joined(ids.map((id, at) => html`${at === 0 ? "" : ", "}${idLink(id)}`));
}

/** Ids of suites that others wrote may hold anything. */
export function fragmentOf(id: string): string {
  return encodeURI(id).replaceAll("#", "%23").replaceAll("?", "%3F");
}

/** A sign and a word: colour is never alone. */
export function verdictMark(verdict: ShownVerdict): Html {
  return html`<span class="mark ${verdict}" aria-hidden="true">${verdictMarks[verdict]}</span
    ><span class="hidden">${verdictWords[verdict]}: </span>`;
}

export function joined(parts: readonly Html[]): Html {
  return { markup: parts.map(({ markup }) => markup).join("") };
}

/** Nothing where the condition does not hold. */
export function when(condition: boolean, part: () => Html): Html {
  return condition ? part() : { markup: "" };
}
