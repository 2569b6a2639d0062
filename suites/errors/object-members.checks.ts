import { openSession, solvedChallenge } from "../support/actors/agent.ts";
import { jmapAs, jmapBody } from "../support/actors/jmap.ts";
import {
  authorizationRequest,
  authorizationUrl,
  codeExchange,
  postRevoke,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

// What every object of JavaScript has, and Python's have in part: a table that is a plain object finds them.
const names = ["constructor", "__proto__", "toString"];

interface Place {
  readonly slug: string;
  /** Reads after "None of these names as". */
  readonly words: string;
  readonly needs?: readonly Need[];
  readonly send: (target: Target, name: string) => Promise<Exchange>;
}

async function authorizeWith(target: Target, parameter: string, name: string): Promise<Exchange> {
  const { parameters } = authorizationRequest(target, await authorizingClient(target));
  return target.send({
    method: "GET",
    url: authorizationUrl(target, replacing(parameters, parameter, name)),
  });
}

const places: readonly Place[] = [
  {
    slug: "grant-type",
    words: "the `grant_type` of a code exchange",
    needs: ["human"],
    send: async (target, name) =>
      postToken(target, replacing(codeExchange(await redeemableCode(target)), "grant_type", name)),
  },
  {
    slug: "client-id",
    words: "the `client_id` of an authorization request",
    send: (target, name) => authorizeWith(target, "client_id", name),
  },
  {
    slug: "scope",
    words: "the `scope` of an authorization request",
    send: (target, name) => authorizeWith(target, "scope", name),
  },
  {
    slug: "code",
    words: "the `code` of a code exchange",
    needs: ["human"],
    send: async (target, name) =>
      postToken(target, replacing(codeExchange(await redeemableCode(target)), "code", name)),
  },
  {
    slug: "refresh-token",
    words: "the `refresh_token` of a refresh",
    needs: ["human"],
    send: async (target, name) =>
      postToken(target, refreshExchange((await refreshableGrant(target)).client, name)),
  },
  {
    slug: "revoked-token",
    words: "the `token` of a revocation",
    send: async (target, name) => {
      const { client_id: clientId } = await authorizingClient(target);
      return postRevoke(target, [
        ["client_id", clientId],
        ["token", name],
      ]);
    },
  },
  {
    slug: "api-key",
    words: "the `apiKey` of a login",
    send: async (target, name) => {
      await provenAgent(target);
      const { challenge, proof } = await solvedChallenge(target.setup);
      return openSession(target, challenge.jwt, { ...proof, apiKey: name });
    },
  },
  {
    slug: "message-id",
    words: "the id of a message",
    needs: ["human"],
    send: async (target, name) =>
      jmapAs(
        target,
        await sharedAccessToken(target),
        await inboxOf(target),
        jmapBody([["Email/get", { ids: [name] }, "0"]]),
      ),
  },
  {
    slug: "method",
    words: "the method of a JMAP call",
    needs: ["human"],
    send: async (target, name) =>
      jmapAs(target, await sharedAccessToken(target), await inboxOf(target), jmapBody([[name, {}, "0"]])),
  },
];

/** A name that nobody chose is a client's mistake, not the service's. Document, "Errors". */
export const objectMemberChecks = places.map(({ slug, words, needs = [], send }) =>
  check({
    id: `ERR-11/object-member-${slug}`,
    claim: `None of \`${names.join("`, `")}\` as ${words} is answered with 5xx.`,
    needs,
    async act(target) {
      const answers: Exchange[] = [];
      for (const name of names) answers.push(await send(target, name));
      return answers;
    },
    assert(answers) {
      for (const exchange of answers)
        expectThat(exchange.response.status < 500, "an answer below 500", summary(exchange), exchange);
    },
  }),
);
