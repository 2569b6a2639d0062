import { openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { expiryWaitSeconds, leewaySeconds, waitForExpiry } from "./challenge-life.ts";
import { correctLogin, expectRefused } from "./session-requests.ts";

/**
 * A login that was solved in time and is sent when its challenge has expired.
 *
 * @throws {BlockedError} when nothing says when the challenge expires, or it lives too long
 */
export function expiredLogin(target: Target): Promise<Exchange> {
  return target.once("pow:expired", async (recording) => {
    const { challenge, proof, apiKey } = await correctLogin(recording);
    await waitForExpiry(recording, challenge);
    return openSession(recording, challenge.jwt, { ...proof, apiKey });
  });
}

const expired = check({
  id: "POW-40",
  claim: `A correct login is refused ${leewaySeconds} seconds after its challenge has expired.`,
  waitSeconds: expiryWaitSeconds,
  act: expiredLogin,
  assert: expectRefused,
});

export const expiryChecks = [expired];
