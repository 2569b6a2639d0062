import { printable } from "../../reports/printable.ts";
import type { JudgedCheck } from "../../reports/journal-format.ts";

/** What a person sees during a run: one line of progress, and each violation as it is found. */
export interface Progress {
  started(checkId: string): void;
  finished(check: Pick<JudgedCheck, "id" | "verdict" | "reason" | "explainedBy">): void;
  end(): void;
}

/** On a terminal, one line rewritten in place; elsewhere, as in a CI log, a line every few seconds. */
export function showProgress(
  total: number,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stderr,
): Progress {
  const underWay = new Set<string>();
  let done = 0;
  let lastShown = -Infinity;
  const clear = (): void => void (stream.isTTY && stream.write("\r\u{1B}[2K"));

  function show(): void {
    const interval = stream.isTTY ? 100 : 5000;
    if (performance.now() - lastShown < interval) return;
    lastShown = performance.now();
    clear();
    const [oldest = ""] = underWay;
    stream.write(
      `${done}/${total}  ${oldest}${underWay.size > 1 ? ` and ${underWay.size - 1} more` : ""}${stream.isTTY ? "" : "\n"}`,
    );
  }

  return {
    started(checkId) {
      underWay.add(checkId);
      show();
    },
    finished({ id, verdict, reason, explainedBy }) {
      underWay.delete(id);
      done += 1;
      // Another check may turn out to explain it; the report at the end knows.
      if (verdict === "fail" && explainedBy === undefined) {
        clear();
        stream.write(`✗ ${id}: ${printable(reason ?? "")}\n`);
      }
      show();
    },
    end: clear,
  };
}
