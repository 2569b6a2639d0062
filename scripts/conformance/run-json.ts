import type { Run } from "../../reports/run-format.ts";

/** One line for each check and exchange, and never the whole run as one string: it may be longer than a string can be. */
export function* runJson(run: Run): Iterable<string> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(run) as [string, unknown][]) {
    yield `${separator}${JSON.stringify(name)}: `;
    if (Array.isArray(value)) yield* linesOf(value);
    else yield JSON.stringify(value);
    separator = ",\n";
  }
  yield "\n}\n";
}

function* linesOf(items: readonly unknown[]): Iterable<string> {
  yield "[";
  for (const [at, item] of items.entries()) yield `${at === 0 ? "\n" : ",\n"}${JSON.stringify(item)}`;
  yield "\n]";
}
