import { provenRoute } from "../../suites/scope/submissions.ts";
import { requestChallenge, requireAffordable, saltOf, solve } from "../../suites/support/actors/agent.ts";
import { sharedAgent, sharedSession } from "../../suites/support/material/agents.ts";
import { expectedTries } from "../../suites/support/pow/geometric-waits.ts";
import type { Target } from "../../suites/support/target/target.ts";
import { BlockedError, InconclusiveError } from "../../suites/support/verdict.ts";
import { estimatedHashesPerSecond } from "../solve/estimated-speed.ts";
import type { Probe } from "./probe.ts";
import { Problem } from "./problem.ts";
import { duration } from "./duration.ts";

const proofOfWork: Probe = {
  title: "proof of work",
  after: ["auth_url"],
  supplies: "proof of work",
  fix: "set pow.salt or pow.salt_claim in the profile",
  async attempt({ target, profile }) {
    const challenge = await requestChallenge(target);
    const hashesPerSecond = estimatedHashesPerSecond(target.solver.stats().workers);
    const bits = challenge.difficultyBits;
    const expected = `${bits} bits take about ${duration(expectedTries(bits) / hashesPerSecond)} on this machine`;
    try {
      requireAffordable(target, challenge);
    } catch (cause) {
      if (!(cause instanceof BlockedError)) throw cause;
      throw new Problem(
        `a challenge asks for more than pow.max_difficulty of the profile, ${profile.pow.max_difficulty} bits: ${expected}`,
        `set pow.max_difficulty to ${bits} in the profile, or lower the target's difficulty`,
        { cause },
      );
    }
    const salt = saltOf(target, challenge);
    const { salt: claimed } = challenge.claims;
    if (typeof claimed === "string" && claimed !== salt)
      throw new Problem(
        "the salt that the profile gives is not the one in the challenge's claim `salt`",
        "remove pow.salt and pow.salt_claim from the profile, or correct them",
      );
    const startedAt = performance.now();
    await solve(target, challenge);
    return `${expected}; solved in ${duration((performance.now() - startedAt) / 1000)}`;
  },
};

const signup: Probe = {
  title: "signup",
  after: ["proof of work"],
  supplies: "signup",
  fix: "give the target's syntax of user names in pow.username of the profile; where the proof itself is refused, pow.salt is not the target's",
  async attempt({ target, profile }) {
    const isGiven = profile.pow.api_key !== undefined;
    const { inbox } = await sharedAgent(target, isGiven ? "second" : "first");
    if (isGiven) await logInAsGiven(target);
    return `an agent signed up${inbox === undefined ? "" : ` as ${inbox}`}${isGiven ? ", and the profile's agent logged in" : ""}`;
  },
};

async function logInAsGiven(target: Target): Promise<void> {
  try {
    await sharedSession(target);
  } catch (cause) {
    if (!(cause instanceof InconclusiveError)) throw cause;
    throw new Problem(cause.message, "is pow.api_key of the profile the key of an agent that exists?", {
      cause,
    });
  }
}

const mail: Probe = {
  title: "mail",
  after: ["first human", "api_url"],
  supplies: "mail",
  fix: "let the first human own two inboxes that send to each other",
  async attempt({ target, profile }) {
    const { deliveryMs, fromAddress, sinkAddress } = await provenRoute(target);
    const route = `from ${fromAddress} to ${sinkAddress}`;
    if (deliveryMs !== undefined) return `${route} in ${duration(deliveryMs / 1000)}`;
    const domain = profile.names.mail_domain;
    const isOfDomain = domain !== undefined && sinkAddress.endsWith(`@${domain}`);
    throw new Problem(
      `a message ${route} was accepted and has not arrived`,
      isOfDomain
        ? "correct names.mail_domain in the profile, or let the target deliver between its inboxes"
        : "let the target deliver between its inboxes",
    );
  },
};

export const agentProbes: readonly Probe[] = [proofOfWork, signup, mail];
