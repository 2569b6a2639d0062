/** What a user asked for cannot be done. The message says what to write instead. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}
