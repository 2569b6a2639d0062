import { type Attempt, attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest, type Client } from "../support/actors/oauth-client.ts";
import { callHook } from "../support/actors/operator.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";

export type DisabledKind = "public" | "confidential" | "document";

/** @throws {NotApplicableError} when the operator can disable no client that has a URL for its id */
export async function disable(target: Target, kind: DisabledKind, { client_id }: Client): Promise<void> {
  try {
    await callHook(target, "disable_client", { client_id });
  } catch (error) {
    if (kind !== "document" || !(error instanceof InconclusiveError)) throw error;
    throw new NotApplicableError(`no client with a URL for its id was disabled: ${error.message}`);
  }
}

/** Gives the target as long as a revocation may take to learn of it. @returns the last attempt */
export function pollUntilRefused(target: Target, client: Client): Promise<Attempt> {
  return pollUntil(
    target,
    () => attempt(target, authorizationRequest(target, client)),
    ({ end }) => codeIn(end) === undefined,
  );
}
