import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import {
  bearer,
  inboxQuery,
  jsonContentType,
  type MethodCall,
  methodResponses,
  postJmap,
  responseTo,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, Violation, warning } from "../support/verdict.ts";
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

interface Sender {
  readonly address: string;
  readonly identityId: string | undefined;
}

/** The agent's own address: what Identity/get or the session document says. */
async function senderOf(target: Target, mailbox: Mailbox): Promise<Sender> {
  const identities = await askMailbox(target, mailbox, [
    ["Identity/get", { accountId: mailbox.accountId, ids: null }, "0"],
  ]);
  const list = responseTo(identities, "0")?.args["list"];
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const { id, email } = isJsonObject(first) ? first : {};
  const identityId = typeof id === "string" ? id : undefined;
  // RFC 8621 §6: an identity whose address begins with * stands for a whole domain.
  if (typeof email === "string" && !email.startsWith("*")) return { address: email, identityId };
  const { username } = jsonMembers(await followedSessionDocument(target, [bearer(mailbox.capability)]));
  if (typeof username === "string" && username.includes("@")) return { address: username, identityId };
  throw new BlockedError(
    "needs the address of an agent's inbox; neither Identity/get nor the session document shows one",
  );
}

/** Draft and submission in one request, as the document shows them. */
function sending(
  accountId: string,
  mailboxId: string,
  { address, identityId }: Sender,
): readonly MethodCall[] {
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
          sent: {
            emailId: "#draft",
            ...(identityId !== undefined && { identityId }),
            envelope: { mailFrom: email, rcptTo: [email] },
          },
        },
      },
      "1",
    ],
  ];
}

// Errors of RFC 8620 §5.3 and RFC 8621 §7.5 by which a limit or a new inbox's reputation holds a mail back.
const holdingBack: readonly unknown[] = ["overQuota", "rateLimit", "forbiddenToSend"];

/** Why a mail was not sent: the type of the error of its submission, or of the draft before it. */
function refusalOf(exchange: Exchange): unknown {
  for (const callId of ["1", "0"]) {
    const args = responseTo(exchange, callId)?.args ?? {};
    const errors = isJsonObject(args["notCreated"]) ? Object.values(args["notCreated"]) : [args];
    const error = errors.find((found) => isJsonObject(found) && typeof found["type"] === "string");
    if (isJsonObject(error)) return error["type"];
  }
  return undefined;
}

const submission = check({
  id: "POW-63",
  claim: "An agent sends a mail to itself by `EmailSubmission/set` with a capability.",
  async act(target) {
    const mailbox = await mailboxOf(target);
    const { accountId } = mailbox;
    const mailboxId = await inboxMailboxId(target, "first");
    const sender = await senderOf(target.setup, mailbox);
    const withoutIdentity = { ...sender, identityId: undefined };
    const first = await askMailbox(target, mailbox, sending(accountId, mailboxId, withoutIdentity));
    if (createdId(first, "1", "sent") !== undefined || sender.identityId === undefined)
      return { sent: first, isSecond: false };
    const second = await askMailbox(target, mailbox, sending(accountId, mailboxId, sender));
    return { sent: second, isSecond: true };
  },
  assert({ sent, isSecond }) {
    if (createdId(sent, "1", "sent") !== undefined)
      return isSecond ? warning("sent only with an identityId, which the document leaves out") : undefined;
    const type = refusalOf(sent);
    if (isSuccess(sent) && holdingBack.includes(type)) {
      throw new InconclusiveError("precondition-missing", `the inbox may not send now: ${shown(type)}`, {
        exchange: sent,
      });
    }
    throw new Violation(
      "the submission in created",
      isSuccess(sent) ? `the error ${shown(type)}` : summary(sent),
      { exchange: sent },
    );
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
    headers: (capability) => [bearer(withOtherSignature(capability))],
  },
  {
    slug: "alg-none",
    words: "an unsigned capability whose `alg` is `none`",
    headers: (capability) => [bearer(unsigned(capability))],
  },
];

/** Bits changed in the middle of the signature: its last character may hold bits that decoders ignore. */
function withOtherSignature(jwt: string): string {
  const at = Math.floor((jwt.lastIndexOf(".") + jwt.length) / 2);
  return jwt.slice(0, at) + (jwt[at] === "A" ? "B" : "A") + jwt.slice(at + 1);
}

function unsigned(jwt: string): string {
  const [head = "", payload = ""] = jwt.split(".");
  const header: unknown = JSON.parse(Buffer.from(head, "base64url").toString("utf8"));
  const unsignedHeader = { ...(isJsonObject(header) ? header : {}), alg: "none" };
  return `${Buffer.from(JSON.stringify(unsignedHeader)).toString("base64url")}.${payload}.`;
}

/** @throws {InconclusiveError} control-refused, when a valid capability opens no session document */
function requireDocumentServed(target: Target): Promise<Exchange> {
  return target.control.once("sessions:document-control", async (recording) => {
    const { capability } = await mailboxOf(recording);
    const exchange = await followedSessionDocument(recording, [bearer(capability)]);
    if (isSuccess(exchange)) return exchange;
    throw controlRefused("the session document with a capability", "2xx", exchange, "POW-59");
  });
}

/** @throws {InconclusiveError} control-refused, when JMAP does not serve a valid capability */
function requireJmapServed(target: Target): Promise<Exchange> {
  return target.control.once("sessions:api-url-control", async (recording) => {
    const { capability, apiUrl } = await mailboxOf(recording);
    const exchange = await queryInbox(recording, apiUrl, [bearer(capability)]);
    if (methodResponses(exchange) !== undefined) return exchange;
    throw controlRefused("a JMAP request with a capability", "method responses", exchange, "POW-66");
  });
}

function queryInbox(
  target: Target,
  apiUrl: string,
  headers: readonly (readonly [string, string])[],
): Promise<Exchange> {
  return postJmap(target, { url: apiUrl, headers: [...headers, jsonContentType], body: inboxQuery });
}

const badCredentials = credentials.flatMap(({ slug, words, headers }) => [
  check({
    id: `POW-62/session-document-${slug}`,
    claim: `The session document is refused for ${words}.`,
    async act(target) {
      await requireDocumentServed(target);
      const { capability } = await mailboxOf(target);
      return followedSessionDocument(target, headers(capability));
    },
    assert: expectNothingShown,
  }),
  check({
    id: `POW-62/api-url-${slug}`,
    claim: `A JMAP request to \`apiUrl\` is refused for ${words}.`,
    async act(target) {
      await requireJmapServed(target);
      const { capability, apiUrl } = await mailboxOf(target);
      return queryInbox(target, apiUrl, headers(capability));
    },
    assert: expectNothingShown,
  }),
]);

export const mailChecks = [...reading, writing, withoutHeader, submission, ...badCredentials];
