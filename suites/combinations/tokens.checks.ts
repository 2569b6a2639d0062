import type { WhichHuman } from "../support/actors/human.ts";
import {
  accountHeader,
  bearer,
  getAgents,
  inboxEntries,
  inboxQuery,
  jmapAs,
  jmapBody,
  jsonContentType,
  methodResponses,
  postJmap,
  requireServed,
} from "../support/actors/jmap.ts";
import { type Check, check, type Need } from "../support/judging/check.ts";
import { expectNotServed, expectOAuthError, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, inboxOf, lastInboxOf, listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, type HeaderLines, jsonMembers, summary } from "../support/wire/exchange.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import { type TokenKind, tokenKinds } from "./token-kinds.ts";

const nobody = [{ email: "nobody@example.test" }];

/** A send that cannot go out: it names no message. The answer still tells whether the token may send. */
const emptySend = jmapBody([
  [
    "EmailSubmission/set",
    { create: { s1: { emailId: "mailproof-none", envelope: { mailFrom: nobody[0], rcptTo: nobody } } } },
    "0",
  ],
]);

/** A request that the scopes of the token allow. */
function allowedBody({ choice }: TokenKind): string {
  return choice.scope === "send" ? emptySend : inboxQuery;
}

const twoPeople: readonly Need[] = ["human", "second-human"];

/**
 * The last inbox that the token's person does not own, and its owner.
 *
 * @throws {InconclusiveError} precondition-missing, when the two own every inbox together
 */
async function othersInbox(
  target: Target,
  { choice: { human } }: TokenKind,
): Promise<{ accountId: string; owner: WhichHuman }> {
  const owner = human === "first" ? "second" : "first";
  const own = (await listedInboxes(target, human)).map(({ accountId }) => accountId);
  const foreign = (await inboxesOf(target, owner)).findLast(({ accountId }) => !own.includes(accountId));
  if (foreign !== undefined) return { accountId: foreign.accountId, owner };
  throw new InconclusiveError(
    "precondition-missing",
    `needs an inbox of the ${owner} human that the ${human} does not own`,
  );
}

/** The last one, for reading. An inbox may be active and send nothing (C-86): what sends goes from the first. */
function inboxFor(target: Target, { choice: { human, scope } }: TokenKind): Promise<string> {
  return scope === "send" ? inboxOf(target, human) : lastInboxOf(target, human);
}

async function ask(target: Target, kind: TokenKind, accountId: string, body: string): Promise<Exchange> {
  return jmapAs(target, await kind.accessToken(target), accountId, body);
}

/** @throws {InconclusiveError} control-refused, when the owner's token for JMAP is refused the same request */
async function requireServedToOwner(
  target: Target,
  owner: WhichHuman,
  accountId: string,
  body: string,
): Promise<void> {
  const token = await sharedAccessToken(target, { human: owner });
  requireServed(
    await jmapAs(target.control, token, accountId, body),
    "the same request with a token of the inbox's owner for JMAP",
  );
}

function expectServed(exchange: Exchange, explainedBy: string): void {
  // An inbox that is not the person's came from a list that shows it to them.
  const isListWrong = jsonMembers(exchange)["error"] === "access_denied";
  explained(isListWrong ? "AGENTS-11" : explainedBy, () =>
    expectThat(
      methodResponses(exchange) !== undefined,
      "200 with methodResponses",
      summary(exchange),
      exchange,
    ),
  );
}

function served(kind: TokenKind): Check {
  return check({
    id: `BEARER-01/${kind.slug}`,
    claim: `JMAP accepts an access token of ${kind.words} for what its scope allows.`,
    ...kind.conditions,
    act: async (target) => ask(target, kind, await inboxFor(target, kind), allowedBody(kind)),
    assert: (exchange) => expectServed(exchange, "BEARER-01/jmap"),
  });
}

function othersRefused(kind: TokenKind): Check {
  const isForJmap = kind.choice.resource === "jmap";
  return check({
    id: `${isForJmap ? "HDR-11" : "RES-30"}/${kind.slug}`,
    claim: `Another person's inbox is refused at JMAP to an access token of ${kind.words}.`,
    ...kind.conditions,
    needs: twoPeople,
    async act(target) {
      const { accountId, owner } = await othersInbox(target, kind);
      const body = allowedBody(kind);
      await requireServedToOwner(target, owner, accountId, body);
      return ask(target, kind, accountId, body);
    },
    assert: (exchange) =>
      isForJmap
        ? explained("HDR-11/mailbox-query", () => expectOAuthError(exchange, ["access_denied"]))
        : explained("RES-30/other-person", () => expectNotServed(exchange)),
  });
}

interface HeaderFlaw {
  readonly requirement: string;
  readonly words: string;
  readonly lines: (target: Target) => HeaderLines;
  /** Fails too when such requests are refused with another status, and when they are served. */
  readonly status: string;
  readonly served: string;
}

