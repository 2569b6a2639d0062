import { type Exchange, type JsonObject, jsonObjectsIn } from "../wire/exchange.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type MethodCall, responseTo } from "./jmap.ts";

const most = 100;

/** Which messages are listed, and what of them. */
export interface MailListing {
  /** Those of one mailbox; of the whole account unless given. */
  readonly mailboxId?: string;
  /** Named in the calls only where it is given. */
  readonly accountId?: string | undefined;
  /** `subject` unless given; beside the id. */
  readonly properties?: readonly string[];
}

/** The newest messages of a mailbox or an account. */
export interface NewestMails {
  /** That showed the newest of them. */
  readonly exchange: Exchange;
  readonly mails: readonly JsonObject[];
  /** All that showed some; the newest first. */
  readonly pages: readonly Exchange[];
}

/**
 * Reads the newest hundred messages, in smaller pages where the target's `maxObjectsInGet` or its own limit of a query asks
 * for them (RFC 8620 §2, §5.5).
 *
 * @param ask - sends the calls as the owner of the mailbox
 * @throws {InconclusiveError} control-refused, when the owner is not shown them
 */
export async function newestMails(
  ask: (calls: readonly MethodCall[]) => Promise<Exchange>,
  listing: MailListing,
): Promise<NewestMails> {
  const mails: JsonObject[] = [];
  const pages: Exchange[] = [];
  let position = 0;
  let limit = most;
  for (;;) {
    const exchange = await ask(pageCalls(listing, position, limit));
    const read = responseTo(exchange, "1");
    if (read?.args["type"] === "requestTooLarge" && limit > 1) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    if (read?.name !== "Email/get")
      throw controlRefused("listing a mailbox for its owner", "200 with Email/get", exchange, "JMAP-05");
    pages.push(exchange);
    // A message that comes in moves the others down, so that a page may show one of the page before it.
    const known = new Set(mails.map(({ id }) => id));
    mails.push(...jsonObjectsIn(read.args["list"]).filter(({ id }) => id === undefined || !known.has(id)));
    const { ids, limit: enforced } = responseTo(exchange, "0")?.args ?? {};
    const found = Array.isArray(ids) ? ids.length : 0;
    position += found;
    const isLastPage = found < (typeof enforced === "number" ? Math.min(enforced, limit) : limit);
    if (isLastPage || found === 0 || position >= most)
      return { exchange: pages[0] ?? exchange, mails, pages };
  }
}

function pageCalls(
  { mailboxId, accountId, properties = ["subject"] }: MailListing,
  position: number,
  limit: number,
): MethodCall[] {
  const account = accountId === undefined ? {} : { accountId };
  const filter = mailboxId === undefined ? {} : { filter: { inMailbox: mailboxId } };
  const sort = [{ property: "receivedAt", isAscending: false }];
  // The first page is the document's request, which has no position.
  const page = position === 0 ? { limit } : { position, limit };
  const ids = { resultOf: "0", name: "Email/query", path: "/ids" };
  return [
    ["Email/query", { ...account, ...filter, sort, ...page }, "0"],
    ["Email/get", { ...account, "#ids": ids, properties: ["id", ...properties] }, "1"],
  ];
}
