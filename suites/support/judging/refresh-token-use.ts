import { type Client, postToken, refreshExchange } from "../actors/oauth-client.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../wire/exchange.ts";
import { expectNoTokens, isRefusal } from "./expect.ts";
import type { Target } from "../target/target.ts";
import { Violation } from "../verdict.ts";
import { pollUntil, propagatedBy } from "./propagation.ts";

/** Presents a refresh token as the client that it was issued to. */
export function presentRefreshToken(
  target: Target,
  { client }: { readonly client: Client },
  { refresh_token: token }: { readonly refresh_token: string },
): Promise<Exchange> {
  return postToken(target, refreshExchange(client, token));
}

/**
 * Presents the current refresh token of a grant until it is refused or the time for it is over. A refresh that still
 * succeeds rotates the token: then the next attempt presents the new one.
 *
 * @param propagationSeconds - what the profile says when left out
 * @returns the last answer
 */
export async function pollUntilRefreshRefused(
  target: Target,
  holder: { readonly client: Client },
  current: { readonly refresh_token: string },
  propagationSeconds = target.profile.revocation_propagation_seconds,
): Promise<Exchange> {
  let tokens = current;
  return pollUntil(
    target,
    async () => {
      const exchange = await presentRefreshToken(target, holder, tokens);
      const { refresh_token: rotated } = jsonMembers(exchange);
      if (typeof rotated === "string") tokens = { refresh_token: rotated };
      return exchange;
    },
    (exchange) => !isSuccess(exchange),
    propagatedBy(target, propagationSeconds),
  );
}

/**
 * A refresh was refused and gave no tokens. The error code is judged where the document or an RFC names one: REFRESH-17
 * and REFRESH-19.
 *
 * @param explainedBy - what judges by itself why the refresh succeeded
 */
export function expectRefreshRefused(exchange: Exchange, explainedBy?: string): void {
  if (isSuccess(exchange))
    throw new Violation("the refresh to be refused", summary(exchange), { exchange, explainedBy });
  expectNoTokens(exchange);
  if (!isRefusal(exchange))
    throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
}
