import { postCapability, requireBearer, sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { challengesStandApart } from "../support/material/challenges.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { agents, ownAccounts } from "./own-accounts.ts";

const loginsOfEach = 2;
const rounds = 2;

/** A login of each agent in turn, with a challenge of its own. */
async function logins(target: Target): Promise<readonly Outgoing[]> {
  const requests: Outgoing[] = [];
  for (let of = 0; of < loginsOfEach; of += 1)
    for (const which of agents) {
      const { apiKey } = await sharedAgent(target, which);
      const { challenge, proof } = await solvedChallenge(target.setup);
      requests.push(sessionRequest(target, challenge.jwt, { ...proof, apiKey }));
    }
  return requests;
}

/** The account that a session opens. */
async function accountOf(target: Target, login: Exchange): Promise<string> {
  const session = requireBearer(login, "logging in", "POW-11");
  const minted = await postCapability(target.setup, session);
  return (await mailSession(target.setup, requireBearer(minted, "minting a capability", "POW-48"))).accountId;
}

const simultaneousLogins = check({
  id: "POW-64/simultaneous-logins",
  claim: "Sessions that two agents open at the same moment each reach the inbox of their own agent.",
  async act(target) {
    if (!(await challengesStandApart(target)))
      throw new NotApplicableError("a newer challenge voids the older ones, so that no two logins can meet");
    const expected = await ownAccounts(target);
    const opened: { exchange: Exchange; isOwn: boolean }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const answers = await sendInParallel(target, await logins(target));
      const [first] = answers;
      if (first !== undefined && !answers.some((answer) => isSuccess(answer)))
        throw controlRefused("logins at the same moment", "2xx for one at least", first, "POW-11");
      for (const [at, exchange] of answers.entries())
        if (isSuccess(exchange)) {
          const isOwn = (await accountOf(target, exchange)) === expected[at % agents.length];
          opened.push({ exchange, isOwn });
        }
    }
    return opened;
  },
  assert(opened) {
    for (const { exchange, isOwn } of opened)
      expectThat(isOwn, "a session for the agent's own inbox", "one for another inbox", exchange);
  },
});

/** Two agents at once. Document, "Authentication", proof-of-work path 3; OAuth 2.0 path 10. */
export const simultaneousLoginChecks = [simultaneousLogins];
