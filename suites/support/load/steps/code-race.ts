import { type AuthorizationCode, codeExchange, tokenRequest } from "../../actors/oauth-client.ts";
import { expectTokenRefused, isRefusalStatus } from "../../judging/expect.ts";
import type { LoadStep } from "../load-step.ts";
import { raceSize, expectAtMostOneSuccess } from "./refresh-race.ts";
import { separateCode } from "./separate-grants.ts";

/**
 * Redeems a fresh authorization code concurrently on two to four connections: at most one request gets tokens. Codes expire
 * soon, so this belongs in the last stream of a short first phase.
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
          requests: Array.from({ length: raceSize(turn++) }, () => request),
          isExpectedStatus: (status) => status === 200 || isRefusalStatus(status),
          judgesAll: true,
          judge: (exchanges) =>
            expectAtMostOneSuccess(exchanges, (exchange) => expectTokenRefused(exchange, ["invalid_grant"])),
        };
      },
    };
  },
};
