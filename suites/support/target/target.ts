import { type BodyKeeper, createBodyKeeper, keptBytesOfViolation } from "../wire/body-keeper.ts";
import { isGatewayAnswer } from "../wire/disturbance.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type Connection, createHttp, type Http, type Outgoing } from "../wire/http.ts";
import { isMisdirectedRefusal } from "../wire/misdirected.ts";
import type { NodeEndpoint } from "../wire/network.ts";
import type { Solver } from "../pow/solver.ts";
import { BlockedError } from "../verdict.ts";
import { createBudget, type Expense } from "./budget.ts";
import { connectionOf } from "./connection.ts";
import { createDocumentHost, type DocumentHost } from "./documents/document-host.ts";
import type { Evidence, SentAs } from "./evidence.ts";
import type { KeptCredentials } from "./kept-credentials.ts";
import { operatorAddresses, readingOnly, readOnlyReason, withinTarget } from "./origins.ts";
import { createNotes, type Topic } from "./notes.ts";
import type { Profile } from "./profile.ts";
import { createRecorder } from "./recorder.ts";
import { type Closable, createRunResources } from "./run-resources.ts";
import { createSharedMaterial } from "./shared-material.ts";
import { createTargetClock } from "./target-clock.ts";
import type { TargetProcess } from "./target-process.ts";

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
  /** Where credentials are kept from run to run. */
  readonly credentials?: KeptCredentials | undefined;
  /** Where mailproof has started the target and may restart it. */
  readonly process?: TargetProcess | undefined;
  /**
   * Which of the checks that act at the same time this one is, from 0. Where grants to one client end each other, checks in
   * different places have clients of their own.
   */
  readonly place: number;
  /** Publishes client-id metadata documents. */
  readonly documents: Omit<DocumentHost, "close">;
  /** The same target for requests that prepare the experiment. */
  readonly setup: Target;
  /** The same target for requests that show that the subject, without its one flaw, is accepted. */
  readonly control: Target;
  /** The same target with each request changed before it is sent, in setup and control too. */
  changing(change: (outgoing: Outgoing) => Outgoing): Target;
  send(outgoing: Outgoing): Promise<Exchange>;
  /**
   * Keeps the other checks from the route of a request for so long: requests that race need what the target's limit allows
   * for themselves.
   */
  holdBack(outgoing: Outgoing, milliseconds: number): void;
  /**
   * A kept-alive connection of its own. Close it.
   *
   * @param node - a node that the profile lists; requests keep naming the public address
   */
  connect(origin: string, node?: NodeEndpoint): Connection;
  /** Counts an exchange that a browser made as evidence, as if it had been sent through this target. */
  record(seen: Omit<Exchange, "number">): Exchange;
  /** Counts an exchange that was made before as evidence, as if it had been sent through this target. */
  cite(exchange: Exchange): void;
  /**
   * Does something once a run and hands every caller the result; its exchanges are evidence of each check that asks.
   * Only for what no check destroys. After a failure the next caller tries again, but what the target has refused twice for
   * the same reason counts as refused: the budget is not to be spent on it.
   */
  once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result>;
  /** Opens something once a run, such as a browser. It is closed when the run ends. */
  opened<Resource extends Closable>(key: string, open: () => Promise<Resource>): Promise<Resource>;
  /** Runs one at a time among those with the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Aborts when the run is interrupted. */
  readonly signal: AbortSignal;
  /** The run makes and changes nothing. */
  readonly isReadOnly: boolean;
  /** Waits in real time, such as before a request is repeated. */
  pause(milliseconds: number): Promise<void>;
  /** Lets time pass on the target's clock: moves it where the profile says how, else waits. */
  wait(seconds: number): Promise<void>;
  /** Seconds that have passed on the target's clock since the run began. */
  elapsedSeconds(): number;
  /** The target's clock as far as the run knows: ours, and what the run has moved it by. Seconds since 1970. */
  nowSeconds(): number;
  /** @throws {BlockedError} when the profile's budget is used up */
  spend(expense: Expense): void;
  /** Counts what another key of the profile allows beside its budget. */
  spendBesideBudget(expense: Expense): void;
  /** Leaves an item for the checks that look at the whole run. */
  note<Item>(topic: Topic<Item>, item: Item): void;
  /** What all checks of the run have left so far. */
  noted<Item>(topic: Topic<Item>): readonly Item[];
  /**
   * Every exchange of the run so far, of all checks, without what a gateway answered in place of the target, without
   * refusals of requests for other hosts, and without the operator's hooks and the target's clock. After a restart of the
   * target, those since: what it forgot has no part in what it does now.
   * Long bodies are cut.
   */
  runExchanges(): readonly Exchange[];
  /** What the run keeps of an exchange: the same without the rest of a long body. */
  kept(exchange: Exchange): Exchange;
}

/** One execution against one target. */
export interface TargetRun {
  /**
   * @param evidence - receives what the check sends
   * @param checkId - names the check to the target with each request
   * @param place - see {@link Target.place}; 0 unless given
   */
  targetFor(evidence: Evidence, checkId?: string, place?: number): Target;
  readonly http: Http;
  /** Keeps more of the exchanges that a violation rests on. */
  readonly keepForViolation: BodyKeeper;
  readonly spent: Readonly<Record<Expense, number>>;
  /** From now on, makes what checks share again. */
  renewMaterial(): void;
  /** Leaves behind what came from the target before it was restarted. */
  forgetPast(): void;
  /** Allows what was spent for this evidence once more, since a disturbance spoilt it. */
  refund(evidence: Evidence): void;
  close(): Promise<void>;
}

/** Stands for a check where a request makes what several checks share. */
const sharedMaterial = "shared";

