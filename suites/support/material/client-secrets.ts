import type { Client } from "../actors/oauth-client.ts";
import type { Target } from "../target/target.ts";
import { NotApplicableError } from "../verdict.ts";

/** Whether a secret can be used for so many seconds more. */
export function secretLasts(target: Target, { secretEndsAtSeconds }: Client, seconds: number): boolean {
  return secretEndsAtSeconds === undefined || target.elapsedSeconds() + seconds < secretEndsAtSeconds;
}

/** @throws {NotApplicableError} when the secret of a client ends sooner, as a target may decide (RFC 7591 §3.2.1) */
export function requireLastingSecret(target: Target, client: Client, seconds: number): void {
  if (secretLasts(target, client, seconds)) return;
  throw new NotApplicableError(`the secret of ${client.client_id} ends before ${seconds} s have passed`);
}
