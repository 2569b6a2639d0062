import { printable } from "../../reports/printable.ts";
import type { JudgedCheck } from "../../reports/journal-format.ts";

/** What a person sees during a run: one line of progress, and each violation as it is found. */
export interface Progress {
  started(checkId: string): void;
  finished(check: Pick<JudgedCheck, "id" | "verdict" | "reason" | "explainedBy">): void;
  end(): void;
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const terminalIntervalMs = 100;
// In a CI log each is a line that stays.
const logIntervalMs = 15_000;

/** On a terminal, one line rewritten in place; elsewhere, as in a CI log, a line now and then. */
export function showProgress(
  total: number,
  stream: Output = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const underWay = new Set<string>();
  const startedMs = now();
  let done = 0;
  let lastShownMs = -Infinity;
  const clear = (): void => void (stream.isTTY && stream.write("\r\u{1B}[2K"));

  function show(): void {
    if (now() - lastShownMs < (stream.isTTY ? terminalIntervalMs : logIntervalMs)) return;
    lastShownMs = now();
    clear();
    const [oldest = ""] = underWay;
    const others = underWay.size > 1 ? ` and ${underWay.size - 1} more` : "";
    const line = `${done}/${total}${timeLeft(now() - startedMs, done, total)}  ${oldest}${others}`;
    // A line that is broken cannot be rewritten in place.
    stream.write(stream.isTTY ? line.slice(0, (stream.columns ?? Infinity) - 1) : `${line}\n`);
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

// The first checks say little about the rest.
const leastShare = 0.1;
const leastElapsedMs = 5000;

/** As if the rest went on as fast as what is done. */
function timeLeft(elapsedMs: number, done: number, total: number): string {
  if (done >= total || done < total * leastShare || elapsedMs < leastElapsedMs) return "";
  const seconds = (elapsedMs * (total - done)) / done / 1000;
  return seconds < 60 ? ", less than 1 min left" : `, about ${Math.round(seconds / 60)} min left`;
}
