import { newestMails } from "../support/actors/newest-mails.ts";
import { createdId, type MethodCall, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type JsonObject, summary } from "../support/wire/exchange.ts";
import { call, draft, draftInbox, requireSeveral } from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const query = (callId: string): MethodCall => ["Mailbox/query", { filter: { role: "inbox" } }, callId];

const orders: readonly { slug: string; claim: string; calls: readonly MethodCall[] }[] = [
  {
    slug: "errors-between",
    claim: "Four calls, two of them of unknown methods, are answered in their order, each under its call id.",
    calls: [["Foo/bar", {}, "z"], query("m"), ["Foo/baz", {}, "b"], query("a")],
  },
  {
    slug: "repeated-call-id",
    claim: "Three calls, two of them under the same call id, are answered in their order.",
    calls: [query("a"), ["Foo/bar", {}, "b"], query("a")],
  },
];

const inOrder = orders.map(({ slug, claim, calls }) =>
  recommend({
    id: `B-JMAP-02/${slug}`,
    claim,
    needs: ["human"],
    act: async (target) => requireSeveral(await call(target, calls)),
    assert(exchange) {
      const expected = shown(calls.map(([, , id]) => id));
      const ids = methodResponses(exchange)?.map(([, , id]) => id);
      const observed = ids === undefined ? summary(exchange) : shown(ids);
      expectThat(observed === expected, `responses to ${expected}`, observed, exchange);
    },
  }),
);

/** Arguments beside `create` for which an `Email/set` must end in a method-level error. RFC 8620 §5.3. */
const failures: readonly { slug: string; words: string; args: JsonObject }[] = [
  {
    slug: "state-mismatch",
    words: "whose `ifInState` is not the state",
    args: { ifInState: "mailproof-none" },
  },
  { slug: "invalid-arguments", words: "whose `destroy` is a number", args: { destroy: 5 } },
];

const pollMs = 250;
const pollsAtMost = 20;

/**
 * The newest subjects of a mailbox, as soon as one is among them: an index may lag behind.
 *
 * @throws {InconclusiveError} control-refused, when it does not appear
 */
async function subjectsWith(target: Target, mailboxId: string, subject: string): Promise<readonly unknown[]> {
  for (let poll = 0; ; poll += 1) {
    const { exchange, mails } = await newestMails((calls) => call(target, calls), { mailboxId });
    const subjects = mails.map((mail) => mail["subject"]);
    if (subjects.includes(subject)) return subjects;
    if (poll >= pollsAtMost)
      throw controlRefused("listing a draft that was created", "its subject", exchange, "JMAP-05");
    await target.pause(pollMs);
  }
}

const unchanged = failures.map(({ slug, words, args }) =>
  recommend({
    id: `B-JMAP-32/${slug}`,
    claim: `\`Email/set\` ${words} ends in a method-level error and creates nothing.`,
    needs: ["human"],
    async act(target) {
      const inbox = await draftInbox(target);
      const [failed, made] = [newSubject(), newSubject()];
      const create = (subject: string): JsonObject => ({ create: { d1: draft(inbox, subject) } });
      const exchange = await call(target, [["Email/set", { ...create(failed), ...args }, "0"]]);
      const control = await call(target.control, [["Email/set", create(made), "0"]]);
      if (createdId(control, "0", "d1") === undefined)
        throw controlRefused("creating a draft", "200 with created", control, "JMAP-07");
      return { exchange, failed, subjects: await subjectsWith(target.control, inbox.mailboxId, made) };
    },
    assert({ exchange, failed, subjects }) {
      const name = responseTo(exchange, "0")?.name;
      expectThat(name === "error", "a method-level error", name ?? summary(exchange), exchange);
      expectThat(!subjects.includes(failed), "no draft of the failed call", "its draft", exchange);
    },
  }),
);

const notDestroyed = recommend({
  id: "B-JMAP-32/destroy",
  claim:
    "`Email/set` whose `ifInState` is not the state ends in a method-level error where it destroys alone, and destroys nothing.",
  needs: ["human"],
  async act(target) {
    const create = { d1: draft(await draftInbox(target), newSubject()) };
    const made = await call(target.setup, [["Email/set", { create }, "0"]]);
    const id = createdId(made, "0", "d1");
    if (id === undefined) throw controlRefused("creating a draft", "200 with created", made, "JMAP-07");
    const exchange = await call(target, [["Email/set", { ifInState: "mailproof-none", destroy: [id] }, "0"]]);
    const found = await call(target.control, [["Email/get", { ids: [id], properties: ["id"] }, "0"]]);
    const { list } = responseTo(found, "0")?.args ?? {};
    if (!Array.isArray(list)) throw controlRefused("reading a draft", "200 with list", found, "JMAP-06");
    return { exchange, isThere: list.length > 0 };
  },
  assert({ exchange, isThere }) {
    const name = responseTo(exchange, "0")?.name;
    explained("B-JMAP-32/state-mismatch", () => {
      expectThat(name === "error", "a method-level error", name ?? summary(exchange), exchange);
      expectThat(isThere, "the draft kept", "it destroyed", exchange);
    });
  },
});

/** Calls that fail, and those beside them. RFC 8620 §3.4, §3.6.2. */
export const failedCallChecks = [...inOrder, ...unchanged, notDestroyed];
