import { bearerIn, capabilityRequest } from "../support/actors/agent.ts";
import { accountHeader, bearer, jsonContentType } from "../support/actors/jmap.ts";
import { documentRequest, mailSession, primaryAccountIn } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAgent, sharedSession } from "../support/material/agents.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import { mailboxOf } from "./mailbox.ts";
import { humansInbox } from "./other-inboxes.ts";

/** Another inbox, as a request may name it. */
interface Named {
  /** The account id at JMAP. */
  readonly accountId: string;
  /** Under each name by which a service may know it. */
  readonly members: Parameters;
  /** Value of the account header. */
  readonly header: string;
}

async function secondAgentsInbox(target: Target): Promise<Named> {
  const { accountId } = await mailboxOf(target.setup, "second");
  const { inbox } = await sharedAgent(target, "second");
  return named(accountId, accountId, inbox);
}

async function firstPersonsInbox(target: Target): Promise<Named> {
  const { accountId } = await humansInbox(target.setup);
  return named(accountId, await inboxOf(target));
}

function named(accountId: string, id: string, inbox = id): Named {
  const members: Parameters = [
    ["accountId", id],
    ["inbox", inbox],
    ["inboxId", inbox],
  ];
  return { accountId, members, header: id };
}

const others = [
  { slug: "other-agent", words: "another agent's inbox", needs: [] as const, other: secondAgentsInbox },
  { slug: "person", words: "a person's inbox", needs: ["human"] as const, other: firstPersonsInbox },
];

/** A request that names another inbox in its query, and one that names it in the account header. */
function naming(target: Target, request: Outgoing, { members, header }: Named): readonly Outgoing[] {
  return [
    { ...request, url: `${request.url}?${encodeParameters(members)}` },
    { ...request, headers: [...(request.headers ?? []), accountHeader(target, header)] },
  ];
}

interface Opened {
  readonly exchange: Exchange;
  /** Of the inbox that is then open; undefined for a refusal. */
  readonly accountId: unknown;
}

interface Evidence {
  readonly opened: readonly Opened[];
  readonly foreign: string;
}

// A refusal opens nothing: what else a request may say, the document leaves open.
function expectOwnInbox({ opened, foreign }: Evidence): void {
  for (const { exchange, accountId } of opened)
    expectThat(accountId !== foreign, "the agent's own inbox", "the inbox that the request names", exchange);
}

/** @throws {InconclusiveError} precondition-missing, when nothing tells the two inboxes apart */
async function requireDistinctAccounts(target: Target, foreign: string): Promise<void> {
  const { accountId } = await mailboxOf(target.control);
  if (accountId !== foreign) return;
  throw new InconclusiveError("precondition-missing", "two inboxes have the same accountId");
}

const mints = others.map(({ slug, words, needs, other }) =>
  check({
    id: `POW-64/mint-for-${slug}`,
    claim: `A capability request that names ${words} in its query, account header or body mints none for it.`,
    needs,
    async act(target) {
      const foreign = await other(target);
      await requireDistinctAccounts(target, foreign.accountId);
      const request = capabilityRequest(target, await sharedSession(target));
      const headers = [...(request.headers ?? []), jsonContentType];
      const body = JSON.stringify(Object.fromEntries(foreign.members));
      const opened: Opened[] = [];
      for (const outgoing of [...naming(target, request, foreign), { ...request, headers, body }]) {
        const exchange = await target.send(outgoing);
        const capability = isSuccess(exchange) ? bearerIn(exchange) : undefined;
        const accountId = capability && (await mailSession(target.setup, capability)).accountId;
        opened.push({ exchange, accountId });
      }
      return { opened, foreign: foreign.accountId };
    },
    assert: expectOwnInbox,
  }),
);

const documents = others.map(({ slug, words, needs, other }) =>
  check({
    id: `POW-67/document-of-${slug}`,
    claim: `A request for the session document that names ${words} in its query or account header does not open it.`,
    needs,
    async act(target) {
      const foreign = await other(target);
      await requireDistinctAccounts(target, foreign.accountId);
      const { capability } = await mailboxOf(target);
      const request = documentRequest(target, [bearer(capability)]);
      const opened: Opened[] = [];
      for (const outgoing of naming(target, request, foreign)) {
        const exchange = await target.send(outgoing);
        opened.push({ exchange, accountId: primaryAccountIn(exchange) });
      }
      return { opened, foreign: foreign.accountId };
    },
    assert: expectOwnInbox,
  }),
);

/** Which inbox is open follows from the credential alone. Document, "What the service does", and OAuth 2.0 path 10. */
export const namedAccountChecks = [...mints, ...documents];
