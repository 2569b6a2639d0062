import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import {
  bearer,
  inboxQuery,
  jsonContentType,
  type MethodCall,
  postJmap,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, Violation, warning } from "../support/verdict.ts";
import { expectAnswered, expectNothingShown } from "./expectations.ts";
import {
  askMailbox,
  createdId,
  draft,
  inboxMailboxId,
  type Mailbox,
  mailboxOf,
  markerOf,
} from "./mailbox.ts";

const methods: readonly {
  slug: string;
  method: string;
  args: (target: Target) => Promise<Readonly<Record<string, unknown>>>;
}[] = [
  { slug: "mailbox-query", method: "Mailbox/query", args: async () => ({ filter: { role: "inbox" } }) },
  {
    slug: "email-query",
    method: "Email/query",
    args: async (target) => ({
      filter: { inMailbox: await inboxMailboxId(target, "first") },
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
    claim: `${method} posted to apiUrl with a capability is answered.`,
    needs: [],
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
  claim: "Email/set posted to apiUrl with a capability creates a draft.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const mailboxId = await inboxMailboxId(target, "first");
    return askMailbox(target, mailbox, [
      ["Email/set", draft(mailbox.accountId, mailboxId, unguessable()), "0"],
    ]);
  },
  assert(exchange) {
    expectAnswered(exchange, "Email/set", "0");
    const { notCreated } = responseTo(exchange, "0")?.args ?? {};
    expectThat(
      createdId(exchange, "0") !== undefined,
      "the draft in created",
      `notCreated ${shown(notCreated)}`,
    );
  },
});

const withoutHeader = check({
  id: "POW-66",
  claim: "A request with a capability is answered without the account header.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    return askMailbox(target, mailbox, [
      ["Mailbox/query", { accountId: mailbox.accountId, filter: { role: "inbox" } }, "0"],
    ]);
  },
  assert: (exchange) => expectAnswered(exchange, "Mailbox/query", "0"),
});

/** The agent's own address: what the session document or Identity/get says. */
async function ownAddress(target: Target, mailbox: Mailbox): Promise<string> {
  const identities = await askMailbox(target, mailbox, [
    ["Identity/get", { accountId: mailbox.accountId, ids: null }, "0"],
  ]);
  const list = responseTo(identities, "0")?.args["list"];
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  if (isJsonObject(first) && typeof first["email"] === "string") return first["email"];
  const { username } = jsonMembers(await followedSessionDocument(target, [bearer(mailbox.capability)]));
  if (typeof username === "string" && username.includes("@")) return username;
  throw new BlockedError(
    "needs the address of an agent's inbox; neither Identity/get nor the session document shows one",
  );
}

/** Draft and submission in one request, as the document shows them. */
function sending(accountId: string, mailboxId: string, address: string): readonly MethodCall[] {
  const subject = unguessable();
  const email = { email: address };
  return [
    [
      "Email/set",
      {
        accountId,
        create: {
          draft: {
            mailboxIds: { [mailboxId]: true },
            from: [email],
            to: [email],
            subject,
            keywords: { $draft: true },
            textBody: [{ partId: "1", type: "text/plain" }],
            bodyValues: { "1": { value: subject } },
          },
        },
      },
      "0",
    ],
    [
      "EmailSubmission/set",
      {
        accountId,
        create: {
          sent: { emailId: "#draft", envelope: { mailFrom: email, rcptTo: [email] } },
        },
      },
      "1",
    ],
  ];
}

const submission = check({
  id: "POW-63",
  claim: "An agent sends a mail to itself by EmailSubmission/set with a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const mailboxId = await inboxMailboxId(target, "first");
    const address = await ownAddress(target, mailbox);
    return askMailbox(target, mailbox, sending(mailbox.accountId, mailboxId, address));
  },
  assert(exchange) {
    if (!isSuccess(exchange)) throw new Violation("200: this path has no scopes", summary(exchange));
    if (createdId(exchange, "1", "sent") !== undefined) return undefined;
    // A limit or the reputation of a new inbox may stand against it; the document does not say.
    const { name, args } = responseTo(exchange, "1") ?? { name: "nothing", args: {} };
    return warning(`not sent: ${name} ${shown(args["type"] ?? args["notCreated"])}`);
  },
});

const credentials: readonly {
  slug: string;
  words: string;
  headers: (capability: string) => readonly (readonly [string, string])[];
}[] = [
  { slug: "none", words: "no credential", headers: () => [] },
  { slug: "garbage", words: "a random bearer token", headers: () => [bearer(unguessable())] },
  {
    slug: "tampered",
    words: "a capability whose signature was changed",
    headers: (capability) => [bearer(tampered(capability))],
  },
  {
    slug: "alg-none",
    words: "a capability with alg none and no signature",
    headers: (capability) => [bearer(unsigned(capability))],
  },
];

/** Bits changed in the middle of the signature: its last character may hold bits that decoders ignore. */
function tampered(jwt: string): string {
  const at = Math.floor((jwt.lastIndexOf(".") + jwt.length) / 2);
  return jwt.slice(0, at) + (jwt[at] === "A" ? "B" : "A") + jwt.slice(at + 1);
}

function unsigned(jwt: string): string {
  const [head = "", payload = ""] = jwt.split(".");
  const header: unknown = JSON.parse(Buffer.from(head, "base64url").toString("utf8"));
  const unsignedHeader = { ...(isJsonObject(header) ? header : {}), alg: "none" };
  return `${Buffer.from(JSON.stringify(unsignedHeader)).toString("base64url")}.${payload}.`;
}

const badCredentials = credentials.flatMap(({ slug, words, headers }) => [
  check({
    id: `POW-62/session-document-${slug}`,
    claim: `The session document is refused for ${words}.`,
    needs: [],
    async act(target) {
      const { capability } = await mailboxOf(target);
      return followedSessionDocument(target, headers(capability));
    },
    assert: expectNothingShown,
  }),
  check({
    id: `POW-62/api-url-${slug}`,
    claim: `A JMAP request to apiUrl is refused for ${words}.`,
    needs: [],
    async act(target) {
      await inboxMailboxId(target, "first");
      const { capability, apiUrl } = await mailboxOf(target);
      return postJmap(target, {
        url: apiUrl,
        headers: [...headers(capability), jsonContentType],
        body: inboxQuery,
      });
    },
    assert: expectNothingShown,
  }),
]);

export const mailChecks = [...reading, writing, withoutHeader, submission, ...badCredentials];
