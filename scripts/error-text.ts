import { inspect } from "node:util";
import { printableText } from "../reports/printable.ts";
import { createSecretMask, type SecretMask } from "../suites/support/wire/secrets.ts";

const deepestCause = 5;

/** An error with its stack and those of its causes. Its other members, such as exchanges, may hold secrets. */
export function errorText(error: unknown): string {
  const stacks: string[] = [];
  let current = error;
  while (current instanceof Error && stacks.length < deepestCause) {
    stacks.push(current.stack ?? current.message);
    current = current.cause;
  }
  if (stacks.length === 0) stacks.push(inspect(error, { depth: 0 }));
  // Tokens that nobody knows here are still found by their form.
  return printableText(createSecretMask().text(stacks.join("\ncaused by: ")));
}

/** Replaces the secrets in the message and the stack of an error, and of its causes. */
export function maskError(error: unknown, mask: SecretMask): void {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < deepestCause; depth += 1) {
    current.message = mask.text(current.message);
    if (current.stack !== undefined) current.stack = mask.text(current.stack);
    current = current.cause;
  }
}
