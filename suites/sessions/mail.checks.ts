import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { responseTo } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { expectAnswered } from "./expectations.ts";
import { askMailbox, createdId, draft, draftMailboxId, draftPlace, mailboxOf, markerOf } from "./mailbox.ts";

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
      createdId(exchange, "0") !== undefined,
      "the draft in created",
      `notCreated ${shown(notCreated)}`,
      exchange,
    );
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

export const mailChecks = [...reading, writing, withoutHeader];
