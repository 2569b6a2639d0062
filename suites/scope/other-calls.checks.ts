import { check, observe } from "../support/judging/check.ts";
import { isSuccess, type JsonObject, summary } from "../support/wire/exchange.ts";
import { isRefusal, shown } from "../support/judging/expect.ts";
import { jmapAs, jmapBody, type MethodCall, requireServed, responseTo, urn } from "../support/actors/jmap.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { lookFor } from "./mailboxes.ts";
import {
  expectNotSent,
  expectSendRefused,
  harmlessCall,
  readOnlyTrial,
  type SendAttempt,
  withDelivery,
} from "./send-attempts.ts";
import type { Target } from "../support/target/target.ts";
import { draftFor, sendCall } from "./submissions.ts";
import { sendingToken } from "./scoped-tokens.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

interface CreateAndSend extends SendAttempt {
  /** The draft of the refused request is there. */
  readonly isDraftKept: boolean;
}

const createAndSend = check({
  id: "SCOPE-15",
  claim:
    "A request that creates a draft and sends it by back-reference is refused with `insufficient_scope` for a `mail.read` token.",
  needs: ["human"],
  async act(target): Promise<CreateAndSend> {
    const { token, route } = await readOnlyTrial(target);
    const { from } = route;
    const creating = (subject: string): MethodCall => [
      "Email/set",
      { create: { d1: draftFor(route, subject) } },
      "create",
    ];
    const request = (sender: Target, subject: string, call: MethodCall) =>
      jmapAs(sender, token, from.accountId, jmapBody([creating(subject), call]));
    const control = await request(target.control, newSubject(), harmlessCall);
    requireServed(control, "the same request without the send");
    const subject = newSubject();
    const exchange = await request(target, subject, sendCall({ route, emailId: "#d1" }));
    const drafts = { ...from, mailboxId: from.draftsId };
    const { found } = await lookFor(target.setup, await sendingToken(target), drafts, [subject]);
    // No id is known: the submissions are asked for a message that cannot be among them.
    const message = { route, emailId: "mailproof-none", subject };
    return {
      ...(await withDelivery(target, { message, route }, exchange)),
      isDraftKept: found.length > 0,
    };
  },
  assert(attempt): Warning | undefined {
    expectSendRefused(attempt);
    return attempt.isDraftKept
      ? warning("the draft of the refused request was created: a part of the request ran")
      : undefined;
  },
});

const otherUses: readonly { slug: string; words: string; args: JsonObject }[] = [
  { slug: "update", words: "cancels a submission", args: { update: { none: { undoStatus: "canceled" } } } },
  { slug: "destroy", words: "destroys a submission", args: { destroy: ["none"] } },
  { slug: "empty", words: "has no arguments", args: {} },
];

const withoutCreate = otherUses.map(({ slug, words, args }) =>
  observe({
    id: `SCOPE-20/${slug}`,
    question: `What does a \`mail.read\` token get for an \`EmailSubmission/set\` that ${words}?`,
    needs: ["human"],
    async act(target) {
      const { token, route } = await readOnlyTrial(target);
      return jmapAs(target, token, route.from.accountId, jmapBody([["EmailSubmission/set", args, "0"]]));
    },
    answer: summary,
  }),
);

const disposition = check({
  id: "SCOPE-21",
  claim: "`MDN/send` (RFC 9007) sends nothing for a `mail.read` token.",
  needs: ["human"],
  async act(target): Promise<SendAttempt> {
    const trial = await readOnlyTrial(target);
    const { token, message, route } = trial;
    const { accountId } = route.from;
    requireServed(
      await jmapAs(target.control, token, accountId, jmapBody([harmlessCall])),
      "a request with the mail.read token that sends nothing",
    );
    const notification = {
      forEmailId: message.emailId,
      subject: message.subject,
      disposition: { actionMode: "manual-action", sendingMode: "mdn-sent-manually", type: "displayed" },
    };
    const args = { accountId: route.from.jmapAccountId, ...route.more, send: { k1: notification } };
    const using = [urn.core, urn.mail, urn.submission, "urn:ietf:params:jmap:mdn"];
    const exchange = await jmapAs(target, token, accountId, jmapBody([["MDN/send", args, "0"]], using));
    return withDelivery(target, trial, exchange);
  },
  assert(attempt): Warning | undefined {
    expectNotSent(attempt);
    const { exchange } = attempt;
    if (isRefusal(exchange)) return undefined;
    const { name, args } = responseTo(exchange, "0") ?? { name: "", args: {} };
    if (isSuccess(exchange) && name === "error") return undefined;
    return warning(
      `nothing was sent, but the answer is not a refusal: ${summary(exchange)} ${name} ${shown(args["notSent"])}`,
    );
  },
});

export const otherCallChecks = [createAndSend, ...withoutCreate, disposition];
