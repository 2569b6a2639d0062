import { responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { isJsonObject, jsonObjectsIn } from "../support/wire/exchange.ts";
import { expectResult } from "./own-inbox.ts";
import { provenParties, readArrived } from "./parties.ts";
import { isSent, sendFrom } from "./sending.ts";

/** Lines that no transport has to fold (RFC 5322 §2.1.1), of some 64 characters each. */
function textOf(lineCount: number): string[] {
  return Array.from(
    { length: lineCount },
    (_, at) => `line ${at} of a long message: ${"lorem ".repeat(6)}end.`,
  );
}

const lengths = [
  { slug: "long-text", size: "20 kB", lineCount: 320, explainedBy: "JMAP-08/text" },
  // Beyond what 16 bits count.
  { slug: "very-long-text", size: "70 kB", lineCount: 1100, explainedBy: "JMAP-08/long-text" },
].map((length) => ({ ...length, lines: textOf(length.lineCount) }));

const wholeTexts = lengths.map(({ slug, size, lines, explainedBy }) =>
  check({
    id: `JMAP-08/${slug}`,
    claim: `The recipient of a message whose text has ${lines.length} lines, ${size}, reads every one of them.`,
    needs: ["human", "second-human"],
    async act(target) {
      const parties = await provenParties(target);
      const { senderId, own } = parties;
      const to = [own.address];
      const sent = await sendFrom(target, senderId, { to, rcptTo: to, text: lines.join("\n") });
      // A target may take only shorter ones, and says so.
      if (!isSent(sent)) throw new NotApplicableError("the target sends no message of that length");
      return readArrived(target, parties, own, sent, ["textBody", "bodyValues"]);
    },
    assert(read) {
      explained(explainedBy, () => expectResult(read, "0", "Email/get"));
      const [message = {}] = jsonObjectsIn(responseTo(read, "0")?.args["list"]);
      const { bodyValues } = message;
      const parts = isJsonObject(bodyValues) ? jsonObjectsIn(Object.values(bodyValues)) : [];
      if (parts.some(({ isTruncated }) => isTruncated === true))
        throw new NotApplicableError("the target shows a part of the text, and says so");
      // Where a line is folded is the mail transport's.
      const text = parts.map(({ value }) => String(value).replaceAll(/\s+/gu, " ")).join(" ");
      const missing = lines.filter((line) => !text.includes(line));
      explained(explainedBy, () =>
        expectThat(missing.length === 0, `${lines.length} lines`, `${missing.length} of them missing`, read),
      );
    },
  }),
);

/** A message is not cut on its way. Document, "Endpoints", JMAP API. */
export const longMessageChecks = wholeTexts;
