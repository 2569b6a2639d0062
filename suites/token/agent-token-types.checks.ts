import { decodeProtectedHeader } from "jose";
import { bearerIn, logIn, postCapability, postChallenge, requireBearer } from "../support/actors/agent.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** The responses that carry the tokens of the proof-of-work path, by the name of the token. */
function agentTokens(target: Target): Promise<Record<string, Exchange>> {
  return target.once("token:agent-tokens", async (recording) => {
    const challenge = await postChallenge(recording);
    requireBearer(challenge, "requesting a challenge", "POW-01");
    const session = await logIn(recording, (await sharedAgent(recording, "lone")).apiKey);
    const sessionJwt = requireBearer(session, "logging in", "POW-11");
    const capability = await postCapability(recording, sessionJwt);
    requireBearer(capability, "minting a capability", "POW-48");
    return { challenge, session, capability };
  });
}

function headerOf(exchange: Exchange, name: "typ" | "kid" | "alg"): string {
  try {
    return shown(decodeProtectedHeader(bearerIn(exchange) ?? "")[name]);
  } catch {
    // Not a JWT: the checks of the proof-of-work path say so.
    return "none";
  }
}

const typedApart = recommend({
  id: "B-AT-09",
  claim: "Challenge, session and capability are JWTs of three types, or of three keys.",
  act: agentTokens,
  assert(tokens) {
    const exchanges = Object.values(tokens);
    const areApart = (name: "typ" | "kid"): boolean =>
      new Set(exchanges.map((exchange) => headerOf(exchange, name))).size === exchanges.length;
    const types = exchanges.map((exchange) => headerOf(exchange, "typ")).join(", ");
    // RFC 8725 §3.12 has different keys beside different types.
    expectThat(areApart("typ") || areApart("kid"), "three values of typ, or of kid", types);
  },
});

const algorithms = observe({
  id: "B-AT-10",
  question: "Which algorithms sign challenge, session and capability?",
  act: agentTokens,
  answer: (tokens) =>
    Object.entries(tokens)
      .map(([name, exchange]) => `${name} ${headerOf(exchange, "alg")}`)
      .join(", "),
});

/** The JWTs of the proof-of-work path, side by side. RFC 8725. */
export const agentTokenTypeChecks = [typedApart, algorithms];
