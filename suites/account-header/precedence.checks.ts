import { mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectNotServed } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapBody,
  jsonContentType,
  postJmap,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { observation } from "../support/verdict.ts";
import { servedSelection } from "./selection.ts";

const malformed = () => Promise.resolve("not-a-uuid");
// Nothing is created under that id: were it served, nothing would leave.
const sending = jmapBody([["EmailSubmission/set", { create: { s1: { emailId: "mailproof-none" } } }, "0"]]);

/** Two faults at once; everything else is valid. */
interface TwoFaults {
  readonly slug: string;
  readonly words: string;
  readonly needs: readonly "second-human"[];
  readonly token: (target: Target) => Promise<string | undefined>;
  readonly value: (target: Target) => Promise<string>;
  readonly body: string;
}

const combinations: readonly TwoFaults[] = [
  {
    slug: "no-token",
    words: "a malformed header and no token",
    needs: [],
    token: () => Promise.resolve(undefined),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "bad-token",
    words: "a malformed header and a token that is none",
    needs: [],
    token: () => Promise.resolve("x"),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "other-audience",
    words: "a malformed header and a token for MCP",
    needs: [],
    token: (target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "foreign-send",
    words: "another person's inbox and a send with a read-only token",
    needs: ["second-human"],
    token: (target) => sharedAccessToken(target, { scope: "mail.read" }),
    value: (target) => foreignInbox(target),
    body: sending,
  },
];

export const precedenceChecks = combinations.map(({ slug, words, needs, token, value, body }) =>
  check({
    id: `HDR-25/${slug}`,
    claim: `Which refusal comes first for ${words}; it is not served.`,
    needs: ["human", ...needs],
    async act(target) {
      await servedSelection(target);
      const credential = await token(target);
      const lines = credential === undefined ? [] : [bearer(credential)];
      return postJmap(target, {
        headers: [...lines, accountHeader(target, await value(target)), jsonContentType],
        body,
      });
    },
    assert(exchange) {
      expectNotServed(exchange);
      return observation(summary(exchange));
    },
  }),
);
