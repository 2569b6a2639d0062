import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { MethodCall } from "../support/actors/jmap.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { call, draftElsewhere, expectResult, objects, strings, threeDrafts } from "./own-inbox.ts";

function sorted(mailboxId: string, isAscending: boolean, callId: string, limit: number): MethodCall[] {
  const sort = [{ property: "receivedAt", isAscending }];
  return [
    ["Email/query", { filter: { inMailbox: mailboxId }, sort, limit }, callId],
    [
      "Email/get",
      { "#ids": { resultOf: callId, name: "Email/query", path: "/ids" }, properties: ["receivedAt"] },
      `${callId}-read`,
    ],
  ];
}

const limited = check({
  id: "JMAP-05/limit",
  claim: "Email/query of a mailbox with three messages or more and limit 2 finds one or two.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    return call(target, [["Email/query", { filter: { inMailbox: mailboxId }, limit: 2 }, "0"]]);
  },
  assert(exchange) {
    const { ids } = expectResult(exchange, "0", "Email/query");
    expectThat([1, 2].includes(strings(ids).length), "one or two ids", shown(ids));
  },
});

const newestFirst = [{ property: "receivedAt", isAscending: false }];

const inMailbox = check({
  id: "JMAP-05/in-mailbox",
  claim: "Every message that Email/query finds in a mailbox is in that mailbox.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    await draftElsewhere(target);
    const exchange = await call(target, [
      // Newest first, so that the draft elsewhere would be among what is found.
      ["Email/query", { filter: { inMailbox: mailboxId }, sort: newestFirst, limit: 50 }, "0"],
      [
        "Email/get",
        { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["mailboxIds"] },
        "1",
      ],
    ]);
    return { exchange, mailboxId };
  },
  assert({ exchange, mailboxId }) {
    const found = objects(expectResult(exchange, "1", "Email/get")["list"]);
    expectThat(found.length >= 3, "three messages at least", `${found.length} messages`);
    for (const { mailboxIds } of found) {
      const isIn = isJsonObject(mailboxIds) && mailboxIds[mailboxId] === true;
      expectThat(isIn, `mailboxIds with ${mailboxId}`, shown(mailboxIds));
    }
  },
});

/** The times of one sorted query, in the order of its ids. */
function timesOf(exchange: Exchange, callId: string): number[] {
  const ids = strings(expectResult(exchange, callId, "Email/query")["ids"]);
  const list = objects(expectResult(exchange, `${callId}-read`, "Email/get")["list"]);
  return ids.flatMap((id) => {
    const found = list.find((message) => message["id"] === id)?.["receivedAt"];
    return typeof found === "string" ? [Date.parse(found)] : [];
  });
}

const ordered = check({
  id: "JMAP-05/sort",
  claim:
    "Email/query sorts by receivedAt, oldest first when isAscending is true and newest first when it is false.",
  needs: ["human"],
  async act(target) {
    const { mailboxId } = await threeDrafts(target);
    const exchange = await call(target, [
      ...sorted(mailboxId, true, "up", 50),
      ...sorted(mailboxId, false, "down", 50),
    ]);
    const times = { up: timesOf(exchange, "up"), down: timesOf(exchange, "down") };
    if (new Set([...times.up, ...times.down]).size > 1) return times;
    throw new InconclusiveError(
      "precondition-missing",
      "needs messages of more than one receivedAt in the inbox",
    );
  },
  assert({ up, down }) {
    expectThat(isSorted(up, 1), "rising receivedAt", shown(up));
    expectThat(isSorted(down, -1), "falling receivedAt", shown(down));
  },
});

function isSorted(times: readonly number[], direction: 1 | -1): boolean {
  return times.every((time, at) => (time - (times[at - 1] ?? time)) * direction >= 0);
}

export const emailQueryChecks = [limited, inMailbox, ordered];
