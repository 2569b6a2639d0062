export interface KeptClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uris: readonly string[];
}

export interface KeptAgent {
  readonly apiKey: string;
  readonly inbox: string | undefined;
}

/** What a target gave to earlier runs, so that this one need not ask for it again. */
export interface KeptCredentials {
  /**
   * A client that was registered with exactly this, once in a run: who asks again wants a fresh one. The target may have
   * forgotten it.
   */
  takeClient(kind: string, registration: unknown): KeptClient | undefined;
  /** Keeps a client in place of the former one of its kind. */
  keepClient(kind: string, registration: unknown, client: KeptClient): void;
  /** As {@link takeClient}. */
  takeAgent(which: string): KeptAgent | undefined;
  keepAgent(which: string, agent: KeptAgent): void;
  /** A kept client must not be deleted at the end of the run. */
  isKept(clientId: string): boolean;
}
