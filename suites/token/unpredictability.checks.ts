import { claimsOf } from "../support/actors/agent.ts";
import { recommend } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { type Exchange, formParameters, jsonMembers } from "../support/wire/exchange.ts";
import { codeResponse, refreshResponse } from "./issued.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { guessableBits } from "./guessable-bits.ts";

const fewestSamples = 4;
const requiredBits = 128;

/** The values that the run has seen so far, each once. */
async function seen(target: Target, valuesIn: (exchange: Exchange) => string[]): Promise<string[]> {
  await codeResponse(target);
  await refreshResponse(target);
  const values = [...new Set(target.runExchanges().flatMap(valuesIn))];
  if (values.length >= fewestSamples) return values;
  throw new InconclusiveError(
    "precondition-missing",
    `needs ${fewestSamples} samples to judge; the run has seen ${values.length}`,
  );
}

function memberIn(name: string): (exchange: Exchange) => string[] {
  return (exchange) => {
    const value = isTokenResponse(exchange) ? jsonMembers(exchange)[name] : undefined;
    return typeof value === "string" ? [value] : [];
  };
}

function isTokenResponse({ request, response }: Exchange): boolean {
  return response.status === 200 && request.url.includes("/oauth/token");
}

/** Those that were exchanged for tokens: whatever way the browser came back with them. */
function codesIn(exchange: Exchange): string[] {
  if (!isTokenResponse(exchange)) return [];
  return formParameters(exchange.request.body).flatMap(([name, value]) => (name === "code" ? [value] : []));
}

const kinds = [
  { slug: "codes", words: "Authorization codes", valuesIn: codesIn },
  { slug: "refresh-tokens", words: "Refresh tokens", valuesIn: memberIn("refresh_token") },
];

const unguessable = kinds.map(({ slug, words, valuesIn }) =>
  recommend({
    id: `B-TOK-15/${slug}`,
    claim: `${words} of the run are long and varied enough for at least ${requiredBits} random bits.`,
    needs: ["human"],
    last: true,
    act: (target) => seen(target, valuesIn),
    assert(values) {
      const bits = Math.floor(guessableBits(values));
      expectThat(
        bits >= requiredBits,
        `enough characters for ${requiredBits} random bits`,
        `${values.length} samples with at most ${bits} possible random bits`,
      );
    },
  }),
);

const uniqueIds = recommend({
  id: "B-AT-02",
  claim: "No two access tokens of the run have the same `jti`.",
  needs: ["human"],
  last: true,
  async act(target) {
    const tokens = await seen(target, memberIn("access_token"));
    return tokens.map((token) => claimsOf(token)?.["jti"]).filter((id) => id !== undefined);
  },
  assert(ids) {
    if (ids.length === 0) throw new NotApplicableError("access tokens show no jti, which B-AT-01 judges");
    const repeated = ids.length - new Set(ids).size;
    expectThat(repeated === 0, "a jti for each access token", `${repeated} of ${ids.length} repeated`);
  },
});

export const unpredictabilityChecks = [...unguessable, uniqueIds];
