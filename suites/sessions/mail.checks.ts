import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { createdId, responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isJsonObject } from "../support/wire/exchange.ts";
import { expectAnswered } from "./expectations.ts";
import { askMailbox, draft, draftMailboxId, draftPlace, mailboxOf, markerOf } from "./mailbox.ts";

const methods: readonly {
  slug: string;
  method: string;
  args: (target: Target) => Promise<Readonly<Record<string, unknown>>>;
}[] = [
  {
    slug: "email-query",
    method: "Email/query",
    args: async (target) => ({
      filter: { inMailbox: await draftMailboxId(target, "first") },
      sort: [{ property: "receivedAt", isAscending: false }],
      limit: 5,
    }),
  },
  {
    slug: "email-get",
    method: "Email/get",
    args: async (target) => ({
      ids: [(await markerOf(target, "first")).emailId],
      properties: ["id", "subject", "from", "receivedAt", "preview"],
    }),
  },
];

const reading = methods.map(({ slug, method, args }) =>
  check({
    id: `POW-61/${slug}`,
    claim: `\`${method}\` at \`apiUrl\` is answered for a capability.`,
    async act(target) {
      const mailbox = await mailboxOf(target);
      return askMailbox(target, mailbox, [
        [method, { accountId: mailbox.accountId, ...(await args(target)) }, "0"],
      ]);
    },
    assert: (exchange) => expectAnswered(exchange, method, "0"),
  }),
);

const writing = check({
  id: "POW-61/email-set",
  claim: "`Email/set` at `apiUrl` creates a draft for a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const place = await draftPlace(target, "first");
    return askMailbox(target, mailbox, [["Email/set", draft(place, unguessable()), "0"]]);
  },
  assert(exchange) {
    expectAnswered(exchange, "Email/set", "0");
    const { notCreated } = responseTo(exchange, "0")?.args ?? {};
    expectThat(
      createdId(exchange, "0", "draft") !== undefined,
      "the draft in created",
      `notCreated ${shown(notCreated)}`,
      exchange,
    );
  },
});

const draftRead = check({
  id: "POW-61/draft",
  claim:
    "A draft with subject, text and `$draft` that `Email/set` creates is read by `Email/get` as it was sent for a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const place = await draftPlace(target, "first");
    const subject = unguessable();
    const made = await askMailbox(target.setup, mailbox, [["Email/set", draft(place, subject), "0"]]);
    const id = createdId(made, "0", "draft");
    if (id === undefined)
      throw controlRefused("creating a draft", "its id in created", made, "POW-61/email-set");
    const properties = ["subject", "keywords", "mailboxIds", "textBody", "bodyValues"];
    const { accountId, mailboxId } = place;
    const args = { accountId, ids: [id], properties, fetchTextBodyValues: true };
    return { subject, mailboxId, exchange: await askMailbox(target, mailbox, [["Email/get", args, "0"]]) };
  },
  assert({ subject, mailboxId, exchange }) {
    explained("POW-61/email-get", () => expectAnswered(exchange, "Email/get", "0"));
    const { list } = responseTo(exchange, "0")?.args ?? {};
    const [message = {}] = Array.isArray(list) ? list.filter(isJsonObject) : [];
    const { keywords, mailboxIds, bodyValues } = message;
    const read = {
      subject: message["subject"],
      isDraft: isJsonObject(keywords) && keywords["$draft"] === true,
      isInMailbox: isJsonObject(mailboxIds) && mailboxIds[mailboxId] === true,
      hasText: JSON.stringify(bodyValues ?? null).includes(subject),
    };
    const sent = { subject, isDraft: true, isInMailbox: true, hasText: true };
    explained("JMAP-07", () => expectThat(shown(read) === shown(sent), shown(sent), shown(read), exchange));
  },
});

const withoutHeader = check({
  id: "POW-66",
  claim: "`Mailbox/query` with a capability and without the account header is answered.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    return askMailbox(target, mailbox, [
      ["Mailbox/query", { accountId: mailbox.accountId, filter: { role: "inbox" } }, "0"],
    ]);
  },
  assert: (exchange) => expectAnswered(exchange, "Mailbox/query", "0"),
});

export const mailChecks = [...reading, writing, draftRead, withoutHeader];
