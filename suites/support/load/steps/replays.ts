import { isSuccess } from "../../wire/exchange.ts";
import { expectPowRefused, expectThat, isRefusalStatus } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { LoadStep } from "../load-step.ts";
import { InconclusiveError } from "../../verdict.ts";
import { makeLogins } from "./solved-logins.ts";

const copies = 4;

/** Sends the same valid login four times concurrently: one session at most, and exactly one unless requests were shed. */
export const replayAtOnce: LoadStep = {
  name: "replay-at-once",
  // One evaluation for all copies: duplicates are refused without scrypt.
  scryptsPerRequest: 1 / copies,
  proofsPerRequest: 1,
  at: "auth",
  async supply(target, demand) {
    const logins = await makeLogins(target, demand.requests, demand);
    return {
      next() {
        const login = logins.take();
        if (login === undefined) return undefined;
        return {
          requests: Array.from({ length: copies }, () => login),
          isExpectedStatus: (status) => isRefusalStatus(status) || (status >= 200 && status < 300),
          judgesAll: true,
          judge(exchanges) {
            const sessions = exchanges.filter(isSuccess).length;
            expectThat(
              sessions <= 1 && (sessions === 1 || exchanges.length < copies),
              `one session from ${copies} identical concurrent logins`,
              `${sessions} from ${exchanges.length} responses`,
            );
            for (const exchange of exchanges) if (!isSuccess(exchange)) expectPowRefused(exchange);
          },
        };
      },
    };
  },
};

/** A login with a used challenge. */
export const replayLater: LoadStep = {
  name: "replay-later",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, demand) {
    const logins = await makeLogins(target, usedLogins, demand);
    const used: Outgoing[] = [];
    for (let login = logins.take(); login !== undefined; login = logins.take()) {
      const exchange = await target.send(login);
      if (!isSuccess(exchange))
        throw new InconclusiveError("control-refused", "a valid login was refused during setup");
      used.push(login);
    }
    let turn = 0;
    return {
      next() {
        const login = used[turn++ % used.length];
        if (login === undefined) return undefined;
        return {
          requests: [login],
          isExpectedStatus: isRefusalStatus,
          judge([exchange]) {
            if (exchange !== undefined) expectPowRefused(exchange);
          },
        };
      },
    };
  },
};

const usedLogins = 8;
