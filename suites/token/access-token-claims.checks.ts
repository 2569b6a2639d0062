import { decodeProtectedHeader } from "jose";
import { claimsOf, requestChallenge } from "../support/actors/agent.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import { expectEqual, expectThat, shown } from "../support/judging/expect.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { claimsIn, issuances } from "./issued.ts";

const claimTypes: Readonly<Record<string, readonly string[]>> = {
  iss: ["string"],
  exp: ["number"],
  aud: ["string", "object"],
  sub: ["string"],
  client_id: ["string"],
  iat: ["number"],
  jti: ["string"],
};

const complete = issuances.map(({ slug, words, obtain }) =>
  check({
    id: `B-AT-01/${slug}`,
    claim: `The access token of the response ${words} has all the claims that RFC 9068 requires.`,
    needs: ["human"],
    act: obtain,
    assert: (exchange): Finding | undefined =>
      advise(() => {
        const claims = claimsIn(exchange);
        const wrong = Object.entries(claimTypes)
          .filter(([name, types]) => !types.includes(typeof claims[name]))
          .map(([name]) => name);
        expectThat(
          wrong.length === 0,
          "every claim of RFC 9068 §2.2",
          `${wrong.join(", ")} missing or of another type`,
        );
      }),
  }),
);

const ofClient = (["public", "confidential"] as const).map((kind) =>
  check({
    id: `B-AT-03/${kind}`,
    claim: `The claim client_id of a ${kind} client's access token is the client's id.`,
    needs: ["human"],
    act: async (target) => ({
      claimed: await claimOf(target, "client_id", { client: kind }),
      client: await sharedClient(target, kind),
    }),
    assert: ({ claimed, client }): Finding | undefined =>
      advise(() => expectEqual(claimed, client.client_id, "client_id")),
  }),
);

const scoped = issuances.map(({ slug, words, obtain }) =>
  check({
    id: `B-AT-04/${slug}`,
    claim: `The claim scope of the access token of the response ${words} equals the scope of the response.`,
    needs: ["human"],
    act: obtain,
    assert: (exchange): Finding | undefined =>
      advise(() => {
        const sorted = (scope: unknown): string => shown(String(scope).split(" ").toSorted());
        expectEqual(sorted(claimsIn(exchange)["scope"]), sorted(jsonMembers(exchange)["scope"]), "scope");
      }),
  }),
);

async function claimOf(target: Target, name: string, spec: GrantSpec): Promise<unknown> {
  return claimsOf(await sharedAccessToken(target, spec))?.[name];
}

const samePerson = check({
  id: "B-AT-05/same-person",
  claim: "sub is the same for one person through two clients, and no mail address.",
  needs: ["human"],
  act: async (target) => [
    await claimOf(target, "sub", {}),
    await claimOf(target, "sub", { client: "confidential" }),
  ],
  assert([one, two]): Finding | undefined {
    if (typeof one === "string" && one.includes("@")) return warning("sub looks like a mail address");
    return advise(() => expectEqual(two, one, "sub"));
  },
});

const otherPerson = check({
  id: "B-AT-05/other-person",
  claim: "sub differs between two people.",
  needs: ["human", "second-human"],
  act: async (target) => [
    await claimOf(target, "sub", {}),
    await claimOf(target, "sub", { human: "second" }),
  ],
  assert: ([one, two]): Finding | undefined =>
    advise(() => expectThat(one !== two, "another sub for another person", "the same")),
});

const dated = issuances.map(({ slug, words, obtain }) =>
  check({
    id: `B-AT-06/${slug}`,
    claim: `exp, iat and nbf of the access token of the response ${words} are seconds, and exp is to come.`,
    needs: ["human"],
    act: obtain,
    assert: (exchange): Finding | undefined =>
      advise(() => {
        const { exp, iat, nbf } = claimsIn(exchange);
        const now = Date.parse(exchange.startedAt) / 1000;
        const aDay = 86_400;
        // A day apart tells milliseconds from seconds, whatever the clocks.
        for (const [name, value] of Object.entries({ exp, iat, nbf })) {
          if (value === undefined) continue;
          const isSeconds = typeof value === "number" && Math.abs(value - now) < aDay;
          expectThat(isSeconds, `${name} in seconds since the epoch`, shown(value));
        }
      }),
  }),
);

const distinctAudiences = check({
  id: "B-AT-08",
  claim: "Access tokens for JMAP and for the MCP server have different audiences.",
  needs: ["human"],
  act: async (target) => [
    await claimOf(target, "aud", { resource: jmapResource(target) }),
    await claimOf(target, "aud", { resource: mcpResource(target) }),
  ],
  assert: ([jmap, mcp]): Finding | undefined =>
    advise(() => expectThat(shown(jmap) !== shown(mcp), "two audiences", shown(jmap))),
});

/** The tokens of the proof-of-work path by name. */
async function agentTokens(target: Target): Promise<Record<string, string>> {
  return {
    challenge: (await requestChallenge(target)).jwt,
    session: await sharedSession(target),
    capability: await freshCapability(target),
  };
}

function headerOf(jwt: string, name: "typ" | "alg"): string {
  try {
    return shown(decodeProtectedHeader(jwt)[name]);
  } catch {
    // Not a JWT: the checks of the proof-of-work path say so.
    return "none";
  }
}

const typedApart = check({
  id: "B-AT-09",
  claim: "Challenge, session and capability are JWTs of three types.",
  act: async (target) => Object.values(await agentTokens(target)).map((jwt) => headerOf(jwt, "typ")),
  assert: (types): Finding | undefined =>
    new Set(types).size === types.length ? undefined : warning(`their types are ${types.join(", ")}`),
});

const algorithms = check({
  id: "B-AT-10",
  claim: "Which algorithms sign challenge, session and capability.",
  act: agentTokens,
  assert: (tokens) =>
    observation(
      Object.entries(tokens)
        .map(([name, jwt]) => `${name} ${headerOf(jwt, "alg")}`)
        .join(", "),
    ),
});

export const accessTokenClaimChecks = [
  ...complete,
  ...ofClient,
  ...scoped,
  samePerson,
  otherPerson,
  ...dated,
  distinctAudiences,
  typedApart,
  algorithms,
];
