import { methodResponses } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { call, expectResult, objects, requireSeveral, strings, threeDrafts } from "./own-inbox.ts";

const manyCalls = 16;

const everyCall = check({
  id: "JMAP-03/sixteen-calls",
  claim: `Each of ${manyCalls} queries in one request is answered, in their order.`,
  needs: ["human"],
  async act(target) {
    await inboxOf(target);
    const ids = Array.from({ length: manyCalls }, (_, at) => `call-${at}`);
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
    explained("JMAP-03/later-call", () =>
      expectThat(shown(answered) === shown(ids), `responses to ${shown(ids)}`, shown(answered), exchange),
    );
  },
});

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
    const found = objects(list).map((message) => message["id"]);
    const isWhole = ids.every((id) => found.includes(id));
    expectThat(isWhole, `the messages ${ids.join(", ")}`, shown(found), exchange);
    // Of ids that another message has by chance, it says nothing.
    const missing = strange.filter((id) => !found.includes(id));
    const isNamed = missing.every((id) => strings(notFound).includes(id));
    expectThat(isNamed, `${missing.join(", ")} in notFound`, shown(notFound), exchange);
  },
});

/** More than a few of what a request may name. Document, "Endpoints", JMAP endpoint; RFC 8620 §3.3, §5.1. */
export const manyObjectChecks = [everyCall, everyId];
