import type { Agent } from "../actors/agent.ts";
import type { Client } from "../actors/oauth-client.ts";

/** What a target gave to earlier runs, so that this one need not ask for it again. */
export interface KeptCredentials {
  /**
   * A client that was registered with exactly this, once in a run: who asks again wants a fresh one. The target may have
   * forgotten it.
   */
  takeClient(kind: string, registration: unknown): Client | undefined;
  /** Keeps a client in place of the former one of its kind. */
  keepClient(kind: string, registration: unknown, client: Client): void;
  /** As {@link takeClient}. */
  takeAgent(which: string): Agent | undefined;
  keepAgent(which: string, agent: Agent): void;
  /** A kept client must not be deleted at the end of the run. */
  isKept(clientId: string): boolean;
}
