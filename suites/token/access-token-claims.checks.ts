import { observe, recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { freshGrant, type GrantSpec, refreshed, sharedGrant } from "../support/material/grants.ts";
import { jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import {
  claimIn,
  claimsIn,
  codeResponse,
  issuances,
  refreshResponse,
  requireMember,
  sortedScopes,
} from "./issued.ts";

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
  recommend({
    id: `B-AT-01/${slug}`,
    claim: `The access token of ${words} has the claims that RFC 9068 requires, each of its type.`,
    needs: ["human"],
    act: obtain,
    assert(exchange) {
      const claims = claimsIn(exchange);
      const wrong = Object.entries(claimTypes)
        .filter(([name, types]) => !types.includes(typeof claims[name]))
        .map(([name]) => name);
      expectThat(
        wrong.length === 0,
        "every claim of RFC 9068 §2.2",
        `${wrong.join(", ")} missing or of another type`,
        exchange,
      );
    },
  }),
);

/** The token response of a shared grant. */
async function responseOf(target: Target, spec: GrantSpec): Promise<Exchange> {
  return (await sharedGrant(target, spec)).response;
}

const ofClient = (["public", "confidential"] as const).map((client) =>
  recommend({
    id: `B-AT-03/${client}`,
    claim: `The \`client_id\` claim of a ${client} client's access token is the client's id.`,
    needs: ["human"],
    async act(target) {
      const grant = await sharedGrant(target, { client });
      return { exchange: grant.response, clientId: grant.client.client_id };
    },
    assert({ exchange, clientId }) {
      const claimed = claimIn(exchange, "client_id");
      expectThat(claimed === clientId, `client_id ${shown(clientId)}`, shown(claimed), exchange);
    },
  }),
);

/** Of a grant that the person has narrowed. */
async function narrowedResponse(target: Target): Promise<Exchange> {
  return target.once("token:narrowed-by-person", async (recording) => {
    const grant = await freshGrant(recording, { decision: "approve read-only" });
    return (await refreshed(recording, grant)).response;
  });
}

const scopedKinds = [
  ...issuances,
  {
    slug: "narrowed-refresh",
    words: "a refresh of a grant that the person narrowed to `mail.read`",
    obtain: narrowedResponse,
  },
];

const scoped = scopedKinds.map(({ slug, words, obtain }) =>
  recommend({
    id: `B-AT-04/${slug}`,
    claim: `The \`scope\` claim of the access token of ${words} equals the \`scope\` of the response.`,
    needs: ["human"],
    act: obtain,
    assert(exchange) {
      const granted = sortedScopes(requireMember(exchange, "scope"));
      const { scope } = claimsIn(exchange);
      const claimed = scope === undefined ? "no scope claim" : sortedScopes(scope);
      expectThat(claimed === granted, `the scopes ${granted}`, claimed, exchange);
    },
  }),
);

const samePerson = recommend({
  id: "B-AT-05/same-person",
  claim: "The `sub` claim stays the same for one person and client, also after a refresh.",
  needs: ["human"],
  act: async (target) => [await codeResponse(target), await refreshResponse(target)],
  assert(exchanges) {
    const subjects = new Set(exchanges.map((exchange) => claimIn(exchange, "sub")));
    expectThat(subjects.size === 1, "one sub", `${subjects.size}`);
  },
});

// A subject identifier may be another one for each client (OpenID Connect Core 1.0 §8.1).
const otherClient = observe({
  id: "B-AT-05/other-client",
  question: "Is the `sub` claim the same for one person through two clients?",
  needs: ["human"],
  act: async (target) => [await responseOf(target, {}), await responseOf(target, { client: "confidential" })],
  answer: (exchanges) =>
    new Set(exchanges.map((exchange) => claimIn(exchange, "sub"))).size === 1 ? "yes" : "no",
});

const otherPerson = recommend({
  id: "B-AT-05/other-person",
  claim: "The `sub` claim differs between two people.",
  needs: ["human", "second-human"],
  act: async (target) => [await responseOf(target, {}), await responseOf(target, { human: "second" })],
  assert(exchanges) {
    const subjects = new Set(exchanges.map((exchange) => claimIn(exchange, "sub")));
    expectThat(subjects.size === exchanges.length, "another sub for another person", "the same");
  },
});

const noAddress = observe({
  id: "B-AT-05/no-mail-address",
  question: "Is the `sub` claim a mail address?",
  needs: ["human"],
  act: (target) => responseOf(target, {}),
  answer: (exchange) => (String(claimIn(exchange, "sub")).includes("@") ? "yes" : "no"),
});

const aDay = 86_400;

const dated = issuances.map(({ slug, words, obtain }) =>
  recommend({
    id: `B-AT-06/${slug}`,
    claim: `\`exp\`, \`iat\` and \`nbf\` of the access token of ${words} are seconds since 1970, with \`exp\` in the future and \`nbf\` no later than \`iat\`.`,
    needs: ["human"],
    act: obtain,
    assert(exchange) {
      const { exp, iat, nbf } = claimsIn(exchange);
      const now = Date.parse(exchange.startedAt) / 1000;
      // A day apart tells milliseconds from seconds, whatever the clocks. That they are there is judged by B-AT-01.
      for (const [name, value] of Object.entries({ exp, iat, nbf })) {
        if (value === undefined) continue;
        const isSeconds = typeof value === "number" && Math.abs(value - now) < aDay;
        expectThat(isSeconds, `${name} in seconds since 1970`, shown(value), exchange);
      }
      if (typeof exp === "number") expectThat(exp > now, "exp in the future", shown(exp), exchange);
      // Both are of one clock. Whoever verifies the token offline may refuse it before nbf (RFC 7519 §4.1.5).
      if (typeof nbf === "number" && typeof iat === "number")
        expectThat(nbf <= iat + 1, `nbf no later than iat, ${iat}`, shown(nbf), exchange);
    },
  }),
);

const distinctAudiences = recommend({
  id: "B-AT-08",
  claim: "Access tokens for JMAP and for the MCP server have different audiences.",
  needs: ["human"],
  act: async (target) => [
    await responseOf(target, { resource: jmapResource(target) }),
    await responseOf(target, { resource: mcpResource(target) }),
  ],
  assert(exchanges) {
    const audiences = new Set(exchanges.map((exchange) => shown([claimIn(exchange, "aud")].flat())));
    expectThat(audiences.size === exchanges.length, "two audiences", [...audiences].join(", "));
  },
});

/** What RFC 9068 asks of the claims; the document shows none of them but `aud`, `iss` and `exp`. */
export const accessTokenClaimChecks = [
  ...complete,
  ...ofClient,
  ...scoped,
  samePerson,
  otherClient,
  otherPerson,
  noAddress,
  ...dated,
  distinctAudiences,
];
