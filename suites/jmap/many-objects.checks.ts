import { type Exchange, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { createdIdIn, type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { check, recommend } from "../support/judging/check.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import {
  call,
  draft,
  draftInbox,
  expectResult,
  requireResult,
  requireSeveral,
  strings,
  threeDrafts,
} from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const everyCall = [
  { id: "JMAP-03/sixteen-calls", count: 16, judgedBy: "JMAP-03/later-call" },
  { id: "JMAP-03/thirty-calls", count: 30, judgedBy: "JMAP-03/sixteen-calls" },
].map(({ id: checkId, count, judgedBy }) =>
  check({
    id: checkId,
    claim: `Each of ${count} queries in one request is answered, in their order; a target may refuse so many.`,
    needs: ["human"],
    async act(target) {
      await inboxOf(target);
      const ids = Array.from({ length: count }, (_, at) => `call-${at}`);
      const exchange = await call(
        target,
        ids.map((id) => ["Mailbox/query", { filter: { role: "inbox" } }, id]),
      );
      return { ids, exchange: requireSeveral(exchange) };
    },
    assert({ ids, exchange }) {
      const answered = (methodResponses(exchange) ?? []).flatMap(([name, , id]) =>
        name === "Mailbox/query" ? [id] : [],
      );
      explained(judgedBy, () =>
        expectThat(isSameJson(answered, ids), `responses to ${shown(ids)}`, shown(answered), exchange),
      );
    },
  }),
);

const unknownIds = 9;

const everyId = check({
  id: "JMAP-06/last-of-twelve",
  claim: `\`Email/get\` returns three messages whose ids follow ${unknownIds} that no message has, and lists these in \`notFound\`.`,
  needs: ["human"],
  async act(target) {
    const { ids } = await threeDrafts(target);
    const [last = ""] = ids;
    // As long as those of the target, so that none is refused for its form.
    const unknown = Array.from(
      { length: unknownIds },
      (_, at) => last.slice(0, -2).padEnd(2, "x") + `${at}z`,
    );
    const strange = unknown.filter((id) => !ids.includes(id));
    const exchange = await call(target, [
      ["Email/get", { ids: [...strange, ...ids], properties: ["id"] }, "0"],
    ]);
    return { ids, strange, exchange: requireSeveral(exchange) };
  },
  assert({ ids, strange, exchange }) {
    const { list, notFound } = explained("JMAP-06/not-found", () => expectResult(exchange, "0", "Email/get"));
    const found = jsonObjectsIn(list).map((message) => message["id"]);
    const isWhole = ids.every((id) => found.includes(id));
    expectThat(isWhole, `the messages ${ids.join(", ")}`, shown(found), exchange);
    // Of ids that another message has by chance, it says nothing.
    const missing = strange.filter((id) => !found.includes(id));
    const isNamed = missing.every((id) => strings(notFound).includes(id));
    expectThat(isNamed, `${missing.join(", ")} in notFound`, shown(notFound), exchange);
  },
});

const manyDrafts = 60;

interface ManyDrafts {
  readonly mailboxId: string;
  readonly ids: readonly string[];
}

/**
 * Made once a run; no check changes them.
 *
 * @throws {NotApplicableError} when the target creates fewer in one call
 */
function sixtyDrafts(target: Target): Promise<ManyDrafts> {
  return target.setup.once("jmap:many-drafts", async (recording) => {
    const inbox = await draftInbox(recording);
    const names = Array.from({ length: manyDrafts }, (_, at) => `d${at}`);
    const create = Object.fromEntries(names.map((name) => [name, draft(inbox, newSubject())]));
    const made = requireSeveral(await call(recording, [["Email/set", { create }, "0"]]));
    const args = requireResult(made, "0", "Email/set");
    const ids = names.flatMap((name) => createdIdIn(args, name) ?? []);
    if (ids.length < manyDrafts)
      throw new NotApplicableError(`the target creates ${ids.length} of ${manyDrafts} drafts in one call`);
    return { mailboxId: inbox.mailboxId, ids };
  });
}

const everyMessage = check({
  id: "JMAP-06/sixty",
  claim: `\`Email/get\` of ${manyDrafts} messages returns all of them; a target may refuse so many.`,
  needs: ["human"],
  async act(target) {
    const { ids } = await sixtyDrafts(target);
    const exchange = await call(target, [["Email/get", { ids, properties: ["id"] }, "0"]]);
    return { ids, exchange: requireSeveral(exchange) };
  },
  assert({ ids, exchange }) {
    const { list } = explained("JMAP-06/last-of-twelve", () => expectResult(exchange, "0", "Email/get"));
    const returned = new Set(jsonObjectsIn(list).map((message) => message["id"]));
    const left = ids.filter((id) => !returned.has(id)).length;
    expectThat(left === 0, `${ids.length} messages`, `${ids.length - left} of them`, exchange);
  },
});

const everyFound = check({
  id: "JMAP-05/sixty",
  claim: `\`Email/query\` with \`limit\` ${manyDrafts} finds as many messages where there are as many, or says with \`limit\` that it finds fewer.`,
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await sixtyDrafts(target);
    const query = (position: number): MethodCall => [
      "Email/query",
      { filter: { inMailbox: mailboxId }, position, limit: manyDrafts },
      "0",
    ];
    const found = (exchange: Exchange): number => strings(responseTo(exchange, "0")?.args["ids"]).length;
    const exchange = await pollUntil(
      target,
      () => call(target, [query(0)]),
      (answer) => found(answer) >= manyDrafts,
    );
    const count = found(exchange);
    // What has not been found yet is not found behind the others either.
    const isAll = count >= manyDrafts || found(await call(target.setup, [query(count)])) === 0;
    return { exchange, isAll };
  },
  assert({ exchange, isAll }) {
    const { ids, limit } = explained("JMAP-05", () => expectResult(exchange, "0", "Email/query"));
    const { length } = strings(ids);
    // RFC 8620 §5.5: a server that sets a lower limit returns it. That it finds no more than was asked for is judged by
    // JMAP-05/limit.
    if (length >= manyDrafts || (typeof limit === "number" && limit === length)) return;
    if (isAll)
      throw new InconclusiveError(
        "precondition-missing",
        `${length} of ${manyDrafts} new drafts were found`,
        {
          exchange,
        },
      );
    throw new Violation(`${manyDrafts} ids`, `${length}, and more behind them`, { exchange });
  },
});

const unlimited = recommend({
  id: "B-JMAP-22/no-limit",
  claim:
    "`Email/query` without `limit` finds as many messages as one with it, or says with `limit` that it finds fewer.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await sixtyDrafts(target);
    const query = (limit: JsonObject): Promise<Exchange> =>
      call(target, [["Email/query", { filter: { inMailbox: mailboxId }, ...limit }, "0"]]);
    return { limited: await query({ limit: manyDrafts }), exchange: await query({}) };
  },
  assert({ limited, exchange }) {
    const most = strings(requireResult(limited, "0", "Email/query")["ids"]).length;
    const { ids, limit } = requireResult(exchange, "0", "Email/query");
    const { length } = strings(ids);
    const isSaid = typeof limit === "number" && limit === length;
    expectThat(length >= most || isSaid, `${most} ids at least`, `${length}, and no limit`, exchange);
  },
});

/** More than a few of what a request may name. Document, "Endpoints", JMAP endpoint; RFC 8620 §3.3, §5.1, §5.5. */
export const manyObjectChecks = [...everyCall, everyId, everyMessage, everyFound, unlimited];
