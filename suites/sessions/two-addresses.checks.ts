import { accountHeader, methodResponses } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability } from "../support/material/agents.ts";
import { agentsApiUrl } from "../support/material/agents-api-url.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { withClaimsOf, withOtherSignature } from "../support/material/jwt-forgery.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, type HeaderLines, summary } from "../support/wire/exchange.ts";
import { uuidOfOtherAgent } from "./agent-uuids.ts";
import { askMailbox, type Mailbox, mailboxOf } from "./mailbox.ts";
import {
  expectUnseen,
  humansInbox,
  type OtherInbox,
  otherAgentsInbox,
  readingCalls,
} from "./other-inboxes.ts";

/** The agent's inbox at the address for access tokens. @throws {NotApplicableError} when agents have no other */
async function mailboxAtJmap(target: Target): Promise<Mailbox> {
  await agentsApiUrl(target);
  return { ...(await mailboxOf(target.setup)), apiUrl: `${target.apiUrl}/jmap` };
}

/** @throws {NotApplicableError} when none of the requests is served, nor one of the agent alone */
async function requireTaken(target: Target, mailbox: Mailbox, exchanges: readonly Exchange[]): Promise<void> {
  const alone = await askMailbox(target.control, mailbox, readingCalls(undefined, "none"));
  if ([alone, ...exchanges].some((exchange) => methodResponses(exchange) !== undefined)) return;
  throw new NotApplicableError("`{api_url}/jmap` serves no capability");
}

const named = [
  {
    slug: "human-inbox-at-jmap",
    words: "a human's inbox",
    needs: ["human"] as const,
    other: humansInbox,
    valuesOf: async (target: Target) => [await inboxOf(target)],
    judgedBy: "POW-67/human-inbox",
  },
  {
    slug: "other-agent-at-jmap",
    words: "another agent's inbox",
    needs: [] as const,
    other: otherAgentsInbox,
    async valuesOf(target: Target, { accountId }: OtherInbox) {
      const uuid = await uuidOfOtherAgent(target);
      return uuid === undefined ? [accountId] : [accountId, uuid];
    },
    judgedBy: "POW-67/other-agent",
  },
].map(({ slug, words, needs, other, valuesOf, judgedBy }) =>
  check({
    id: `POW-67/${slug}`,
    claim: `Where \`apiUrl\` is another address, a capability with the account header of ${words} does not show that inbox at \`{api_url}/jmap\` either.`,
    needs,
    async act(target) {
      const mailbox = await mailboxAtJmap(target);
      const inbox = await other(target);
      const exchanges: Exchange[] = [];
      for (const value of await valuesOf(target, inbox))
        for (const account of [undefined, inbox.accountId]) {
          const calls = readingCalls(account, inbox.marker.emailId);
          exchanges.push(await askMailbox(target, mailbox, calls, [accountHeader(target, value)]));
        }
      await requireTaken(target, mailbox, exchanges);
      return { exchanges, marker: inbox.marker };
    },
    assert({ exchanges, marker }) {
      for (const exchange of exchanges) explained(judgedBy, () => expectUnseen(exchange, marker));
    },
  }),
);

const forged = check({
  id: "POW-62/forged-at-jmap",
  claim:
    "Where `apiUrl` is another address, `{api_url}/jmap` serves no capability either whose signature or claims were changed.",
  async act(target) {
    const mailbox = await mailboxAtJmap(target);
    const others = await freshCapability(target.setup, "second");
    const uuid = await uuidOfOtherAgent(target);
    const headers: readonly HeaderLines[] = [
      [],
      ...(uuid === undefined ? [] : [[accountHeader(target, uuid)]]),
    ];
    const exchanges: Exchange[] = [];
    for (const capability of [
      withOtherSignature(mailbox.capability),
      withClaimsOf(mailbox.capability, others),
    ])
      for (const lines of headers)
        exchanges.push(
          await askMailbox(target, { ...mailbox, capability }, readingCalls(undefined, "none"), lines),
        );
    await requireTaken(target, mailbox, exchanges);
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("POW-62/api-url-tampered", () =>
        expectThat(methodResponses(exchange) === undefined, "a refusal", summary(exchange), exchange),
      );
  },
});

/** Two addresses of JMAP are two places where a check may be forgotten. Document, "Authentication", OAuth 2.0 path 10. */
export const twoAddressChecks = [...named, forged];
