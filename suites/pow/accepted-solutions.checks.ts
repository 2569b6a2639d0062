import { openSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { challengeUnsolvedBy } from "./binding.checks.ts";
import { type CorrectLogin, correctLogin, expectRefused } from "./session-requests.ts";

/** A login that has opened a session. @throws {InconclusiveError} control-refused, when it opens none */
async function acceptedLogin(target: Target): Promise<CorrectLogin> {
  const login = await correctLogin(target);
  const { challenge, proof, apiKey } = login;
  const first = await openSession(target.control, challenge.jwt, { ...proof, apiKey });
  if (isSuccess(first)) return login;
  throw controlRefused("a login with nothing wrong in it", "2xx", first, "POW-07/session");
}

/** What a target has accepted once does not count elsewhere. Document, "Endpoints", session request bodies. */
export const acceptedSolution = check({
  id: "POW-33/accepted-solution",
  claim: "A solution that has opened a session is refused with another challenge as bearer.",
  async act(target) {
    const { proof, apiKey } = await acceptedLogin(target);
    const other = await challengeUnsolvedBy(target, proof.nonce);
    return openSession(target, other.jwt, { ...proof, apiKey });
  },
  assert: (exchange) => expectRefused(exchange, "POW-33/other-challenge"),
});
