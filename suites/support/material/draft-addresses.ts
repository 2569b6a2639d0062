import type { WhichHuman } from "../actors/human.ts";
import {
  bearer,
  jmapAs,
  jmapBody,
  jsonContentType,
  methodResponses,
  postJmap,
  requireServed,
} from "../actors/jmap.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../wire/exchange.ts";
import { agentSender } from "./agent-sender.ts";
import { sharedAccessToken } from "./grants.ts";
import { addressOf } from "./inboxes.ts";
import { newSubject, plainTextDraft } from "./plain-text-draft.ts";

/** Members of a draft: the inbox's own address in `from` and `to`, or neither. */
export type DraftAddresses = Readonly<Partial<Record<"from" | "to", readonly { readonly email: string }[]>>>;

/** A draft that a target took, or refused with addresses too. */
export interface FirstDraft {
  readonly exchange: Exchange;
  /** With which the target takes drafts of the inbox. */
  readonly addresses: DraftAddresses;
}

/**
 * Creates a draft without addresses, which a target may hold against its own. The document's draft has `from` and `to`: where
 * the target takes none without, it is created with the address of its inbox in both.
 *
 * @param create - sends an `Email/set` that creates a draft with these members
 * @param ownAddress - of the inbox; undefined, a BlockedError or an InconclusiveError where nothing shows it
 */
export async function firstDraft(
  create: (addresses: DraftAddresses) => Promise<Exchange>,
  ownAddress: () => Promise<string | undefined>,
): Promise<FirstDraft> {
  const plain: FirstDraft = { exchange: await create({}), addresses: {} };
  if (methodResponses(plain.exchange) === undefined || hasCreated(plain.exchange)) return plain;
  const email = await ifShown(ownAddress);
  if (email === undefined) return plain;
  const addresses = { from: [{ email }], to: [{ email }] };
  const exchange = await create(addresses);
  return hasCreated(exchange) ? { exchange, addresses } : plain;
}

function hasCreated(exchange: Exchange): boolean {
  return (methodResponses(exchange) ?? []).some(
    ([name, { created }]) => name === "Email/set" && isJsonObject(created) && Object.keys(created).length > 0,
  );
}

/** What needs the address of an inbox; undefined where nothing shows that. */
export async function ifShown<Value>(find: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof BlockedError) return undefined;
    if (error instanceof InconclusiveError && error.code === "control-refused") return undefined;
    throw error;
  }
}

/** Where drafts of an inbox are put. */
interface DraftPlace {
  /** Arguments of the call beside the draft. */
  readonly account: JsonObject;
  readonly mailboxId: string;
  readonly ask: (target: Target, body: string) => Promise<Exchange>;
  readonly ownAddress: (target: Target) => Promise<string | undefined>;
}

/** Found with one draft of each inbox and run; none where no draft can be created, which the drafts of checks then show. */
async function remembered(target: Target, key: string, place: DraftPlace): Promise<DraftAddresses> {
  const found = await ifShown(() =>
    target.setup.once(`draft-addresses:${key}`, async (recording) => {
      const { account, mailboxId, ask, ownAddress } = place;
      const create = (addresses: DraftAddresses): Promise<Exchange> => {
        const d1 = plainTextDraft({ mailboxId, addresses, subject: newSubject() });
        return ask(recording, jmapBody([["Email/set", { ...account, create: { d1 } }, "0"]]));
      };
      const { exchange, addresses } = await firstDraft(create, () => ownAddress(recording));
      requireServed(exchange, "creating a draft in an inbox");
      return addresses;
    }),
  );
  return found ?? {};
}

/** What the drafts in an inbox of a person need. */
export function draftAddresses(
  target: Target,
  { accountId, human, mailboxId }: { accountId: string; human: WhichHuman; mailboxId: string },
): Promise<DraftAddresses> {
  return remembered(target, accountId, {
    account: {},
    mailboxId,
    ask: async (asking, body) => jmapAs(asking, await sharedAccessToken(asking, { human }), accountId, body),
    ownAddress: (asking) => addressOf(asking, accountId, human),
  });
}

/** The inbox of an agent, with a capability that opens it. */
export interface AgentInbox {
  readonly capability: string;
  readonly apiUrl: string;
  readonly accountId: string;
  readonly mailboxId: string;
  /** As the answer to its signup names it. */
  readonly inbox: string | undefined;
}

/**
 * What the drafts in the inbox of an agent need.
 *
 * @param name - tells the agent from every other
 */
export function agentDraftAddresses(
  target: Target,
  name: string,
  agent: AgentInbox,
): Promise<DraftAddresses> {
  const { capability, apiUrl: url, accountId, mailboxId } = agent;
  const headers = [bearer(capability), jsonContentType];
  return remembered(target, `agent:${name}`, {
    account: { accountId },
    mailboxId,
    ask: (asking, body) => postJmap(asking, { url, headers, body }),
    ownAddress: async (asking) => (await agentSender(asking, agent))?.email,
  });
}
