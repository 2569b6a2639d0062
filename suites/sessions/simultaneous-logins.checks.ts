import { postCapability, requireBearer, sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { challengesAreIndependent } from "../support/material/challenges.ts";
import { signUp } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";

const rounds = 4;

interface NewAgent {
  readonly apiKey: string;
  readonly accountId: string;
}

/** Of this check alone: a login may end the sessions of its agent that others use (C-92). */
async function newAgent(target: Target): Promise<NewAgent> {
  const { exchange } = await signUp(target.setup);
  const { apiKey } = jsonMembers(exchange);
  if (!isSuccess(exchange) || typeof apiKey !== "string")
    throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
  return { apiKey, accountId: await accountOf(target, exchange) };
}

/** A login of an agent, with a challenge of its own. */
async function login(target: Target, { apiKey }: NewAgent): Promise<Outgoing> {
  const { challenge, proof } = await solvedChallenge(target.setup);
  return sessionRequest(target, challenge.jwt, { ...proof, apiKey });
}

/** The account that a session opens. */
async function accountOf(target: Target, opened: Exchange): Promise<string> {
  const session = requireBearer(opened, "opening a session", "POW-11");
  const minted = await postCapability(target.setup, session);
  return (await mailSession(target.setup, requireBearer(minted, "minting a capability", "POW-48"))).accountId;
}

const simultaneousLogins = check({
  id: "POW-64/simultaneous-logins",
  claim: "Sessions that two agents open at the same moment each reach the inbox of their own agent.",
  async act(target) {
    if (!(await challengesAreIndependent(target)))
      throw new NotApplicableError("a newer challenge voids the older ones, so that no two logins can meet");
    const agents = [await newAgent(target), await newAgent(target)];
    if (agents[0]?.accountId === agents[1]?.accountId)
      throw new NotApplicableError("the inboxes of two agents have the same accountId");
    const opened: { exchange: Exchange; isOwn: boolean }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const requests: Outgoing[] = [];
      for (const agent of agents) requests.push(await login(target, agent));
      const answers = await sendInParallel(target, requests);
      const [first] = answers;
      if (first !== undefined && !answers.some((answer) => isSuccess(answer)))
        throw controlRefused("logins at the same moment", "2xx for one at least", first, "POW-11");
      for (const [at, exchange] of answers.entries())
        if (isSuccess(exchange)) {
          const isOwn = (await accountOf(target, exchange)) === agents[at]?.accountId;
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
