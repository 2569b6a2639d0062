import type { Tokens } from "../support/actors/oauth-client.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import { expectSendRefused, readOnlyTrial, type SendAttempt, trySendingAlone } from "./send-attempts.ts";
import { sendCall } from "./submissions.ts";

/** What a token request gave that may grant `mail.read` alone. */
export interface Refreshed {
  readonly response: Exchange;
  /** With the new access token, where one was issued. */
  readonly send: SendAttempt | undefined;
}

/** The response, and what its access token can do whatever the response says. */
export async function triedAfter(target: Target, response: Exchange): Promise<Refreshed> {
  const { access_token: token, scope } = jsonMembers(response);
  if (typeof token !== "string") return { response, send: undefined };
  try {
    return { response, send: await trySendingWith(target, { access_token: token }) };
  } catch (error) {
    // Where nothing can be sent, a response that grants more is still a violation.
    if (!(error instanceof InconclusiveError) || scope === "mail.read") throw error;
    return { response, send: undefined };
  }
}

/** @param maySend - the token grants sending after all */
export async function trySendingWith(
  target: Target,
  { access_token: token }: Pick<Tokens, "access_token">,
  maySend = false,
): Promise<SendAttempt> {
  const trial = await readOnlyTrial(target);
  return trySendingAlone(target, { ...trial, token, maySend }, sendCall(trial.message));
}

export function expectReadOnlyScope(exchange: Exchange): void {
  const { scope } = jsonMembers(exchange);
  expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange);
}

export function expectReadOnlyAgain({ response, send }: Refreshed): void {
  expectReadOnlyScope(response);
  if (send !== undefined) expectSendRefused(send);
}
