import { type AuthorizationCode, codeExchange, tokenRequest } from "../../actors/oauth-client.ts";
import { expectTokenRefused, isRefusalStatus } from "../../judging/expect.ts";
import type { LoadStep } from "../load-step.ts";
import { copiesInTurn, expectOneWinner } from "./refresh-race.ts";
import { separateCode } from "./separate-grants.ts";

/**
 * A fresh authorization code redeemed over two to four connections at the same moment: tokens once at most. Codes are
 * short-lived: make it the last stream of the first phase, and the phase short.
 */
export const codeRace: LoadStep = {
  name: "code-race",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, { requests }) {
    const codes: AuthorizationCode[] = [];
    while (codes.length < requests) codes.push(await separateCode(target));
    let turn = 0;
    return {
      next() {
        const code = codes.shift();
        if (code === undefined) return undefined;
        const request = tokenRequest(target, codeExchange(code));
        return {
          requests: Array.from({ length: copiesInTurn(turn++) }, () => request),
          isPlanned: (status) => status === 200 || isRefusalStatus(status),
          judgesAll: true,
          judge: (exchanges) =>
            expectOneWinner(exchanges, (lost) => expectTokenRefused(lost, ["invalid_grant"])),
        };
      },
    };
  },
};
