import { html, type Html } from "../html-text.ts";

/** The head of a column: its title, empty above marks. */
export type Head = string | { readonly figures: string };

/** The head of a column of numbers, which are aligned; its cells have the class `n`. */
export function figures(title: string): Head {
  return { figures: title };
}

/** A table that scrolls by itself where it is too wide, by keyboard too. @param rows - `tr` elements */
export function table(heads: readonly Head[], rows: readonly Html[]): Html {
  const titles = heads.map((head) => (typeof head === "string" ? head : head.figures)).filter(Boolean);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${titles.join(", ")}">
    <table>
      <thead>
        <tr>
          ${heads.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function headCell(head: Head): Html {
  if (head === "") return html`<td></td>`;
  return typeof head === "string"
    ? html`<th scope="col">${head}</th>`
    : html`<th scope="col" class="n">${head.figures}</th>`;
}
