/**
 * What a check says of its target. `observed` records a value where the document is silent; `inconclusive` was tried and
 * could not tell; `blocked` lacks something that the profile does not supply.
 */
export type Verdict = "pass" | "fail" | "warn" | "observed" | "inconclusive" | "blocked";

/** What `assert` may say beside "the claim holds" (returning nothing) and "it does not" (throwing a {@link Violation}). */
export type Finding =
  /** The claim holds, with a deviation that is tolerated and worth a line. */
  | { readonly kind: "warning"; readonly text: string }
  /** The document is silent: this is what the target does. */
  | { readonly kind: "observation"; readonly value: string };

export function warning(text: string): Finding {
  return { kind: "warning", text };
}

export function observation(value: string): Finding {
  return { kind: "observation", value };
}

/** The target broke the claim. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly expected: string;
  readonly observed: string;
  constructor(expected: string, observed: string) {
    super(`expected ${expected}; observed ${observed}`);
    this.expected = expected;
    this.observed = observed;
  }
}

export type InconclusiveCode =
  | "target-unreachable"
  | "target-silent"
  | "control-refused"
  | "rate-limited"
  | "answer-unbounded"
  | "consent-stuck"
  | "precondition-missing"
  | "interrupted";

/** We could not judge the target. Reported as `inconclusive`, never as pass or fail. */
export class InconclusiveError extends Error {
  override readonly name = "InconclusiveError";
  readonly code: InconclusiveCode;
  constructor(code: InconclusiveCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The profile does not supply what the check needs. Reported as `blocked`; the message says what to add. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
}
