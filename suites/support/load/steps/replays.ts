import { isSuccess } from "../../wire/exchange.ts";
import { expectPowRefused, expectThat, isRefusalStatus } from "../../judging/expect.ts";
import type { Outgoing } from "../../wire/http.ts";
import type { LoadStep } from "../load-step.ts";
import { InconclusiveError } from "../../verdict.ts";
import { makeLogins } from "./solved-logins.ts";

const copies = 4;

/** The same correct login four times at the same moment: one session at most, and one at least unless it was shed. */
export const replayAtOnce: LoadStep = {
  name: "replay-at-once",
  // One for all copies: whoever loses is told so without.
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
          isPlanned: (status) => isRefusalStatus(status) || (status >= 200 && status < 300),
          judgesAll: true,
          judge(exchanges) {
            const sessions = exchanges.filter(isSuccess).length;
            expectThat(
              sessions <= 1 && (sessions === 1 || exchanges.length < copies),
              `one session of ${copies} identical logins at the same moment`,
              `${sessions} of ${exchanges.length} that were answered`,
            );
            for (const exchange of exchanges) if (!isSuccess(exchange)) expectPowRefused(exchange);
          },
        };
      },
    };
  },
};

/** A login whose challenge has been used already. */
export const replayLater: LoadStep = {
  name: "replay-later",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, demand) {
    const logins = await makeLogins(target, spentLogins, demand);
    const spent: Outgoing[] = [];
    for (let login = logins.take(); login !== undefined; login = logins.take()) {
      const exchange = await target.send(login);
      if (!isSuccess(exchange))
        throw new InconclusiveError("control-refused", "a correct login was refused before the load began");
      spent.push(login);
    }
    let turn = 0;
    return {
      next() {
        const login = spent[turn++ % spent.length];
        if (login === undefined) return undefined;
        return {
          requests: [login],
          isPlanned: isRefusalStatus,
          judge([exchange]) {
            if (exchange !== undefined) expectPowRefused(exchange);
          },
        };
      },
    };
  },
};

const spentLogins = 8;
