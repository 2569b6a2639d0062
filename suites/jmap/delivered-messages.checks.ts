import { check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { expectResult, refusesCopies } from "./own-inbox.ts";
import { letterTo, provenParties, readArrived, requireSent } from "./parties.ts";
import { isSent, sendFrom } from "./sending.ts";

const needs: readonly Need[] = ["human", "second-human"];

const text =
  "Gr\u{00FC}\u{00DF}e aus Z\u{00FC}rich, \u{4F60}\u{597D} \u{1F4EC}\nThe second line, with 100 % of its letters.";

/** Lines that mean something else on the way: to SMTP, to a mailbox file, to HTML, to quoted-printable or to a template. */
const literalLines = [
  "The next line is a full stop.",
  ".",
  "..two of them",
  "From here on, nothing is changed.",
  "<b>1 < 2</b> &amp; &lt;tag&gt; =41=3D",
  "{{name}} ${name} %NAME%",
];

// Beyond the basic plane, of several code points each, and longer than an encoded word (RFC 2047 §2) in every language.
const title =
  "\u{1F469}\u{200D}\u{1F4BB} \u{1F1EF}\u{1F1F5} n\u{0303}andu\u{0301} z\u{0335}q\u{0323}\u{0307} " +
  "\u{65E5}\u{672C}\u{8A9E}\u{306E}\u{9577}\u{3044}\u{4EF6}\u{540D}\u{304C}\u{6298}\u{308A}\u{8FD4}\u{3055}\u{308C}\u{3066}\u{3082}\u{4E00}\u{6587}\u{5B57}\u{3082}\u{6B20}\u{3051}\u{306A}\u{3044}\u{3053}\u{3068}\u{3092}\u{78BA}\u{304B}\u{3081}\u{308B}\u{305F}\u{3081}\u{306E}\u{3082}\u{306E}";

/** A message with all that the document shows of a draft, and how its recipient reads it. */
interface Delivery {
  readonly letter: {
    readonly from: string;
    readonly to: string;
    /** None where the target takes no copies, which the document does not show. */
    readonly cc: string | undefined;
    readonly subject: string;
  };
  /** Reads the message for its recipient. */
  readonly read: Exchange;
}

/** Sent once a run. @throws {InconclusiveError} precondition-missing, when it does not arrive */
function delivery(target: Target): Promise<Delivery> {
  return target.once("jmap:delivery", async (recording) => {
    const parties = await provenParties(recording);
    const { senderId, own, foreign } = parties;
    const to = [foreign.address];
    const sentText = [text, ...literalLines].join("\n");
    const letter = { to, rcptTo: to, title, text: sentText };
    const copied = await sendFrom(recording.setup, senderId, { ...letter, copyTo: [own.address] });
    const hasCopies = !refusesCopies(copied.exchange, "create");
    const sent = requireSent(hasCopies ? copied : await sendFrom(recording.setup, senderId, letter));
    const properties = ["subject", "from", "to", "cc", "bcc", "keywords", "textBody", "bodyValues"];
    const read = await readArrived(recording, parties, foreign, sent, properties);
    const { subject, from } = sent;
    return { letter: { subject, from, to: foreign.address, cc: hasCopies ? own.address : undefined }, read };
  });
}

function messageIn({ read }: Delivery): JsonObject {
  const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
  return message;
}

// Line ends, and where a line is folded, are the mail transport's.
const unfolded = (value: string): string => value.replaceAll(/\s+/gu, " ").trim();

function textsOf(delivered: Delivery): readonly string[] {
  const { bodyValues } = messageIn(delivered);
  const parts = isJsonObject(bodyValues) ? jsonObjectsIn(Object.values(bodyValues)) : [];
  return parts.map(({ value }) => unfolded(String(value)));
}

const textArrives = check({
  id: "JMAP-08/text",
  claim: "The recipient of a message reads its text as it was sent, letters beyond ASCII included.",
  needs,
  act: delivery,
  assert(delivered) {
    const values = textsOf(delivered);
    // A footer may have been added.
    const isThere = values.some((value) => value.includes(unfolded(text)));
    explained("JMAP-07/non-ascii", () =>
      expectThat(isThere, `the text ${shown(text)}`, shown(values), delivered.read),
    );
  },
});

// RFC 8621 §4.1.2.2: text is read in Normalization Form C.
const normalised = (value: unknown): string => unfolded(String(value).normalize("NFC"));

const everyLineArrives = check({
  id: "JMAP-08/literal-text",
  claim:
    "The recipient of a message reads its lines as they were sent: a full stop alone, `From `, markup and escapes included.",
  needs,
  act: delivery,
  assert(delivered): Warning | undefined {
    const values = textsOf(delivered);
    const lost = literalLines.find(
      (line) => !values.some((value) => value.includes(unfolded(`\n${line}\n`))),
    );
    const sent = unfolded(literalLines.join("\n"));
    const isThere = values.some((value) => value.includes(sent));
    // Mail systems on the way may write ">From ", and the document says nothing about texts.
    return isThere
      ? undefined
      : warning(`the line ${shown(lost ?? sent)} was changed on the way: ${shown(values)}`);
  },
});

const subjectArrives = check({
  id: "JMAP-08/subject",
  claim:
    "The recipient of a message reads its subject as it was sent: emoji, combining characters and long Japanese included.",
  needs,
  act: delivery,
  assert(delivered) {
    const { subject } = messageIn(delivered);
    const sent = `${delivered.letter.subject} ${title}`;
    // A gateway may have marked it: "[External] …".
    const isThere = normalised(subject).includes(normalised(sent));
    const isShortened = normalised(sent).startsWith(normalised(subject));
    explained(isShortened ? "JMAP-07/long" : "JMAP-07/non-ascii", () =>
      expectThat(isThere, `the subject ${shown(sent)}`, shown(subject), delivered.read),
    );
  },
});

const addresses = (list: unknown): string[] =>
  jsonObjectsIn(list).map(({ email }) => String(email).toLowerCase());

const addressesArrive = check({
  id: "JMAP-08/addresses",
  claim: "The recipient of a message reads the addresses in `from`, `to` and `cc` that it was sent with.",
  needs,
  act: delivery,
  assert(delivered) {
    const message = messageIn(delivered);
    const { from, to, cc } = delivered.letter;
    const sent = shown({ from: [from], to: [to], cc: cc === undefined ? [] : [cc] }).toLowerCase();
    const read = shown({
      from: addresses(message["from"]),
      to: addresses(message["to"]),
      cc: addresses(message["cc"]),
    });
    explained("JMAP-07/addresses", () => expectThat(read === sent, sent, read, delivered.read));
  },
});

const noBlindCopies = check({
  id: "JMAP-08/no-bcc",
  claim: "The recipient of a message is not shown its `bcc`.",
  needs,
  act: delivery,
  assert(delivered) {
    if (delivered.letter.cc === undefined)
      throw new NotApplicableError("the target creates no draft with `cc` and `bcc`");
    const shownTo = addresses(messageIn(delivered)["bcc"]);
    expectThat(shownTo.length === 0, "no bcc", shown(shownTo), delivered.read);
  },
});

const noDraft = check({
  id: "JMAP-08/no-draft",
  claim: "The recipient of a message that was created with `$draft` reads it without the keyword `$draft`.",
  needs,
  act: delivery,
  assert(delivered) {
    const { keywords } = messageIn(delivered);
    const isDraft = isJsonObject(keywords) && keywords["$draft"] === true;
    expectThat(!isDraft, "keywords without $draft", shown(keywords), delivered.read);
  },
});

const longTitle = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ");

const longSubjectArrives = check({
  id: "JMAP-08/long-subject",
  claim: "The recipient of a message reads the whole of a subject of some 300 characters.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const sent = await sendFrom(target, senderId, { ...letterTo(foreign), title: longTitle });
    if (!isSent(sent))
      throw new NotApplicableError("the target sends no message with a subject of that length");
    const read = await readArrived(target, parties, foreign, sent, ["subject"]);
    return { sent: `${sent.subject} ${longTitle}`, read };
  },
  assert({ sent, read }) {
    const [{ subject } = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    explained("JMAP-07/long", () =>
      expectThat(normalised(subject).includes(sent), `the subject ${shown(sent)}`, shown(subject), read),
    );
  },
});

// A comma stands between addresses, unless it is quoted; an encoded word may have no quotes around it (RFC 2047 §5).
const senderNames = ["Garc\u{00ED}a, Zo\u{00EB} \u{1F33B}", "O'Hara, Ann (Sales)"];

const senderNameArrives = check({
  id: "JMAP-08/sender-name",
  claim:
    "The recipient of a message reads the name of its sender as it was sent, commas and accents included.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const to = [foreign.address];
    const names: { readonly sent: string; readonly read: unknown; readonly exchange: Exchange }[] = [];
    for (const senderName of senderNames) {
      const sent = await sendFrom(target, senderId, { to, rcptTo: to, senderName });
      // Who may write which name into `from` is the target's own choice.
      if (!isSent(sent))
        throw new NotApplicableError("the target sends no message with a name in its `from`");
      const read = await readArrived(target, parties, foreign, sent, ["from"]);
      const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
      names.push({ sent: senderName, read: jsonObjectsIn(message["from"])[0]?.["name"], exchange: read });
    }
    return names;
  },
  assert(names): Warning | undefined {
    const changed = names.find(({ sent, read }) => normalised(read) !== normalised(sent));
    // A mail system may put another name in its place, and the document says nothing about it.
    return changed && warning(`the name ${shown(changed.sent)} was read as ${shown(changed.read)}`);
  },
});

const otherInboxAsSender = check({
  id: "JMAP-08/second-sender",
  claim:
    "The recipient of a message from another inbox of a person reads the address of that inbox in `from`.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { own, foreign } = parties;
    const sent = await sendFrom(target.setup, own.accountId, letterTo(foreign));
    // It may be active and read only (C-86).
    if (!isSent(sent)) throw new NotApplicableError("the other inbox of the person sends nothing");
    return { from: sent.from, read: await readArrived(target, parties, foreign, sent, ["from"]) };
  },
  assert({ from, read }) {
    const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
    const addresses = jsonObjectsIn(message["from"]).map(({ email }) => String(email).toLowerCase());
    explained("JMAP-08/addresses", () =>
      expectThat(addresses.join() === from.toLowerCase(), `from ${shown(from)}`, shown(addresses), read),
    );
  },
});

/** What is sent is what arrives, without its blind copies. Document, "Endpoints", JMAP API; RFC 8621 §7.5. */
export const deliveredMessageChecks = [
  textArrives,
  everyLineArrives,
  subjectArrives,
  addressesArrive,
  noBlindCopies,
  noDraft,
  longSubjectArrives,
  senderNameArrives,
  otherInboxAsSender,
];
