import { type Exchange, isJsonObject, type JsonObject } from "../wire/exchange.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type MethodCall, responseTo } from "./jmap.ts";

const most = 100;

/** The newest messages of a mailbox. */
export interface NewestMails {
  readonly exchange: Exchange;
  readonly mails: readonly JsonObject[];
}

/**
 * Reads the newest hundred messages of a mailbox, in smaller pages where the target's `maxObjectsInGet` or its own limit
 * of a query asks for them (RFC 8620 §2, §5.5).
 *
 * @param ask - sends the calls as the owner of the mailbox
 * @returns the exchange that showed the newest page
 * @throws {InconclusiveError} control-refused, when the owner is not shown them
 */
export async function newestMails(
  ask: (calls: readonly MethodCall[]) => Promise<Exchange>,
  mailboxId: string,
): Promise<NewestMails> {
  const mails: JsonObject[] = [];
  let newest: Exchange | undefined;
  let position = 0;
  let limit = most;
  for (;;) {
    const exchange = await ask(pageCalls(mailboxId, position, limit));
    const read = responseTo(exchange, "1");
    if (read?.args["type"] === "requestTooLarge" && limit > 1) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    if (read?.name !== "Email/get")
      throw controlRefused("listing a mailbox for its owner", "200 with Email/get", exchange, "JMAP-05");
    newest ??= exchange;
    mails.push(...objects(read.args["list"]));
    const { ids, limit: enforced } = responseTo(exchange, "0")?.args ?? {};
    const found = Array.isArray(ids) ? ids.length : 0;
    position += found;
    const isLastPage = found < (typeof enforced === "number" ? Math.min(enforced, limit) : limit);
    if (isLastPage || found === 0 || position >= most) return { exchange: newest, mails };
  }
}

function pageCalls(mailboxId: string, position: number, limit: number): MethodCall[] {
  const sort = [{ property: "receivedAt", isAscending: false }];
  // The first page is the document's request, which has no position.
  const page = position === 0 ? { limit } : { position, limit };
  return [
    ["Email/query", { filter: { inMailbox: mailboxId }, sort, ...page }, "0"],
    [
      "Email/get",
      { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["subject"] },
      "1",
    ],
  ];
}

function objects(value: unknown): JsonObject[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter(isJsonObject);
}
