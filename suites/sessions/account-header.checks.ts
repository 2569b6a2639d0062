import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, summary } from "../support/wire/exchange.ts";
import { followedSessionDocument, primaryAccountIn } from "../support/actors/mail-session.ts";
import { freshCapability } from "../support/material/agents.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { otherPlaces } from "../support/material/named-elsewhere.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  jsonContentType,
  methodResponses,
  postJmap,
  urn,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { NotApplicableError, Violation, warning } from "../support/verdict.ts";
import { uuidOfOtherAgent } from "./agent-uuids.ts";
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

const otherPlace = check({
  id: "POW-67/other-places",
  claim:
    "Another agent's inbox that the query, a cookie, an internal header or a body member of a JMAP request names is not shown.",
  async act(target) {
    const { accountId, marker } = await otherAgentsInbox(target);
    const { capability, apiUrl } = await mailboxOf(target);
    const exchanges: Exchange[] = [];
    for (const { lines = [], query, members } of otherPlaces(target, [accountId])) {
      const url = URL.parse(apiUrl);
      if (url !== null && query !== undefined) url.search = query;
      const methodCalls = readingCalls(undefined, marker.emailId);
      exchanges.push(
        await postJmap(target, {
          url: url?.href ?? apiUrl,
          headers: [bearer(capability), ...lines, jsonContentType],
          body: JSON.stringify({ using: Object.values(urn), methodCalls, ...members }),
        }),
      );
    }
    return { exchanges, marker };
  },
  assert({ exchanges, marker }) {
    for (const exchange of exchanges) explained("POW-67/other-agent", () => expectUnseen(exchange, marker));
  },
});

const namedInHeader = [
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
    slug: "other-agent-uuid",
    words: "a UUID in the tokens of another agent",
    needs: [] as const,
    async ask(target: Target) {
      const { marker } = await otherAgentsInbox(target);
      const named = await uuidOfOtherAgent(target);
      if (named === undefined) throw new NotApplicableError("the tokens of agents show no UUID of their own");
      return askWithHeader(target, named, marker);
    },
  },
  {
    slug: "garbage",
    words: "a text that is not a UUID",
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

const atDocument = check({
  id: "POW-67/session-document",
  claim:
    "The account header with a text that is not a UUID does not change the session document that a capability gets.",
  async act(target) {
    const capability = await freshCapability(target);
    const document = await followedSessionDocument(target.control, [bearer(capability)]);
    const own = primaryAccountIn(document);
    if (typeof own !== "string")
      throw controlRefused("the JMAP session document", "a primary mail account", document, "POW-59");
    const headers = [bearer(capability), accountHeader(target, "not-a-uuid")];
    return { own, exchange: await followedSessionDocument(target, headers) };
  },
  assert({ own, exchange }) {
    if (isRefusal(exchange)) return warning(`the header is refused on this path: ${summary(exchange)}`);
    const named = primaryAccountIn(exchange);
    expectThat(named === own, `the mail account ${own}`, shown(named), exchange);
    return undefined;
  },
});

export const accountHeaderChecks = [...namedInHeader, otherPlace, atDocument];

/** Method responses name no account but the agent's own; a 4xx names none. */
function expectOwnAccount(exchange: Exchange, accountId: string): void {
  const responses = methodResponses(exchange);
  if (responses === undefined) {
    if (!isRefusal(exchange))
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
