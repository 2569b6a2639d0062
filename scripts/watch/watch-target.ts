import { counted } from "../../reports/format.ts";
import type { Run, RunCheck } from "../../reports/run-format.ts";
import { printable } from "../../reports/printable.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { Catalogue } from "../conformance/catalogue.ts";
import { judgeOnce } from "../conformance/judge-once.ts";
import { withSenders } from "../conformance/senders.ts";
import { type FileChanges, watchFiles } from "./file-changes.ts";
import { cameBack } from "./is-answering.ts";
import { keyHelp, readKeys, type Wish } from "./keys.ts";
import { roundLines } from "./round-lines.ts";

export interface Watching {
  readonly profile: Profile;
  readonly isEmbedded: boolean;
  readonly catalogue: Catalogue;
  /** What may be judged. */
  readonly checks: readonly Check[];
  /** The newest run of the target. */
  readonly newest?: Run;
  /** Folders whose changes start a round. */
  readonly on: readonly string[];
  /** Where runs are written. */
  readonly out: string;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Why a round begins, and with what. */
type Trigger = Wish | { readonly kind: "file"; readonly path: string } | { readonly kind: "back" };

/**
 * Judges a target in rounds until it is told to end: what failed first, then at each key press, change of a file, or when the
 * target comes back. Shows what changed.
 *
 * @returns the last verdict of each check that was judged
 */
export async function watchTarget(watching: Watching): Promise<RunCheck[]> {
  const { profile, isEmbedded, catalogue, checks, newest, on, out, signal } = watching;
  const quit = new AbortController();
  const over = AbortSignal.any([signal, quit.signal]);
  const selectedIds = new Set(checks.map(({ id }) => id));
  const known = newest?.checks.filter(({ id }) => selectedIds.has(id));
  const verdicts = new Map(known?.map((check) => [check.id, check]));
  const judged = new Set<string>();
  let lastRun = newest;
  let isGone = false;
  let round: AbortController | undefined;
  const pending: Trigger[] = [];
  let wake: (() => void) | undefined;

  function add(trigger: Trigger): void {
    if (trigger.kind === "quit") quit.abort();
    else if (trigger.kind === "interrupt") process.kill(process.pid, "SIGINT");
    else if (trigger.kind === "help") console.log(keyHelp);
    else {
      // The newest wish counts.
      pending.splice(0, pending.length, trigger);
      // Nobody wants to wait for what they no longer ask for.
      if (trigger.kind !== "file" && trigger.kind !== "back") round?.abort();
    }
    wake?.();
  }

  async function nextTrigger(): Promise<Trigger | undefined> {
    const idle = new AbortController();
    const back = cameBack(profile, isGone, AbortSignal.any([over, idle.signal])).then(
      () => add({ kind: "back" }),
      (error: unknown) => {
        if (!over.aborted && !idle.signal.aborted) throw error;
      },
    );
    try {
      while (pending.length === 0 && !over.aborted)
        await Promise.race([back, new Promise<void>((resolve) => (wake = resolve))]);
      return over.aborted ? undefined : pending.shift();
    } finally {
      idle.abort();
      await back;
    }
  }

  function failing(): Check[] {
    const failed = checks.filter(({ id }) => {
      const known = verdicts.get(id);
      return (known?.verdict === "fail" || known?.verdict === "inconclusive") && known.known === undefined;
    });
    return lastRun === undefined ? failed : withSenders(failed, checks, lastRun);
  }

  function chosen(trigger: Trigger, last: readonly Check[]): readonly Check[] {
    switch (trigger.kind) {
      case "all":
        return checks;
      case "ids":
        return checks.filter(({ id }) => id.toLowerCase().includes(trigger.text.toLowerCase()));
      case "suite": {
        const suite = catalogue.suites.find(({ name }) => name === trigger.text);
        return checks.filter((check) => suite?.checks.includes(check));
      }
      case "failed":
        return failing();
      case "file":
      case "back": {
        const failed = failing();
        return failed.length > 0 ? failed : last;
      }
      case "again":
      case "quit":
      case "interrupt":
      case "help":
        return last;
    }
  }

  async function judge(selected: readonly Check[], why: string): Promise<void> {
    console.log(`\n${why}: judging ${counted(selected.length, "check")}`);
    round = new AbortController();
    const { run, notJudged } = await judgeOnce(profile, selected, {
      catalogue,
      isEmbedded,
      signal: over,
      stop: round.signal,
    });
    const wasCancelled = round.signal.aborted;
    round = undefined;
    isGone = notJudged !== undefined;
    if (isGone) return console.log(`waiting for the target: ${printable(notJudged ?? "")}`);
    // What was under way when it was cancelled says nothing.
    const decided = wasCancelled
      ? run.checks.filter(({ verdict }) => verdict !== "inconclusive")
      : run.checks;
    const shown = { ...run, checks: decided };
    for (const line of roundLines(verdicts, shown)) console.log(line);
    for (const check of decided) {
      verdicts.set(check.id, check);
      judged.add(check.id);
    }
    lastRun = run;
    if (!over.aborted) console.log(summary(shown, wasCancelled));
    return undefined;
  }

  function summary({ checks: done, durationMs }: Run, wasCancelled: boolean): string {
    const failed = [...verdicts.values()].filter(({ verdict }) => verdict === "fail").length;
    const failing = failed === 0 ? "nothing fails" : `${failed} ${failed === 1 ? "fails" : "fail"}`;
    const waiting = process.stdin.isTTY ? "h for help, q to quit" : "waiting for a change";
    return `${done.length} judged in ${(durationMs / 1000).toFixed(1)} s${wasCancelled ? ", then ended" : ""}; of all that is known, ${failing}; ${waiting}`;
  }

  const files: FileChanges = watchFiles(on, out, (path) => add({ kind: "file", path }));
  const keys = readKeys(process.stdin, process.stdout, add);
  try {
    const before = failing();
    let selected: readonly Check[] = before.length > 0 ? before : checks;
    await judge(selected, before.length > 0 ? `what failed in ${newest?.id ?? ""}` : "everything");
    for (let trigger = await nextTrigger(); trigger !== undefined; trigger = await nextTrigger()) {
      const next = chosen(trigger, selected);
      if (next.length === 0) {
        console.log(`nothing to judge: ${emptyWords(trigger)}`);
        continue;
      }
      selected = next;
      await judge(selected, reasonOf(trigger));
    }
  } finally {
    keys.close();
    files.close();
  }
  return [...judged].flatMap((id) => verdicts.get(id) ?? []);
}

function reasonOf(trigger: Trigger): string {
  switch (trigger.kind) {
    case "file":
      return `${printable(trigger.path)} changed`;
    case "back":
      return "the target is back";
    case "ids":
      return `ids that contain ${printable(trigger.text)}`;
    case "suite":
      return `suite ${printable(trigger.text)}`;
    case "all":
      return "everything";
    case "failed":
      return "what fails";
    case "again":
    case "quit":
    case "interrupt":
    case "help":
      return "again";
  }
}

function emptyWords(trigger: Trigger): string {
  if (trigger.kind === "ids") return `no id contains ${printable(trigger.text)}`;
  if (trigger.kind === "suite") return `there is no suite ${printable(trigger.text)} among what is selected`;
  return "nothing fails; a judges everything";
}
