/** A target that mailproof has started itself. */
export interface TargetProcess {
  /**
   * Asks it to end as an operator does (SIGTERM), and starts it again.
   *
   * @throws {InconclusiveError} precondition-missing, when it is not ready again in time
   */
  restart(): Promise<void>;
  /** Ends it at once (SIGKILL), as a crash would. Resolves when it has ended. */
  kill(): Promise<void>;
  /**
   * Starts it after {@link kill}.
   *
   * @throws {InconclusiveError} precondition-missing, when it is not ready in time
   */
  startAgain(): Promise<void>;
}
