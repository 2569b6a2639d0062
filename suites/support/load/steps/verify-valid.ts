import type { LoadStep } from "../load-step.ts";
import { expectSession, makeLogins } from "./solved-logins.ts";

/** `POST {auth_url}/api/v1/session` with a valid proof of work: a full verification that opens a session. */
export const verifyValid: LoadStep = {
  name: "verify-valid",
  scryptsPerRequest: 1,
  proofsPerRequest: 1,
  at: "auth",
  async supply(target, demand) {
    const logins = await makeLogins(target, demand.requests, demand);
    return {
      next() {
        const login = logins.take();
        if (login === undefined) return undefined;
        return {
          requests: [login],
          isExpectedStatus: (status) => status >= 200 && status < 300,
          judgesAll: true,
          judge([exchange]) {
            if (exchange !== undefined) expectSession(exchange);
          },
        };
      },
    };
  },
};
