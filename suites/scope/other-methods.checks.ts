import { createdId, jmapAs, jmapBody, methodResponses, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { draftAddresses } from "../support/material/draft-addresses.ts";
import { type Reading, readingBody, readings } from "../support/material/reading-methods.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { readOnlyToken, sendingToken } from "./scoped-tokens.ts";
import { routeFrom } from "./submissions.ts";
import { newSubject } from "../support/material/plain-text-draft.ts";

/** Of the submission capability, which a target may keep from a token that cannot send (SCOPE-22). */
function isOfSubmissions(method: string): boolean {
  return /^(?:Identity|EmailSubmission)\//u.test(method);
}

function isAnswered(exchange: Exchange, method: string): boolean {
  if (isOfSubmissions(method)) return methodResponses(exchange) !== undefined;
  return responseTo(exchange, "0")?.name === method;
}

function expectAnswered(exchange: Exchange, method: string): void {
  if (isAnswered(exchange, method)) return;
  const response = responseTo(exchange, "0");
  const error = response === undefined ? "" : ` with ${response.name} ${shown(response.args["type"])}`;
  throw new Violation(`200 with a ${method} response`, `${summary(exchange)}${error}`, { exchange });
}

/** What methods that read show of the first inbox to a token with both scopes. */
async function shownToBoth(target: Target): Promise<readonly Reading[]> {
  const token = await sendingToken(target);
  const { from } = await routeFrom(target);
  return target.control.once(`scope:readings:${from.accountId}`, async (recording) => {
    const place = { accountId: from.accountId, human: "first", mailboxId: from.draftsId } as const;
    const addresses = await draftAddresses(recording, place);
    const ask = (body: string): Promise<Exchange> => jmapAs(recording, token, from.accountId, body);
    return readings(ask, { mailboxId: from.draftsId, addresses }, {});
  });
}

const everyReading = check({
  id: "SCOPE-12/other-reads",
  claim:
    "A `mail.read` token gets a result from every method that reads for a token with both scopes; submission methods may return an error.",
  needs: ["human"],
  async act(target) {
    const shownMethods = await shownToBoth(target);
    const [token, both] = [await readOnlyToken(target), await sendingToken(target)];
    const { accountId } = (await routeFrom(target)).from;
    const asked: { method: string; exchange: Exchange }[] = [];
    for (const reading of shownMethods) {
      const body = readingBody(reading, {});
      const exchange = await jmapAs(target, token, accountId, body);
      const { method } = reading;
      // What changed meanwhile may be refused to anybody: a state that is too old.
      if (
        isAnswered(exchange, method) ||
        isAnswered(await jmapAs(target.control, both, accountId, body), method)
      )
        asked.push({ method, exchange });
    }
    return asked;
  },
  assert(asked) {
    for (const { method, exchange } of asked)
      explained(method === "Email/get" ? "SCOPE-12/email-get" : undefined, () =>
        expectAnswered(exchange, method),
      );
  },
});

const mailboxWritten = check({
  id: "SCOPE-12/mailbox-set",
  claim: "A `mail.read` token may create a mailbox with `Mailbox/set`, where a token with both scopes may.",
  needs: ["human"],
  async act(target) {
    const control = await createdMailbox(target.control, await sendingToken(target));
    if (control.id === undefined) throw new NotApplicableError("the target lets nobody create a mailbox");
    const { exchange } = await createdMailbox(target, await readOnlyToken(target));
    return exchange;
  },
  assert: (exchange) => explained("SCOPE-12/email-set-create", () => expectAnswered(exchange, "Mailbox/set")),
});

/** Creates a mailbox, which is destroyed afterwards. */
async function createdMailbox(
  target: Target,
  token: string,
): Promise<{ readonly exchange: Exchange; readonly id: unknown }> {
  const { accountId } = (await routeFrom(target)).from;
  const create = { m1: { name: newSubject(), parentId: null } };
  const exchange = await jmapAs(target, token, accountId, jmapBody([["Mailbox/set", { create }, "0"]]));
  const id = createdId(exchange, "0", "m1");
  if (id !== undefined)
    await jmapAs(target.setup, token, accountId, jmapBody([["Mailbox/set", { destroy: [id] }, "0"]]));
  return { exchange, id };
}

/** `mail.read` grants every method that does not send. Document, "Authentication", OAuth 2.0 path 7. */
export const otherMethodChecks = [everyReading, mailboxWritten];
