import { expectEqual } from "../../judging/expect.ts";
import { jsonMembers } from "../../wire/exchange.ts";
import type { LoadStep } from "../load-step.ts";

/** `GET {auth_url}/.well-known/oauth-authorization-server`. */
export const metadata: LoadStep = {
  name: "metadata",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target) {
    const request = { method: "GET", url: `${target.authUrl}/.well-known/oauth-authorization-server` };
    return {
      next: () => ({
        requests: [request],
        isExpectedStatus: (status) => status === 200,
        judge([exchange]) {
          if (exchange !== undefined)
            expectEqual(jsonMembers(exchange)["issuer"], target.authUrl, "the issuer in the metadata");
        },
      }),
    };
  },
};
