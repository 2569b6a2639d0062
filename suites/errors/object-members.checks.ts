import { jmapAs, jmapBody } from "../support/actors/jmap.ts";
import { postRevoke } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectNoServerError } from "../support/judging/expect.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { authorizeWith, exchangeWith, refreshWith, sessionWith } from "./requests-with.ts";

// What every object of JavaScript has, and Python's have in part: a table that is a plain object finds them.
const names = ["constructor", "__proto__", "toString"];

interface Place {
  readonly slug: string;
  /** Reads after "None of these names as". */
  readonly words: string;
  readonly needs?: readonly Need[];
  readonly send: (target: Target, name: string) => Promise<Exchange>;
}

const places: readonly Place[] = [
  {
    slug: "grant-type",
    words: "the `grant_type` of a code exchange",
    needs: ["human"],
    send: (target, name) => exchangeWith(target, "grant_type", name),
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
    send: (target, name) => exchangeWith(target, "code", name),
  },
  {
    slug: "refresh-token",
    words: "the `refresh_token` of a refresh",
    needs: ["human"],
    send: refreshWith,
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
    send: (target, name) => sessionWith(target, { apiKey: name }),
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
      for (const exchange of answers) expectNoServerError(exchange);
    },
  }),
);
