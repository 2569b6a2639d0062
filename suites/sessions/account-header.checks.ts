import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { accountHeader, methodResponses } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, warning } from "../support/verdict.ts";
import { askMailbox, type Mailbox, mailboxOf, type Marker, markerOf } from "./mailbox.ts";
import { expectUnseen, humansInbox, otherAgentsInbox, readingCalls, requireSeen } from "./other-inboxes.ts";

interface HeaderEvidence {
  readonly mailbox: Mailbox;
  /** With the agent's own accountId in the calls, and without any. */
  readonly exchanges: readonly Exchange[];
  /** Of the inbox that the header names, when it names one. */
  readonly marker: Marker | undefined;
}

async function askWithHeader(
  target: Target,
  value: string,
  marker: Marker | undefined,
): Promise<HeaderEvidence> {
  const own = await markerOf(target, "first");
  const mailbox = await mailboxOf(target);
  const { accountId } = mailbox;
  requireSeen(await askMailbox(target.control, mailbox, readingCalls(accountId, own.emailId)), own);
  const headers = [accountHeader(target, value)];
  const emailId = marker?.emailId ?? own.emailId;
  return {
    mailbox,
    marker,
    exchanges: [
      await askMailbox(target, mailbox, readingCalls(accountId, emailId), headers),
      await askMailbox(target, mailbox, readingCalls(undefined, emailId), headers),
    ],
  };
}

export const accountHeaderChecks = [
  {
    slug: "human-inbox",
    words: "the UUID of a human's inbox",
    needs: ["human"] as const,
    async ask(target: Target) {
      const { marker } = await humansInbox(target);
      return askWithHeader(target, await inboxOf(target), marker);
    },
  },
  {
    slug: "other-agent",
    words: "the account id of another agent",
    needs: [] as const,
    async ask(target: Target) {
      const { accountId, marker } = await otherAgentsInbox(target);
      return askWithHeader(target, accountId, marker);
    },
  },
  {
    slug: "garbage",
    words: "a text that is no UUID",
    needs: [] as const,
    ask: (target: Target) => askWithHeader(target, "not-a-uuid", undefined),
  },
].map(({ slug, words, needs, ask }) =>
  check({
    id: `POW-67/${slug}`,
    claim: `The account header with ${words} does not change the inbox that a capability reaches.`,
    needs,
    act: ask,
    assert({ mailbox, exchanges, marker }) {
      for (const exchange of exchanges) {
        if (marker !== undefined) expectUnseen(exchange, marker);
        expectOwnAccount(exchange, mailbox.accountId);
      }
      const [own] = exchanges;
      return own !== undefined && methodResponses(own) === undefined
        ? warning(`the header is refused on this path: ${summary(own)}`)
        : undefined;
    },
  }),
);

/** Method responses name no account but the agent's own; a 4xx names none. */
function expectOwnAccount(exchange: Exchange, accountId: string): void {
  const responses = methodResponses(exchange);
  if (responses === undefined) {
    if (!isRefusalStatus(exchange.response.status))
      throw new Violation("method responses or a 4xx", summary(exchange), { exchange });
    return;
  }
  const named = responses.map(([, args]) => (isJsonObject(args) ? args["accountId"] : undefined));
  const other = named.find((id) => id !== undefined && id !== accountId);
  expectThat(
    other === undefined,
    `responses of the account ${accountId}`,
    `one of ${String(other)}`,
    exchange,
  );
}
