import { bearerIn, challengeRequest, claimsOf } from "../../actors/agent.ts";
import { summary } from "../../wire/exchange.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep } from "../load-step.ts";

/** `POST {auth_url}/api/v1/challenge`: each response has a unique challenge JWT. */
export const challenge: LoadStep = {
  name: "challenge",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target) {
    const request = challengeRequest(target);
    const seen = new Set<string>();
    return {
      next: () => ({
        requests: [request],
        isExpectedStatus: (status) => status >= 200 && status < 300,
        judge([exchange]) {
          if (exchange === undefined) return;
          const jwt = bearerIn(exchange);
          const jti = jwt === undefined ? undefined : claimsOf(jwt)?.["jti"];
          if (typeof jti !== "string")
            throw new Violation("2xx with a challenge JWT that has a jti", summary(exchange));
          if (seen.has(jti)) throw new Violation("a unique jti in every challenge", "a repeated one");
          seen.add(jti);
        },
      }),
    };
  },
};
