import {
  bearer,
  firstId,
  getAgents,
  inboxEntries,
  inboxQuery,
  jmapAs,
  methodResponses,
  requireServed,
} from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { type GrantSpec, sharedAccessToken } from "../support/material/grants.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { accountIdsIn, requireListed } from "../support/material/inbox-lists.ts";
import {
  createdInbox,
  listOnce,
  longestMs,
  type NewInbox,
  newInbox,
  pollMs,
} from "../support/material/new-inbox.ts";

/** The people that checks know, and how many inboxes the profile says that they own. */
function owners({ profile }: Target): { which: WhichHuman; owned: number }[] {
  const [first, second] = profile.humans;
  return [
    ...(first === undefined ? [] : [{ which: "first" as const, owned: first.inboxes }]),
    ...(second === undefined ? [] : [{ which: "second" as const, owned: second.inboxes }]),
  ];
}

const allOwned = check({
  id: "AGENTS-11/all-owned",
  claim: "The inbox list of each person shows as many inboxes as the profile says that they own, or more.",
  needs: ["human"],
  act: (target) =>
    Promise.all(
      owners(target).map(async ({ which, owned }) => {
        const list = await getAgents(target, [bearer(await sharedAccessToken(target, { human: which }))]);
        requireListed(list, `the inbox list of the ${which} human`);
        return { list, owned };
      }),
    ),
  assert(lists) {
    for (const { list, owned } of lists) {
      const { length } = accountIdsIn(list);
      expectThat(length >= owned, `${owned} inboxes or more`, `${length}`, list);
    }
  },
});

interface OtherToken {
  readonly slug: string;
  readonly words: string;
  readonly spec: (target: Target) => GrantSpec;
  readonly unlockedBy?: Unlock;
}

const otherTokens: readonly OtherToken[] = [
  { slug: "read-only", words: "with `mail.read` alone", spec: () => ({ scope: "mail.read" }) },
  {
    slug: "narrowed",
    words: "of a grant that the person narrowed to reading",
    spec: () => ({ decision: "approve read-only" }),
  },
  { slug: "confidential", words: "of a confidential client", spec: () => ({ client: "confidential" }) },
  {
    slug: "mcp-read-only",
    words: "for the MCP resource with `mail.read` alone",
    spec: (target) => ({ resource: mcpResource(target), scope: "mail.read" }),
  },
  {
    slug: "mcp-confidential",
    words: "of a confidential client for the MCP resource",
    spec: (target) => ({ resource: mcpResource(target), client: "confidential" }),
  },
  ...otherClients.map(({ client, words, unlockedBy }) => ({
    slug: client,
    words: `of ${words}`,
    spec: () => ({ client }),
    unlockedBy,
  })),
];

