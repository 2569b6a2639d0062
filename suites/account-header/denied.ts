import { expectOAuthError } from "../support/judging/expect.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { expectRefusedWith } from "./selection.ts";

/** 403 with `access_denied`. */
export function expectDenied(exchange: Exchange): void {
  expectRefusedWith(exchange, [403]);
  expectOAuthError(exchange, ["access_denied"]);
}

// Where this one is answered otherwise, no inbox that is not owned is refused as it should be.
export const foreignDenied = "HDR-11/mailbox-query";
// Where this one is refused otherwise, so is every accountId that nobody has.
export const unknownDenied = "HDR-12/near-miss";