const headerFlaws: readonly HeaderFlaw[] = [
  {
    requirement: "HDR-02",
    words: "Without the account header",
    lines: () => [],
    status: "HDR-02",
    // Other requests have selected an inbox with the token before.
    served: "HDR-06",
  },
  {
    requirement: "HDR-04",
    words: "With the account header `x`",
    lines: (target) => [accountHeader(target, "x")],
    status: "HDR-04/letter",
    served: "HDR-04/letter",
  },
];

/** The token that the checks of the account header itself use. */
function isOrdinary({ choice: { client, scope, human, credential } }: TokenKind): boolean {
  return client === "public" && scope === "both" && human === "first" && credential === "issued";
}

function flawedHeadersRefused(kind: TokenKind): readonly Check[] {
  return headerFlaws.map(({ requirement, words, lines, status, served: servedToo }) =>
    check({
      id: `${requirement}/${kind.slug}`,
      claim: `${words}, an access token of ${kind.words} gets 400.`,
      ...kind.conditions,
      async act(target) {
        const token = await kind.accessToken(target);
        const body = allowedBody(kind);
        requireServed(
          await jmapAs(target.control, token, await inboxFor(target, kind), body),
          "the same request with the account header",
        );
        return postJmap(target, { headers: [bearer(token), ...lines(target), jsonContentType], body });
      },
      assert(exchange) {
        const isServed = methodResponses(exchange) !== undefined;
        const isRefused = exchange.response.status === 400 || isStoppedByGateway(exchange);
        explained(isServed ? servedToo : status, () =>
          expectThat(isRefused && !isServed, "400", summary(exchange), exchange),
        );
      },
    }),
  );
}

function wrongAudience(kind: TokenKind): Check {
  const { human, credential } = kind.choice;
  const explainedBy = credential === "refreshed" ? "RES-27/mcp" : "RES-29/mailbox-query";
  return check({
    id: `RES-29/${kind.slug}`,
    claim: `JMAP refuses an access token of ${kind.words}.`,
    ...kind.conditions,
    async act(target) {
      const accountId = await inboxFor(target, kind);
      const body = allowedBody(kind);
      await requireServedToOwner(target, human, accountId, body);
      return ask(target, kind, accountId, body);
    },
    assert: (exchange) => explained(explainedBy, () => expectNotServed(exchange)),
  });
}

function sendRefused(kind: TokenKind): Check {
  return check({
    id: `SCOPE-13/${kind.slug}`,
    claim: `A send is refused with \`insufficient_scope\` to an access token of ${kind.words}.`,
    ...kind.conditions,
    async act(target) {
      const accountId = await inboxOf(target, kind.choice.human);
      requireServed(await ask(target.control, kind, accountId, inboxQuery), "a request that sends nothing");
      return ask(target, kind, accountId, emptySend);
    },
    assert: (exchange) => explained("SCOPE-13", () => expectOAuthError(exchange, ["insufficient_scope"])),
  });
}

function sendAllowed(kind: TokenKind): Check {
  return check({
    id: `SCOPE-23/${kind.slug}`,
    claim: `A send is carried out by JMAP for an access token of ${kind.words}.`,
    ...kind.conditions,
    act: async (target) => ask(target, kind, await inboxOf(target, kind.choice.human), emptySend),
    assert: (exchange) => expectServed(exchange, "SCOPE-23/both-scopes"),
  });
}

function listed(kind: TokenKind): Check {
  const { resource, human } = kind.choice;
  return check({
    id: `AGENTS-11/${kind.slug}`,
    claim: `An access token of ${kind.words} lists an inbox of the person, none of the other's.`,
    ...kind.conditions,
    needs: twoPeople,
    async act(target) {
      const own = await inboxOf(target, human);
      const { accountId: others } = await othersInbox(target, kind);
      return { own, others, exchange: await getAgents(target, [bearer(await kind.accessToken(target))]) };
    },
    assert({ own, others, exchange }) {
      const ids = inboxEntries(exchange).map(({ accountId }) => accountId);
      const isServed = resource === "mcp" ? "AGENTS-09" : "AGENTS-08";
      explained(ids.length === 0 ? isServed : "BEARER-16/simultaneous-exchanges", () =>
        expectThat(ids.includes(own), "a list with an inbox of the person", summary(exchange), exchange),
      );
      explained("AGENTS-11", () =>
        expectThat(!ids.includes(others), "no inbox of the other person", others, exchange),
      );
    },
  });
}

function checksOf(kind: TokenKind): readonly Check[] {
  const { resource, scope } = kind.choice;
  // The document leaves open what a token for a single inbox or for sending alone gets at the list (C-08, C-24).
  const lists = resource !== "inbox" && scope !== "send" ? [listed(kind)] : [];
  if (resource === "mcp") return [wrongAudience(kind), ...lists];
  if (resource === "inbox") return [othersRefused(kind)];
  const sends = { read: [sendRefused(kind)], both: [sendAllowed(kind)], send: [] }[scope];
  return [
    served(kind),
    othersRefused(kind),
    ...(isOrdinary(kind) ? [] : flawedHeadersRefused(kind)),
    ...sends,
    ...lists,
  ];
}

/** Where an access token works and where it is refused, for kinds of token in which every two choices meet. */
export const tokenChecks: readonly Check[] = tokenKinds.flatMap(checksOf);
