import { bearer, entriesIn, getAgents } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { requireListed } from "../support/material/inbox-lists.ts";
import { newInbox } from "../support/material/new-inbox.ts";

const apartMs = 20;
/** The times in tokens are whole seconds. */
const apartInTokensMs = 1100;

const times = [
  { requirement: "AGENTS-06", field: "linkedAt" },
  { requirement: "AGENTS-07", field: "activatedAt" },
] as const;

type TimeField = (typeof times)[number]["field"];

const listedAgain = times.map(({ requirement, field }) =>
  check({
    id: `${requirement}/same-again`,
    claim: `An inbox that is listed twice has the same \`${field}\` both times.`,
    needs: ["human"],
    async act(target) {
      const credential = [bearer(await sharedAccessToken(target))];
      const first = await getAgents(target, credential);
      await target.pause(apartMs);
      return { first, second: await getAgents(target, credential) };
    },
    assert: ({ first, second }) => expectSameTimes(field, first, second),
  }),
);

function expectSameTimes(
  field: TimeField,
  first: Exchange,
  second: Exchange,
  isMeant: (accountId: unknown) => boolean = () => true,
): void {
  const before = timesById(first, field);
  for (const [accountId, time] of timesById(second, field)) {
    // What is not active yet may be activated in between.
    const earlier = before.get(accountId) ?? time;
    expectThat(!isMeant(accountId) || time === earlier, shown(earlier), shown(time), second);
  }
}

function timesById(exchange: Exchange, field: string): ReadonlyMap<unknown, unknown> {
  return new Map(entriesIn(exchange).map((entry) => [entry["accountId"], entry[field]]));
}

/** Lists of one person for three access tokens, each issued in another second. */
interface ListsOfTokens {
  readonly shared: Exchange;
  /** For the same token, after all others. */
  readonly sharedAgain: Exchange;
  readonly newGrant: Exchange;
  /** For a refresh of the new grant. */
  readonly refreshed: Exchange;
}

/** Once for all checks of a run. */
function listsOfTokens(target: Target): Promise<ListsOfTokens> {
  return target.once("agents:lists-of-tokens", async (recording) => {
    const listFor = async (token: string): Promise<Exchange> => {
      const list = await getAgents(recording, [bearer(token)]);
      requireListed(list, "the inbox list");
      return list;
    };
    const token = await sharedAccessToken(recording);
    const shared = await listFor(token);
    await recording.pause(apartInTokensMs);
    const grant = await freshGrant(recording);
    const newGrant = await listFor(grant.tokens.access_token);
    await recording.pause(apartInTokensMs);
    const { tokens } = await refreshed(recording, grant);
    return {
      shared,
      newGrant,
      refreshed: await listFor(tokens.access_token),
      sharedAgain: await listFor(token),
    };
  });
}

/** An inbox was linked to its owner, whoever is told: no token and no grant has a part in it. */
const whoeverAsks = [
  {
    slug: "new-grant",
    words: "for a token of a new grant as for one of an older grant",
    lists: ({ shared, newGrant }: ListsOfTokens) => [shared, newGrant] as const,
  },
  {
    slug: "refreshed",
    words: "for a refreshed access token as for the one before",
    lists: ({ newGrant, refreshed: later }: ListsOfTokens) => [newGrant, later] as const,
  },
].flatMap(({ slug, words, lists }) =>
  times.map(({ requirement, field }) =>
    check({
      id: `${requirement}/${slug}`,
      claim: `An active inbox is listed with the same \`${field}\` ${words}.`,
      needs: ["human"],
      async act(target) {
        const seen = await listsOfTokens(target);
        const [first, second] = lists(seen);
        const lasting = lastingIn(seen, field);
        const listed = timesById(second, field);
        // A grant may keep the inboxes of its consent (C-17).
        if (!lasting.some((accountId) => timesById(first, field).has(accountId) && listed.has(accountId)))
          throw new NotApplicableError("no inbox is in both lists");
        return { first, second, lasting };
      },
      assert: ({ first, second, lasting }) =>
        explained(`${requirement}/same-again`, () =>
          expectSameTimes(field, first, second, (accountId) => lasting.includes(accountId)),
        ),
    }),
  ),
);

/** The active inboxes whose time stays for one and the same token: what else happens meanwhile is judged elsewhere. */
function lastingIn({ shared, sharedAgain }: ListsOfTokens, field: TimeField): unknown[] {
  const [earlier, later] = [timesById(shared, field), timesById(sharedAgain, field)];
  return activeIn(shared).filter((id) => later.get(id) === earlier.get(id));
}

/** Ids of the inboxes that a list shows as active: of others the document does not say what the times mean (C-86). */
function activeIn(list: Exchange): unknown[] {
  return entriesIn(list).flatMap(({ accountId, status }) => (status === "active" ? [accountId] : []));
}

const othersAtNewInbox = times.map(({ requirement, field }) =>
  check({
    id: `${requirement}/others-at-new-inbox`,
    claim: `A consent at which the person creates an inbox leaves \`${field}\` of the active inboxes from before as it was.`,
    needs: ["human"],
    unlockedBy: "new_inbox",
    async act(target) {
      const { before, lists } = await newInbox(target);
      for (const list of lists) requireListed(list, "the inbox list after the consent");
      return { before, lists };
    },
    assert({ before, lists: [newer, older] }) {
      const active = activeIn(before);
      const isActive = (accountId: unknown): boolean => active.includes(accountId);
      explained(`${requirement}/same-again`, () => expectSameTimes(field, before, older, isActive));
      explained(`${requirement}/new-grant`, () => expectSameTimes(field, before, newer, isActive));
    },
  }),
);

/** When something happened does not change. Document, "Resources", inbox entry. */
export const lastingTimeChecks = [...listedAgain, ...whoeverAsks, ...othersAtNewInbox];
