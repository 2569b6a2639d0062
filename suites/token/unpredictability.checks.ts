import { claimsOf } from "../support/actors/agent.ts";
import { responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { type Exchange, header, jsonMembers } from "../support/wire/exchange.ts";
import { codeResponse, refreshResponse } from "./issued.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, warning } from "../support/verdict.ts";
import { guessableBits } from "./guessable-bits.ts";

const fewestSamples = 4;
const requiredBits = 128;

/** The values that the run has seen so far, each once. */
async function seen(target: Target, valuesIn: (exchange: Exchange) => string[]): Promise<string[]> {
  await codeResponse(target);
  await refreshResponse(target);
  const values = [...new Set(target.runExchanges.flatMap(valuesIn))];
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

/** Of redirects to the client alone: the target's own sign-in with an identity provider has codes too. */
function codesFor(redirectUris: readonly string[]): (exchange: Exchange) => string[] {
  return (exchange) => {
    const location = header(exchange, "location") ?? "";
    const code = responseParameter(location, "code");
    return code !== undefined && redirectUris.some((uri) => location.startsWith(uri)) ? [code] : [];
  };
}

const kinds = [
  {
    slug: "codes",
    words: "Authorization codes",
    valuesIn: async (target: Target) => codesFor((await sharedClient(target, "public")).redirect_uris),
  },
  { slug: "refresh-tokens", words: "Refresh tokens", valuesIn: async () => memberIn("refresh_token") },
];

const unguessable = kinds.map(({ slug, words, valuesIn }) =>
  check({
    id: `B-TOK-15/${slug}`,
    claim: `${words} of the run look like ${requiredBits} random bits or more.`,
    needs: ["human"],
    last: true,
    act: async (target) => seen(target, await valuesIn(target)),
    assert(values): Finding | undefined {
      const bits = Math.floor(guessableBits(values));
      return bits >= requiredBits
        ? undefined
        : warning(`${values.length} samples have room for ${bits} random bits at most`);
    },
  }),
);

const uniqueIds = check({
  id: "B-AT-02",
  claim: "No two access tokens of the run share a jti.",
  needs: ["human"],
  last: true,
  act: async (target) =>
    (await seen(target, memberIn("access_token"))).map((token) => claimsOf(token)?.["jti"]),
  assert(ids): Finding | undefined {
    if (ids.includes(undefined)) return warning("an access token has no jti");
    const shared = ids.length - new Set(ids).size;
    return shared === 0 ? undefined : warning(`${shared} of ${ids.length} access tokens share a jti`);
  },
});

export const unpredictabilityChecks = [...unguessable, uniqueIds];
