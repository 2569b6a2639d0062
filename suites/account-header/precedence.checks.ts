import { mcpResource } from "../support/actors/oauth-client.ts";
import { type Check, check, observe } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectNotServed } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
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
import { servedSelection } from "./selection.ts";

const malformed = () => Promise.resolve("not-a-uuid");
// No message has that id: were the send allowed, nothing would leave.
const sending = jmapBody([["EmailSubmission/set", { create: { s1: { emailId: "mailproof-none" } } }, "0"]]);

/** Two faults at once; everything else is valid. */
interface TwoFaults {
  readonly slug: string;
  /** The check that it is not served, under the requirement that forbids it. */
  readonly rule: string;
  /** The check that fails too where one of the faults alone is served. */
  readonly explainedBy: string;
  /** Reads after "a request". */
  readonly words: string;
  readonly needs: readonly "second-human"[];
  readonly token: (target: Target) => Promise<string | undefined>;
  readonly value: (target: Target) => Promise<string>;
  readonly body: string;
}

const combinations: readonly TwoFaults[] = [
  {
    slug: "no-token",
    rule: "BEARER-02/jmap-malformed-header",
    explainedBy: "HDR-04/letter",
    words: "with a malformed account header and no token",
    needs: [],
    token: () => Promise.resolve(undefined),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "bad-token",
    rule: "BEARER-03/jmap-malformed-header",
    explainedBy: "HDR-04/letter",
    words: "with a malformed account header and the token `x`",
    needs: [],
    token: () => Promise.resolve("x"),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "other-audience",
    rule: "BEARER-09/jmap-malformed-header",
    explainedBy: "HDR-04/letter",
    words: "with a malformed account header and a token for MCP",
    needs: [],
    token: (target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    value: malformed,
    body: inboxQuery,
  },
  {
    slug: "foreign-send",
    rule: "HDR-11/send-read-only",
    explainedBy: "HDR-11/mailbox-query",
    words: "to send from another person's inbox with a read-only token",
    needs: ["second-human"],
    token: (target) => sharedAccessToken(target, { scope: "mail.read" }),
    value: (target) => foreignInbox(target),
    body: sending,
  },
];

async function withTwoFaults(target: Target, { token, value, body }: TwoFaults): Promise<Exchange> {
  await servedSelection(target);
  const credential = await token(target);
  const lines = credential === undefined ? [] : [bearer(credential)];
  return postJmap(target, {
    headers: [...lines, accountHeader(target, await value(target)), jsonContentType],
    body,
  });
}

export const precedenceChecks = combinations.flatMap((row): Check[] => [
  observe({
    id: `HDR-25/${row.slug}`,
    question: `How is a request ${row.words} answered?`,
    needs: ["human", ...row.needs],
    act: (target) => withTwoFaults(target, row),
    answer: summary,
  }),
  check({
    id: row.rule,
    claim: `A request ${row.words} is not served.`,
    needs: ["human", ...row.needs],
    act: (target) => withTwoFaults(target, row),
    assert: (exchange) => explained(row.explainedBy, () => expectNotServed(exchange)),
  }),
]);
