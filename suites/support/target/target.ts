import { setTimeout as delay } from "node:timers/promises";
import { type BodyKeeper, createBodyKeeper, keptBytesOfViolation } from "../wire/body-keeper.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Connection, createHttp, type Http, type Outgoing } from "../wire/http.ts";
import type { Solver } from "../pow/solver.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { createEvidence, type Evidence, type SentAs } from "./evidence.ts";
import { withinTarget } from "./origins.ts";
import type { Profile } from "./profile.ts";

/** What costs the target something that stays, and is counted against the profile's budget. */
export type Expense = "registrations" | "grants" | "sign_ups";

/** What checks leave for those that look at the whole run. */
export interface Topic<Item> {
  readonly name: string;
  /** Ties the item's type to the topic; never set. */
  readonly item?: Item;
}

/**
 * The implementation under test, as one check sees it. Whatever it sends is evidence of that check. What `act` returns to
 * be judged is the subject; all else that was sent is `setup`, unless it went through {@link control}.
 */
export interface Target {
  readonly profile: Profile;
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly mcpUrl: string;
  readonly solver: Solver;
  /** The same target for requests that prepare the experiment. */
  readonly setup: Target;
  /** The same target for requests that show that the subject, without its one flaw, is accepted. */
  readonly control: Target;
  /** The same target with each request changed before it is sent, in setup and control too. */
  changing(change: (outgoing: Outgoing) => Outgoing): Target;
  send(outgoing: Outgoing): Promise<Exchange>;
  /** A kept-alive connection of its own. Close it. */
  connect(origin: string): Connection;
  /** Counts an exchange that was made before as evidence, as if it had been sent through this target. */
  cite(exchange: Exchange): void;
  /**
   * Does something once a run and hands every caller the result; its exchanges are evidence of each check that asks.
   * Only for what no check destroys. After a failure the next caller tries again, but what the target has refused three
   * times counts as refused: the budget is not to be spent on it.
   */
  once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result>;
  /** Runs one at a time among those with the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Waits in real time, such as before a request is repeated. */
  pause(milliseconds: number): Promise<void>;
  /** Lets time pass on the target's clock: moves it where the profile says how, else waits. */
  wait(seconds: number): Promise<void>;
  /** Seconds that have passed on the target's clock since the run began. */
  elapsedSeconds(): number;
  /** @throws {BlockedError} when the profile's budget is used up */
  spend(expense: Expense): void;
  /** Leaves an item for the checks that look at the whole run. */
  note<Item>(topic: Topic<Item>, item: Item): void;
  /** What all checks of the run have left so far. */
  noted<Item>(topic: Topic<Item>): readonly Item[];
  /** Every exchange of the run so far, of all checks; long bodies are cut. */
  readonly runExchanges: readonly Exchange[];
}

/** One execution against one target. */
export interface TargetRun {
  /** @param evidence - receives what the check sends */
  targetFor(evidence: Evidence): Target;
  readonly http: Http;
  /** Keeps more of the exchanges that a violation rests on. */
  readonly keepForViolation: BodyKeeper;
  readonly spent: Readonly<Record<Expense, number>>;
  close(): Promise<void>;
}

const maxRefusals = 3;

interface Memo {
  readonly evidence: Evidence;
  readonly result: Promise<unknown>;
}

