import { type Exchange, jsonObjectsIn } from "../support/wire/exchange.ts";
import { createdId, createdIdIn, inboxQuery, jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { twoInboxes } from "../support/material/inboxes.ts";
import {
  expectFoundByBoth,
  expectSameIds,
  omittedAndNamed,
  queriedOnceFound,
  steadyReads,
} from "../support/judging/omitted-account.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import {
  draft,
  draftInbox,
  expectResult,
  ownInbox,
  requireResult,
  requireSeveral,
  strings,
} from "./own-inbox.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

const written = check({
  id: "JMAP-03/second-inbox",
  claim:
    "A draft that `Email/set` creates without `accountId` for a person's second inbox is in that inbox, and not in their first.",
  needs: ["human"],
  async act(target) {
    const [first, second] = await twoInboxes(target);
    const inbox = await draftInbox(target, second);
    const subject = newSubject();
    const token = await sharedAccessToken(target);
    const answer = await jmapAs(
      target,
      token,
      second,
      jmapBody([["Email/set", { create: { d1: draft(inbox, subject) } }, "0"]]),
    );
    const ids = [createdId(answer, "0", "d1") ?? "mailproof-none"];
    const read = (inbox: string, accountId: string): Promise<Exchange> =>
      jmapAs(
        target,
        token,
        inbox,
        jmapBody([["Email/get", { accountId, ids, properties: ["subject"] }, "0"]]),
      );
    return {
      subject,
      answer,
      inSecond: await read(second, inbox.jmapAccountId),
      inFirst: await read(first, (await ownInbox(target, first)).jmapAccountId),
    };
  },
  assert({ subject, answer, inSecond, inFirst }) {
    explained("JMAP-03/email-set", () => {
      const result = expectResult(answer, "0", "Email/set");
      expectThat(createdIdIn(result, "d1") !== undefined, "d1 in created", shown(result), answer);
    });
    const has = (exchange: Exchange): boolean =>
      jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]).some(
        (message) => message["subject"] === subject,
      );
    expectThat(!has(inFirst), "the draft not to be in the first inbox", "it there", inFirst);
    expectThat(has(inSecond), "the draft in the second inbox", "no such message", inSecond);
  },
});

const read = steadyReads.map((reading) =>
  check({
    id: `JMAP-03/second-inbox-${reading.slug}`,
    claim: `\`${reading.name}\` without \`accountId\`, sent for a person's second inbox after their first, returns the same as with it.`,
    needs: ["human"],
    async act(target) {
      const [first, second] = await twoInboxes(target);
      const { jmapAccountId } = await ownInbox(target, second);
      const token = await sharedAccessToken(target);
      await jmapAs(target, token, first, jmapBody([[reading.name, reading.args, "0"]]));
      return requireSeveral(await jmapAs(target, token, second, omittedAndNamed(reading, jmapAccountId)));
    },
    assert: (exchange) =>
      explained(reading.slug === "mailbox-query" ? "JMAP-03/mailbox-query" : undefined, () =>
        expectSameIds(exchange, reading.name),
      ),
  }),
);

const queried = check({
  id: "JMAP-03/second-inbox-email-query",
  claim:
    "`Email/query` without `accountId`, sent for a person's second inbox after their first, finds a message of the second.",
  needs: ["human"],
  async act(target) {
    const [first, second] = await twoInboxes(target);
    const inbox = await draftInbox(target, second);
    const { mailboxId, jmapAccountId: accountId } = inbox;
    const token = await sharedAccessToken(target);
    const create = { d1: draft(inbox, newSubject()) };
    const written = jmapBody([["Email/set", { accountId, create }, "0"]]);
    const made = await jmapAs(target.setup, token, second, written);
    const emailId = createdIdIn(requireResult(made, "0", "Email/set"), "d1");
    if (emailId === undefined) throw controlRefused("creating a draft", "d1 in created", made, "JMAP-07");
    await jmapAs(target, token, first, inboxQuery);
    const ask = async (body: string): Promise<Exchange> =>
      requireSeveral(await jmapAs(target, token, second, body));
    return { emailId, exchange: await queriedOnceFound(target, ask, { accountId, mailboxId, emailId }) };
  },
  assert: ({ emailId, exchange }) =>
    explained("JMAP-03/email-query", () => expectFoundByBoth(exchange, emailId)),
});

const byRole = check({
  id: "JMAP-04/second-inbox",
  claim:
    "`Mailbox/query` for the role `inbox`, asked for a person's first inbox and then for their second, finds a mailbox of each.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target);
    const looks: { readonly query: Exchange; readonly read: Exchange }[] = [];
    for (const inbox of await twoInboxes(target)) {
      const query = await jmapAs(target, token, inbox, inboxQuery);
      const ids = strings(responseTo(query, "0")?.args["ids"]);
      const get = jmapBody([["Mailbox/get", { ids, properties: ["role"] }, "0"]]);
      looks.push({ query, read: await jmapAs(target, token, inbox, get) });
    }
    return looks;
  },
  assert(looks) {
    for (const { query, read } of looks) {
      explained("JMAP-04", () => expectResult(query, "0", "Mailbox/query"));
      // The document does not show Mailbox/get.
      const got = responseTo(read, "0");
      if (got?.name !== "Mailbox/get") return;
      const roles = jsonObjectsIn(got.args["list"]).map((mailbox) => mailbox["role"]);
      explained("JMAP-04", () =>
        expectThat(isSameJson(roles, ["inbox"]), "one mailbox of the role inbox", shown(roles), read),
      );
    }
  },
});

/** In the inbox that comes first, a default is right by chance. Document, "Endpoints", JMAP endpoint, accountId. */
export const secondInboxChecks = [written, ...read, queried, byRole];
