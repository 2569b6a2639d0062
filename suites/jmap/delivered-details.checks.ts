import { unguessable } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { expectResult } from "./own-inbox.ts";
import { arrivalsOf, arrivedNowhere, letterTo, provenParties, readArrived, requireSent } from "./parties.ts";
import { isSent, sendFrom } from "./sending.ts";

const needs: readonly Need[] = ["human", "second-human"];

// Each of them is something that a mail system might tidy up on the way.
const lines = [
  "two  spaces,   three of them",
  "a line that ends in two spaces  ",
  "a sign-off follows",
  "-- ",
  "the end",
];
const decomposed =
  "Ame\u{301}lie, Zu\u{308}rich, Vie\u{302}\u{323}t, \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}";
const title = "two  spaces in a subject";
// A comma stands between addresses, unless it is quoted.
const recipientName = "Garc\u{ED}a, Zo\u{EB} (Sales)";

/** A message to two people, and how one of them reads it. */
interface Delivery {
  readonly to: readonly string[];
  readonly subject: string;
  readonly read: Exchange;
}

/** Sent once a run. @throws {InconclusiveError} precondition-missing, when it does not arrive */
function delivery(target: Target): Promise<Delivery> {
  return target.once("jmap:delivered-details", async (recording) => {
    const parties = await provenParties(recording);
    const { senderId, own, foreign } = parties;
    const to = [foreign.address, own.address];
    const text = [...lines, decomposed].join("\n");
    const sent = requireSent(
      await sendFrom(recording.setup, senderId, { to, rcptTo: to, title, text, recipientName }),
    );
    const properties = ["subject", "to", "textBody", "bodyValues"];
    const read = await readArrived(recording, parties, foreign, sent, properties);
    return { to, subject: `${sent.subject} ${title}`, read };
  });
}

function messageIn(read: Exchange): JsonObject {
  const [message = {}] = jsonObjectsIn(expectResult(read, "0", "Email/get")["list"]);
  return message;
}

/** Warns of a line that is not there as it was sent, whatever ends it. */
function changedLine(read: Exchange, sent: readonly string[]): Warning | undefined {
  const { bodyValues } = messageIn(read);
  const parts = isJsonObject(bodyValues) ? jsonObjectsIn(Object.values(bodyValues)) : [];
  const found = parts.flatMap(({ value }) => String(value).split(/\r?\n/u));
  const changed = sent.find((line) => !found.includes(line));
  return changed === undefined
    ? undefined
    : warning(`the line ${shown(changed)} was changed on the way: ${shown(found)}`);
}

const everyTo = check({
  id: "JMAP-08/several-to",
  claim: "The recipient of a message to two people reads both addresses in its `to`.",
  needs,
  act: delivery,
  assert({ to, read }) {
    const found = jsonObjectsIn(messageIn(read)["to"]).map(({ email }) => String(email).toLowerCase());
    const isThere = to.every((address) => found.includes(address.toLowerCase()));
    explained("JMAP-08/addresses", () => expectThat(isThere, shown(to), shown(found), read));
  },
});

const namesInTo = check({
  id: "JMAP-08/recipient-name",
  claim:
    "The recipient of a message reads the names in its `to` as they were sent, commas and accents included.",
  needs,
  act: delivery,
  assert({ read }): Warning | undefined {
    const names = jsonObjectsIn(messageIn(read)["to"]).map(({ name }) => name);
    const changed = names.find((name) => String(name).normalize("NFC") !== recipientName);
    // A mail system may put names of its own in their place, and the document says nothing about it.
    return names.length > 0 && changed === undefined && !names.includes(undefined)
      ? undefined
      : warning(`the name ${shown(recipientName)} was read as ${shown(names)}`);
  },
});

// The document says nothing about texts, and mail systems on the way may change spaces.
const spaces = check({
  id: "JMAP-08/spaces",
  claim:
    "The recipient of a message reads its spaces as they were sent: several in a row, and at the end of a line.",
  needs,
  act: delivery,
  assert({ read, subject }): Warning | undefined {
    const shownSubject = String(messageIn(read)["subject"]);
    // A gateway may have marked it: "[External] …".
    return shownSubject.includes(subject)
      ? changedLine(read, lines)
      : warning(`the subject ${shown(subject)} was read as ${shown(shownSubject)}`);
  },
});

const combined = check({
  id: "JMAP-08/decomposed",
  claim:
    "The recipient of a message reads letters with combining characters in its text as they were sent, code point by code point.",
  needs,
  act: delivery,
  assert: ({ read }) => changedLine(read, [decomposed]),
});

function isSeen(read: Exchange): boolean {
  const { keywords } = messageIn(read);
  return isJsonObject(keywords) && keywords["$seen"] === true;
}

const unread = check({
  id: "JMAP-08/unread",
  claim:
    "A message that was created with `$seen` arrives without that keyword, as one that was created without it.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const sent = await sendFrom(target.setup, senderId, { ...letterTo(foreign), keyword: "$seen" });
    if (!isSent(sent)) throw new NotApplicableError("the target sends no message with the keyword $seen");
    const read = await readArrived(target, parties, foreign, sent, ["keywords"]);
    const other = requireSent(await sendFrom(target.setup, senderId, letterTo(foreign)));
    const control = await readArrived(target.control, parties, foreign, other, ["keywords"]);
    if (isSeen(control)) throw new NotApplicableError("mail arrives with the keyword $seen");
    return read;
  },
  assert: (read) =>
    explained("JMAP-08/no-draft", () =>
      expectThat(!isSeen(read), "keywords without $seen", shown(messageIn(read)["keywords"]), read),
    ),
});

const behindUnknown = check({
  id: "JMAP-08/behind-unknown",
  claim:
    "A message whose envelope names an address that nobody has, and then one that somebody has, arrives there, unless it is refused.",
  needs,
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const domain = foreign.address.split("@").at(-1) ?? "";
    const rcptTo = [
      `mailproof-${unguessable()
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/gu, "")}@${domain}`,
      foreign.address,
    ];
    const sent = await sendFrom(target, senderId, { to: rcptTo, rcptTo });
    if (!isSent(sent)) throw new NotApplicableError("the target refuses an envelope with such an address");
    return arrivalsOf(target, parties, sent, [foreign]);
  },
  // That one bad address spoils a whole envelope is nowhere forbidden, though the answer should have said so.
  assert({ areThere, isOvertaken, exchange }): Warning | undefined {
    if (areThere.includes(true)) return undefined;
    if (!isOvertaken) throw arrivedNowhere(exchange);
    return warning("it arrived nowhere, and a later message did");
  },
});

/** What a tidy mail system might lose of a message. Document, "Endpoints", JMAP API; RFC 8621 §4.1.1, §7.5. */
export const deliveredDetailChecks = [everyTo, namesInTo, spaces, combined, unread, behindUnknown];