/** @param onExchange - receives each exchange of the run with all of its bodies, when it has ended */
export function openTarget(
  profile: Profile,
  solver: Solver,
  signal: AbortSignal,
  onExchange?: (exchange: Exchange) => void,
): TargetRun {
  const transport = createHttp({
    timeoutMs: profile.timeout_seconds * 1000,
    maxBodyBytes: 2 * 1024 * 1024,
    patienceMs: profile.patience_seconds * 1000,
    requestsPerSecond: profile.budget.requests_per_second,
    signal,
    onExchange,
  });
  const http = withinTarget(transport, profile);
  const memos = new Map<string, Memo>();
  const refusals = new Map<string, number>();
  const notes = new Map<string, unknown[]>();
  const queues = new Map<string, Promise<unknown>>();
  const spent: Record<Expense, number> = { registrations: 0, grants: 0, sign_ups: 0 };
  const startedAt = performance.now();
  let advancedSeconds = 0;

  function targetFor(
    evidence: Evidence,
    sentAs: SentAs = "direct",
    change: (outgoing: Outgoing) => Outgoing = (outgoing) => outgoing,
  ): Target {
    // The evidence of all checks stays in memory, so it holds what the run keeps of an exchange.
    const cite = ({ number }: Exchange): void => addToEvidence(number, sentAs);

    function addToEvidence(number: number, how: SentAs): void {
      const exchange = http.exchanges[number];
      if (exchange !== undefined) evidence.add({ exchange, sentAs: how, isShared: false });
    }

    async function recorded(
      send: (onWaited: (exchange: Exchange) => void) => Promise<Exchange>,
    ): Promise<Exchange> {
      try {
        const exchange = await send(({ number }) => addToEvidence(number, "waited"));
        cite(exchange);
        return exchange;
      } catch (error) {
        const unanswered = error instanceof InconclusiveError ? error.exchange : undefined;
        if (unanswered !== undefined) addToEvidence(unanswered.number, sentAs);
        throw error;
      }
    }

    const target: Target = {
      profile,
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      solver,
      runExchanges: http.exchanges,
      cite,
      get setup() {
        return targetFor(evidence, "setup", change);
      },
      get control() {
        // A step that prepares a control is still setup.
        return sentAs === "setup" ? target : targetFor(evidence, "control", change);
      },
      changing: (further) => targetFor(evidence, sentAs, (outgoing) => further(change(outgoing))),
      send: (outgoing) => recorded((onWaited) => http.send(change(outgoing), onWaited)),
      connect(origin) {
        const connection = http.connect(origin);
        return {
          send: (outgoing) => recorded((onWaited) => connection.send(change(outgoing), onWaited)),
          close: () => connection.close(),
        };
      },
      async once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result> {
        const memo = memos.get(key) ?? remember(key, make);
        try {
          // The key belongs to one caller, which is what ties the type to it.
          return (await memo.result) as Result;
        } finally {
          // Also when it failed: what it sent is then why this check cannot judge.
          for (const entry of memo.evidence.entries())
            evidence.add({
              ...entry,
              sentAs: entry.sentAs === "direct" ? sentAs : entry.sentAs,
              isShared: true,
            });
        }
      },
      async exclusively(key, work) {
        const before = queues.get(key) ?? Promise.resolve();
        const mine = before.then(work, work);
        queues.set(key, mine);
        return mine;
      },
      async pause(milliseconds) {
        await delay(milliseconds, undefined, { signal }).catch((cause: unknown) => {
          throw new InconclusiveError("interrupted", "the run was interrupted", { cause });
        });
      },
      async wait(seconds) {
        if (seconds <= 0) return;
        if (profile.clock === undefined) {
          await target.pause(seconds * 1000);
          return;
        }
        const moved = await target.setup.send({
          method: "POST",
          url: profile.clock.advance_url,
          headers: [["Content-Type", "application/json"]],
          body: JSON.stringify({ advance_seconds: seconds }),
        });
        if (moved.response.status >= 300) {
          throw new InconclusiveError(
            "precondition-missing",
            `moving the target's clock at ${profile.clock.advance_url}: expected 2xx, got ${moved.response.status}`,
            { exchange: moved },
          );
        }
        advancedSeconds += seconds;
      },
      elapsedSeconds: () => (performance.now() - startedAt) / 1000 + advancedSeconds,
      spend(expense) {
        if (spent[expense] >= profile.budget[expense]) {
          throw new BlockedError(
            `the budget of ${profile.budget[expense]} ${expense.replace("_", "-")} is used up; raise budget.${expense} in the profile`,
          );
        }
        spent[expense] += 1;
      },
      note: (topic, item) => void notesOn(topic.name).push(item),
      // The topic belongs to one caller, which is what ties the type to it.
      noted: <Item>(topic: Topic<Item>) => notesOn(topic.name) as readonly Item[],
    };
    return target;
  }

  function notesOn(name: string): unknown[] {
    const items = notes.get(name) ?? [];
    notes.set(name, items);
    return items;
  }

  function remember(key: string, make: (target: Target) => Promise<unknown>): Memo {
    const evidence = createEvidence();
    const memo = { evidence, result: make(targetFor(evidence)) };
    memos.set(key, memo);
    memo.result.catch((error: unknown) => {
      const isRefusal = error instanceof InconclusiveError && error.code === "control-refused";
      const count = (refusals.get(key) ?? 0) + (isRefusal ? 1 : 0);
      refusals.set(key, count);
      if (count < maxRefusals) memos.delete(key);
    });
    return memo;
  }

  return {
    targetFor,
    http,
    keepForViolation: createBodyKeeper(keptBytesOfViolation),
    spent,
    close: () => http.close(),
  };
}
