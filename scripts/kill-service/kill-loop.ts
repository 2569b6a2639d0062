import { setTimeout as delay } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { createTestBrowser } from "../../fixtures/service/oauth/test-browser.ts";
import { authorize, callJmap, openSession, postJson, registerClient, solve, textOf } from "./caller.ts";
import { newLedger, writesIn } from "./ledger.ts";
import { startService, type Addresses, type Storage } from "./service-child.ts";
import { noFindings, verifyLedger, type Findings } from "./verify.ts";
import { writeUntilCrash } from "./writers.ts";

export interface KillPlan {
  readonly storage: Storage;
  readonly kills: number;
  /** A deliberate defect of such a store, by its id; null for the sound service. */
  readonly fault: string | null;
  /** Crashes the server of the database instead, and starts it again. The service goes on, and has to recover by itself. */
  crashDatabase?(count: number): Promise<void>;
  /** @param findings - of all kills so far */
  onKill?(count: number, findings: Findings): void;
  /** Ends the loop after the present kill. */
  readonly signal?: AbortSignal;
}

export interface KillResult {
  readonly findings: Findings;
  readonly kills: number;
  /** Acknowledged writes. */
  readonly writes: number;
}

/**
 * Lets callers write, kills the service or crashes its database, starts that again and looks for what the service had
 * acknowledged, many times over.
 *
 * @throws when the service refuses a write that it should accept
 */
export async function killRepeatedly(plan: KillPlan): Promise<KillResult> {
  const { storage, kills, fault, crashDatabase, onKill, signal } = plan;
  const findings = noFindings();
  const browser = createTestBrowser();
  let writes = 0;
  let done = 0;
  let service = await startService({ storage, fault });
  try {
    const { addresses } = service;
    const agent = await signUp(addresses);
    // Signs in. All later lives have to know the session.
    await authorize(addresses, browser, await registerClient(addresses));
    for (let count = 1; count <= kills && signal?.aborted !== true; count += 1) {
      const ledger = newLedger();
      const mailbox = await openMailbox(addresses, agent);
      const crash = new AbortController();
      let areWriting = true;
      const writing = writeUntilCrash({ addresses, browser, mailbox, ledger, crash: crash.signal }).finally(
        () => {
          areWriting = false;
        },
      );
      // After different numbers of writes, so that crashes meet every kind.
      const enough = 10 + ((count * 37) % 90);
      while (areWriting && writesIn(ledger) < enough) await delay(1);
      crash.abort();
      await (crashDatabase?.(count) ?? service.kill());
      const refused = await writing;
      if (refused.length > 0) throw new AggregateError(refused, "the service refused writes");
      writes += writesIn(ledger);
      if (crashDatabase === undefined) service = await startService({ storage, fault });
      const { capability } = await openMailbox(addresses, agent);
      await verifyLedger(addresses, ledger, { capability, findings });
      done = count;
      onKill?.(count, findings);
    }
  } finally {
    await service.kill();
  }
  return { findings, kills: done, writes };
}

interface Agent {
  readonly session: string;
  readonly address: string;
}

async function signUp(addresses: Addresses): Promise<Agent> {
  const username = `writer-${randomUUID()}`;
  const answered = await openSession(addresses, await solve(addresses), { username });
  textOf(answered, "apiKey");
  return { session: answered.bearer, address: `${username}@mail.test` };
}

async function openMailbox(addresses: Addresses, { session, address }: Agent) {
  const { bearer: capability } = await postJson(`${addresses.auth_url}/api/v1/capability`, {}, session);
  const { ids } = await callJmap(addresses, capability, "Mailbox/query", { filter: { role: "drafts" } });
  const [draftsId = ""] = ids as string[];
  return { capability, address, draftsId };
}
