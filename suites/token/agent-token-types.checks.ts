import { decodeProtectedHeader } from "jose";
import {
  bearerIn,
  claimsOf,
  logIn,
  postCapability,
  postChallenge,
  requireBearer,
} from "../support/actors/agent.ts";
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

/** What tells JWTs of one issuer apart for sure, by its name. RFC 8725 §3.12. */
interface Marks {
  readonly values: Readonly<Record<string, string>>;
  readonly claims: readonly string[];
}

/** Undefined for what is not a JWT that can be read. */
function marksOf(exchange: Exchange): Marks | undefined {
  const claims = claimsOf(bearerIn(exchange) ?? "");
  if (claims === undefined) return undefined;
  const [typ, kid, alg] = (["typ", "kid", "alg"] as const).map((name) => headerOf(exchange, name));
  const [iss, aud] = [shown(claims["iss"]), shown(claims["aud"])];
  const values = { ...wordsIn(claims), iss, aud, typ, kid, alg } as Record<string, string>;
  return { values, claims: Object.keys(claims) };
}

/** Claims such as `use: "session"`, which name a kind: nothing that is random is a word in lower case. */
function wordsIn({ sub: _sub, ...claims }: Readonly<Record<string, unknown>>): Record<string, string> {
  const words = Object.entries(claims).filter(
    (claim): claim is [string, string] =>
      typeof claim[1] === "string" && /^[a-z][a-z+._:/-]*$/u.test(claim[1]),
  );
  return Object.fromEntries(words);
}

// What cannot be read as a JWT is taken for none of the others.
function areExclusive(one: Marks | undefined, other: Marks | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  const differs = Object.entries(one.values).some(([name, value]) => other.values[name] !== value);
  return differs || one.claims.toSorted().join() !== other.claims.toSorted().join();
}

const typedApart = recommend({
  id: "B-AT-09",
  claim:
    "Any two of challenge, session and capability differ in `typ`, `kid`, `alg`, `iss`, `aud` or a word in another claim, or in a claim that one of them alone has.",
  act: agentTokens,
  assert(tokens) {
    const kinds = Object.entries(tokens).map(([name, exchange]) => ({ name, marks: marksOf(exchange) }));
    for (const [at, one] of kinds.entries())
      for (const other of kinds.slice(at + 1))
        expectThat(
          areExclusive(one.marks, other.marks),
          "another typ, kid, alg, iss, aud or claim for each kind",
          `the same for ${one.name} and ${other.name}`,
        );
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
