import { expectAccessTokenAccepted, type TokenUse } from "../support/judging/access-token-use.ts";
import { expectStatus } from "../support/judging/expect.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** What became of the tokens of a grant that a revocation was not about. */
export interface Survivors {
  readonly use: TokenUse;
  readonly refresh: Exchange;
}

export function expectTokensUsable({ use, refresh }: Survivors): void {
  expectAccessTokenAccepted(use);
  expectStatus(refresh, 200);
}
