export interface Closable {
  close(): Promise<void>;
}

/** What a run opens once, and what it does one at a time. */
export interface RunResources {
  /** The key belongs to one caller, which is what ties the type to it. */
  opened<Resource extends Closable>(key: string, open: () => Promise<Resource>): Promise<Resource>;
  /** Runs one at a time among those with the same key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export function createRunResources(): RunResources {
  const queues = new Map<string, Promise<unknown>>();
  const resources = new Map<string, Promise<Closable>>();
  return {
    opened<Resource extends Closable>(key: string, open: () => Promise<Resource>): Promise<Resource> {
      const resource = resources.get(key) ?? open();
      resources.set(key, resource);
      return resource as Promise<Resource>;
    },
    async exclusively(key, work) {
      const before = queues.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      queues.set(key, mine);
      return mine;
    },
    async close() {
      // What could not be opened needs no closing, and was reported where it was needed.
      for (const opening of await Promise.allSettled(resources.values()))
        if (opening.status === "fulfilled") await opening.value.close();
    },
  };
}
