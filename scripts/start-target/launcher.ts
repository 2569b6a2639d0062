/** One way to run a target: as a process, or in containers. */
export interface Launcher {
  /**
   * Begins; the target need not be ready yet.
   *
   * @throws {StartError}
   */
  start(): Promise<void>;
  /** Asks it to end (SIGTERM), and ends it when it takes too long. */
  stop(): Promise<void>;
  /** Ends it at once (SIGKILL). */
  kill(): Promise<void>;
  /** How it ended by itself, such as `exit code 1`; undefined while it runs. */
  endedWith(): Promise<string | undefined>;
  /** Takes away what is left of it. Never throws. */
  remove(): Promise<void>;
}
