/** The target that a run was to start is not there. The message says why and how to fix it. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