/** The list does not depend on client, scope and resource; AGENTS-09 judges that of the MCP resource with both scopes. */
const allOwnedOtherwise = otherTokens.map(({ slug, words, spec, unlockedBy }) =>
  check({
    id: `AGENTS-11/all-owned-${slug}`,
    claim: `An access token ${words} lists as many inboxes as the profile says that the person owns, or more.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    async act(target) {
      const { owned = 1 } = owners(target).find(({ which }) => which === "first") ?? {};
      const token = await sharedAccessToken(target, spec(target));
      return { owned, list: await listOnce(target, token, ({ length }) => length >= owned) };
    },
    assert({ owned, list }) {
      const { length } = accountIdsIn(list);
      explained("AGENTS-11/all-owned", () =>
        expectThat(length >= owned, `${owned} inboxes or more`, `${length}`, list),
      );
    },
  }),
);

const afterConsent = check({
  id: "AGENTS-11/after-consent",
  claim:
    "After a consent at which the person created an inbox, the list has it and every inbox from before; the list of an older token has those from before.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  act: newInbox,
  assert({ had, isComplete, lists: [newer, older] }) {
    const expectListed = (list: Exchange, expected: string, suffices: typeof isComplete): void => {
      const listed = accountIdsIn(list);
      // A list with none of them is somebody else's.
      const isOwn = had.some((id) => listed.includes(id));
      explained(isOwn ? "AGENTS-11/all-owned" : "BEARER-16/simultaneous-exchanges", () =>
        expectThat(suffices(listed), expected, listed.join(", "), list),
      );
    };
    expectListed(newer, `${had.join(", ")} and a new one`, isComplete);
    // What a consent lets a grant reach may be settled then and there, and an older grant keeps what it has (C-17).
    expectListed(older, had.join(", "), (ids) => had.every((id) => ids.includes(id)));
  },
});

/** A query for a mailbox of the new inbox, once it finds one; undefined where the list does not show the inbox as active. */
async function usedNewInbox(
  target: Target,
  token: string,
  list: Exchange,
  had: readonly string[],
): Promise<Exchange | undefined> {
  const accountId = createdInbox(list, had)?.accountId;
  if (accountId === undefined) return undefined;
  const startedAt = performance.now();
  for (;;) {
    const exchange = await jmapAs(target, token, accountId, inboxQuery);
    const isUsable = firstId(exchange, "0") !== undefined;
    if (isUsable || performance.now() - startedAt > longestMs) return exchange;
    await target.pause(pollMs);
  }
}

const newInboxOfAnother = check({
  id: "HDR-11/new-inbox",
  claim: "An inbox that a person created at a consent is refused to another person's token.",
  needs: ["human", "second-human"],
  unlockedBy: "new_inbox",
  async act(target) {
    const { newer, had, lists } = await newInbox(target.setup);
    const accountId = createdInbox(lists[0], had)?.accountId;
    const own = await usedNewInbox(target.control, newer, lists[0], had);
    if (accountId === undefined || own === undefined)
      throw new NotApplicableError("the list shows no new inbox that is active");
    requireServed(own, "the inbox for its own person");
    return jmapAs(target, await sharedAccessToken(target, { human: "second" }), accountId, inboxQuery);
  },
  assert: (exchange) =>
    explained("HDR-11/mailbox-query", () => expectOAuthError(exchange, ["access_denied"])),
});

const servedAfterConsent = [
  {
    slug: "after-consent",
    words: "an older token",
    at: 1,
    token: ({ older }: NewInbox) => older,
  },
  {
    slug: "at-its-consent",
    words: "the token of that consent",
    at: 0,
    token: ({ newer }: NewInbox) => newer,
  },
].map(({ slug, words, at, token }) =>
  check({
    id: `HDR-24/${slug}`,
    claim: `An inbox that the person created at a consent is served for ${words}, where that one lists it as active.`,
    needs: ["human"],
    unlockedBy: "new_inbox",
    async act(target) {
      const made = await newInbox(target.setup);
      const list = made.lists[at];
      return list && usedNewInbox(target, token(made), list, made.had);
    },
    assert(exchange) {
      if (exchange === undefined) throw new NotApplicableError(`the list of ${words} has no new inbox`);
      explained("HDR-24", () =>
        expectThat(methodResponses(exchange) !== undefined, "method responses", summary(exchange), exchange),
      );
    },
  }),
);

const othersServedAtItsConsent = check({
  id: "HDR-24/older-inbox-at-new-consent",
  claim:
    "The token of a consent at which the person created an inbox is served for an inbox from before that it lists as active.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  async act(target) {
    const { newer, lists, had } = await newInbox(target.setup);
    const older = inboxEntries(lists[0]).find(
      ({ accountId, status }) => status === "active" && had.includes(accountId),
    );
    if (older === undefined) throw new NotApplicableError("the token lists no inbox from before");
    return jmapAs(target, newer, older.accountId, inboxQuery);
  },
  assert: (exchange) =>
    explained("HDR-24", () =>
      expectThat(methodResponses(exchange) !== undefined, "method responses", summary(exchange), exchange),
    ),
});

const hasMailbox = check({
  id: "JMAP-04/new-inbox",
  claim:
    "`Mailbox/query` with the filter `role` `inbox` finds a mailbox in an inbox that the person created at a consent.",
  needs: ["human"],
  unlockedBy: "new_inbox",
  async act(target) {
    const { newer, lists, had } = await newInbox(target.setup);
    return usedNewInbox(target, newer, lists[0], had);
  },
  assert(exchange) {
    if (exchange === undefined) throw new NotApplicableError("the list has no new inbox");
    if (methodResponses(exchange) === undefined)
      throw new InconclusiveError("precondition-missing", "the new inbox is not served", {
        exchange,
        explainedBy: "HDR-24/at-its-consent",
      });
    expectThat(firstId(exchange, "0") !== undefined, "the id of a mailbox", summary(exchange), exchange);
  },
});

/** The list leaves no inbox of the person out. Document, "Endpoints", GET /api/v1/agents and GET /oauth/authorize. */
export const completenessChecks = [
  allOwned,
  ...allOwnedOtherwise,
  newInboxOfAnother,
  afterConsent,
  ...servedAfterConsent,
  othersServedAtItsConsent,
  hasMailbox,
];
