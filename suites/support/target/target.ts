import { setTimeout as delay } from "node:timers/promises";
import type { Exchange } from "../wire/exchange.ts";
import { type Connection, createHttp, type Http, type Outgoing } from "../wire/http.ts";
import type { Solver } from "../pow/solver.ts";
import type { Profile } from "./profile.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";

/** What costs the target something that stays, and is counted against the profile's budget. */
export type Expense = "registrations" | "grants" | "sign_ups";

/** The implementation under test, as one check sees it. Whatever it sends is recorded against that check. */
export interface Target {
  readonly profile: Profile;
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly mcpUrl: string;
  readonly solver: Solver;
  send(outgoing: Outgoing): Promise<Exchange>;
  /** A kept-alive connection of its own. Close it. */
  connect(origin: string): Connection;
  /**
   * Does something once a run and hands every caller the result; its exchanges are evidence of each check that asks.
   * Only for what no check destroys.
   */
  once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result>;
  /** Runs one at a time among those with the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Lets time pass on the target's clock: moves it where the profile says how, else waits. */
  wait(seconds: number): Promise<void>;
  /** Seconds that have passed on the target's clock since the run began. */
  elapsedSeconds(): number;
  /** @throws {BlockedError} when the profile's budget is used up */
  spend(expense: Expense): void;
  /** Every exchange of the run so far, of all checks. */
  readonly runExchanges: readonly Exchange[];
  /** The target as another check sees it, recording into a list of its own. */
  recordingInto(exchanges: Exchange[]): Target;
}

/** One execution against one target. */
export interface TargetRun {
  /** @param exchanges - receives what the check sends, in the order in which answers came */
  targetFor(exchanges: Exchange[]): Target;
  readonly http: Http;
  readonly spent: Readonly<Record<Expense, number>>;
  close(): Promise<void>;
}

export function openTarget(profile: Profile, solver: Solver, signal: AbortSignal): TargetRun {
  const http = createHttp({
    timeoutMs: profile.timeout_seconds * 1000,
    maxBodyBytes: 2 * 1024 * 1024,
    patienceMs: profile.patience_seconds * 1000,
    requestsPerSecond: profile.budget.requests_per_second,
    signal,
  });
  const memo = new Map<string, Promise<{ result: unknown; exchanges: readonly Exchange[] }>>();
  const queues = new Map<string, Promise<unknown>>();
  const spent: Record<Expense, number> = { registrations: 0, grants: 0, sign_ups: 0 };
  const startedAt = performance.now();
  let advancedSeconds = 0;

  function targetFor(exchanges: Exchange[]): Target {
    const record = (exchange: Exchange): Exchange => {
      exchanges.push(exchange);
      return exchange;
    };
    const target: Target = {
      profile,
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      solver,
      runExchanges: http.exchanges,
      recordingInto: targetFor,
      send: async (outgoing) => record(await http.send(outgoing)),
      connect(origin) {
        const connection = http.connect(origin);
        return {
          send: async (outgoing) => record(await connection.send(outgoing)),
          close: () => connection.close(),
        };
      },
      async once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result> {
        const made = memo.get(key) ?? makeOnce(key, make);
        const { result, exchanges: evidence } = await made;
        for (const exchange of evidence) if (!exchanges.includes(exchange)) exchanges.push(exchange);
        // The key belongs to one caller, which is what ties the type to it.
        return result as Result;
      },
      async exclusively(key, work) {
        const before = queues.get(key) ?? Promise.resolve();
        const mine = before.then(work, work);
        queues.set(key, mine);
        return mine;
      },
      async wait(seconds) {
        if (seconds <= 0) return;
        if (profile.clock === undefined) {
          await delay(seconds * 1000, undefined, { signal });
          return;
        }
        const moved = await target.send({
          method: "POST",
          url: profile.clock.advance_url,
          headers: [["Content-Type", "application/json"]],
          body: JSON.stringify({ advance_seconds: seconds }),
        });
        if (moved.response.status >= 300) {
          throw new InconclusiveError(
            "precondition-missing",
            `moving the target's clock at ${profile.clock.advance_url}: expected 2xx, got ${moved.response.status}`,
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
    };
    return target;
  }

  function makeOnce(
    key: string,
    make: (target: Target) => Promise<unknown>,
  ): Promise<{ result: unknown; exchanges: readonly Exchange[] }> {
    const exchanges: Exchange[] = [];
    const made = make(targetFor(exchanges)).then((result) => ({ result, exchanges }));
    memo.set(key, made);
    // A failure is not kept: the next check that needs it tries again, and says for itself why it cannot judge.
    made.catch(() => memo.delete(key));
    return made;
  }

  return { targetFor, http, spent, close: () => http.close() };
}
