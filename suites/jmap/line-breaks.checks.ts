import { type Exchange, jsonObjectsIn } from "../support/wire/exchange.ts";
import { jmapAs, jmapBody } from "../support/actors/jmap.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { expectResult } from "./own-inbox.ts";
import { arrivalMs, arrivedMail, hasArrived, patienceMs, provenParties } from "./parties.ts";
import { isSent, type Letter, sendFrom } from "./sending.ts";

const needs: readonly Need[] = ["human", "second-human"];

/** A header field behind the line break, which an address book or a web form may have put into the text. */
const places: readonly {
  slug: string;
  /** Reads after "A line break and a field `Cc` in". */
  words: string;
  letter: (field: string) => Partial<Letter>;
}[] = [
  { slug: "subject", words: "the subject", letter: (field) => ({ title: `x\r\n${field}` }) },
  { slug: "name", words: "the sender's name", letter: (field) => ({ senderName: `x\r\n${field}` }) },
];

interface BrokenLine {
  readonly exchange: Exchange;
  /** Of the message at its recipient; undefined when the target refused to send it. */
  readonly read: Exchange | undefined;
  /** Named by the field behind the line break alone. */
  readonly copied: string;
}

async function sendBroken(target: Target, change: (field: string) => Partial<Letter>): Promise<BrokenLine> {
  const parties = await provenParties(target);
  const { senderId, own, foreign } = parties;
  const to = [foreign.address];
  const sent = await sendFrom(target, senderId, { to, rcptTo: to, ...change(`Cc: ${own.address}`) });
  const { exchange, subject } = sent;
  if (!isSent(sent)) return { exchange, read: undefined, copied: own.address };
  await arrivalMs(target, foreign, subject, patienceMs(parties));
  const mail = await arrivedMail(target, foreign, subject);
  // No delivery is promised, of such a message least of all.
  if (mail === undefined) throw new NotApplicableError("the message was taken, and arrived nowhere");
  const token = await sharedAccessToken(target, { human: "second" });
  const body = jmapBody([["Email/get", { ids: [mail["id"]], properties: ["cc"] }, "0"]]);
  return { exchange, read: await jmapAs(target, token, foreign.accountId, body), copied: own.address };
}

const noField = places.map(({ slug, words, letter }) =>
  check({
    id: `JMAP-08/line-break-in-${slug}`,
    claim: `A line break and a field \`Cc\` in ${words} of a message add no \`cc\` to it; one that does passes with a warning.`,
    needs,
    act: (target) => sendBroken(target, letter),
    assert({ read, copied }): Warning | undefined {
      if (read === undefined) return undefined;
      const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
      const addresses = jsonObjectsIn(message["cc"]).map(({ email }) => String(email).toLowerCase());
      // The document does not speak of line breaks; nobody gets the message by such a field (JMAP-08/nobody-copied).
      return addresses.includes(copied.toLowerCase())
        ? warning(`the recipient reads cc ${shown(addresses)}`)
        : undefined;
    },
  }),
);

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

const noRecipient = check({
  id: "JMAP-08/line-break-in-recipient",
  claim:
    "A line break and a command `RCPT TO` in an address of `rcptTo` do not bring the message to the address in that command.",
  needs,
  async act(target) {
    const { senderId, own, foreign, deliveryMs } = await provenParties(target);
    const rcptTo = [`${own.address}>\r\nRCPT TO:<${foreign.address}`];
    const { exchange, subject } = await sendFrom(target, senderId, { to: [own.address], rcptTo });
    await target.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return { exchange, isElsewhere: await hasArrived(target, foreign, subject) };
  },
  assert: ({ exchange, isElsewhere }) =>
    expectThat(!isElsewhere, "the message not there", "it at the address in the command", exchange),
});

/** What is text in JMAP stays text in the message and in SMTP. Document, "Endpoints", JMAP API: `subject`, `from`, `envelope`. */
export const lineBreakChecks = [...noField, noRecipient];