export interface TargetOptions {
  /** Receives each exchange of the run with all of its bodies, when it has ended. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Send nothing that makes or changes anything. */
  readonly isReadOnly?: boolean;
  readonly process?: TargetProcess | undefined;
  readonly credentials?: KeptCredentials | undefined;
}

export function openTarget(
  profile: Profile,
  solver: Solver,
  signal: AbortSignal,
  { onExchange, isReadOnly = false, process, credentials }: TargetOptions = {},
): TargetRun {
  const { http, ofTarget } = openTransport(profile, signal, isReadOnly, onExchange);
  const documents = createDocumentHost(profile.client_metadata);
  const material = createSharedMaterial();
  const budget = createBudget(profile.budget);
  const spentFor = new WeakMap<Evidence, Expense[]>();
  const notes = createNotes();
  const resources = createRunResources();
  const clock = createTargetClock(profile, signal);
  let pastEnd = 0;

  function targetFor(evidence: Evidence, checkId?: string, place = 0): Target {
    return sending(evidence, place, "direct", (outgoing) =>
      checkId === undefined ? outgoing : { ...outgoing, checkId },
    );
  }

  function sending(
    evidence: Evidence,
    place: number,
    sentAs: SentAs,
    change: (outgoing: Outgoing) => Outgoing,
  ): Target {
    const { cite, recorded } = createRecorder(http, evidence, sentAs);
    const target: Target = {
      profile,
      authUrl: profile.auth_url,
      apiUrl: profile.api_url,
      mcpUrl: profile.mcp_url,
      solver,
      process,
      credentials,
      place,
      documents,
      runExchanges: () => ofTarget(http.exchanges.slice(pastEnd)),
      kept: (exchange) => http.exchanges[exchange.number] ?? exchange,
      cite,
      get setup() {
        return sending(evidence, place, "setup", change);
      },
      get control() {
        // A step that prepares a control is still setup.
        return sentAs === "setup" ? target : sending(evidence, place, "control", change);
      },
      changing: (further) => sending(evidence, place, sentAs, (outgoing) => further(change(outgoing))),
      send: (outgoing) => recorded((onRepeated) => http.send(change(outgoing), onRepeated)),
      holdBack: http.holdBack,
      record(seen) {
        const exchange = http.record(seen);
        cite(exchange);
        return exchange;
      },
      connect(origin, node) {
        const connection = http.connect(origin, node);
        return {
          send: (outgoing) => recorded((onRepeated) => connection.send(change(outgoing), onRepeated)),
          close: () => connection.close(),
        };
      },
      async once<Result>(key: string, make: (target: Target) => Promise<Result>): Promise<Result> {
        let spoilt: Evidence | undefined;
        const shared = material.get(key, (recording) => {
          if (spoilt !== undefined) refund(spoilt);
          spoilt = recording;
          return make(targetFor(recording, sharedMaterial, place));
        });
        try {
          // The key belongs to one caller, which is what ties the type to it.
          return (await shared.result) as Result;
        } finally {
          // Also when it failed: what it sent is then why this check cannot judge.
          for (const entry of shared.evidence().entries())
            evidence.add({
              ...entry,
              sentAs: entry.sentAs === "direct" ? sentAs : entry.sentAs,
              isShared: true,
            });
        }
      },
      opened: resources.opened,
      exclusively: resources.exclusively,
      signal,
      isReadOnly,
      pause: clock.pause,
      wait: (seconds) => clock.wait(seconds, target.setup.send),
      nowSeconds: clock.nowSeconds,
      elapsedSeconds: clock.elapsedSeconds,
      spend(expense) {
        if (isReadOnly) throw new BlockedError(readOnlyReason);
        budget.spend(expense);
        spentFor.set(evidence, [...(spentFor.get(evidence) ?? []), expense]);
      },
      spendBesideBudget: (expense) => budget.spendBeside(expense),
      note: notes.note,
      noted: notes.noted,
    };
    return target;
  }

  function refund(evidence: Evidence): void {
    budget.refund(spentFor.get(evidence) ?? []);
  }

  return {
    targetFor,
    http,
    keepForViolation: createBodyKeeper(keptBytesOfViolation),
    spent: budget.spent,
    renewMaterial: () => material.forget(),
    forgetPast() {
      material.forget();
      budget.refundAll();
      notes.clear();
      pastEnd = http.exchanges.length;
    },
    refund,
    async close() {
      await resources.close();
      await documents.close();
      await http.close();
    },
  };
}

/** How a run sends, and which of its exchanges the target itself answered: no gateway, and no hook of its operator. */
function openTransport(
  profile: Profile,
  signal: AbortSignal,
  isReadOnly: boolean,
  onExchange: TargetOptions["onExchange"],
): { readonly http: Http; ofTarget(exchanges: readonly Exchange[]): readonly Exchange[] } {
  const operators = operatorAddresses(profile);
  const answeredByOthers = new Set<number>();
  const connection = connectionOf(profile);
  const transport = createHttp({
    timeoutMs: profile.timeout_seconds * 1000,
    maxBodyBytes: 2 * 1024 * 1024,
    patienceMs: profile.patience_seconds * 1000,
    requestsPerSecond: profile.budget.requests_per_second,
    signal,
    ...connection,
    onExchange(exchange) {
      if (
        isGatewayAnswer(exchange) ||
        isMisdirectedRefusal(exchange, connection.headersFor(exchange.request.url)) ||
        operators.has(exchange.request.url)
      )
        answeredByOthers.add(exchange.number);
      onExchange?.(exchange);
    },
  });
  const http = withinTarget(transport, profile);
  return {
    http: isReadOnly ? readingOnly(http, profile) : http,
    ofTarget: (exchanges) =>
      answeredByOthers.size > 0 ? exchanges.filter(({ number }) => !answeredByOthers.has(number)) : exchanges,
  };
}
