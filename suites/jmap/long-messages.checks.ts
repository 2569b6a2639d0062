import { jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { isJsonObject } from "../support/wire/exchange.ts";
import { expectResult, objects } from "./own-inbox.ts";
import { arrivalMs, arrivedMail, arrivedNowhere, patienceMs, provenParties } from "./parties.ts";
import { isSent, sendFrom } from "./sending.ts";

// 20 kB, of lines that no transport has to fold (RFC 5322 §2.1.1).
const lines = Array.from(
  { length: 320 },
  (_, at) => `line ${at} of a long message: ${"lorem ".repeat(6)}end.`,
);

const wholeText = check({
  id: "JMAP-08/long-text",
  claim: `The recipient of a message whose text has ${lines.length} lines, 20 kB, reads every one of them.`,
  needs: ["human", "second-human"],
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, own } = parties;
    const to = [own.address];
    const sent = await sendFrom(target, senderId, { to, rcptTo: to, text: lines.join("\n") });
    const { subject, exchange } = sent;
    // A target may take only shorter ones, and says so.
    if (!isSent(sent)) throw new NotApplicableError("the target sends no message of that length");
    await arrivalMs(target, own, subject, patienceMs(parties));
    const mail = await arrivedMail(target, own, subject);
    if (mail === undefined) throw arrivedNowhere(exchange);
    const asked = {
      ids: [mail["id"]],
      properties: ["textBody", "bodyValues"],
      fetchTextBodyValues: true,
    };
    const token = await sharedAccessToken(target);
    return jmapAs(target, token, own.accountId, jmapBody([["Email/get", asked, "0"]]));
  },
  assert(read) {
    explained("JMAP-08/text", () => expectResult(read, "0", "Email/get"));
    const [message = {}] = objects(responseTo(read, "0")?.args["list"]);
    const { bodyValues } = message;
    const parts = isJsonObject(bodyValues) ? objects(Object.values(bodyValues)) : [];
    if (parts.some(({ isTruncated }) => isTruncated === true))
      throw new NotApplicableError("the target shows a part of the text, and says so");
    // Where a line is folded is the mail transport's.
    const text = parts.map(({ value }) => String(value).replaceAll(/\s+/gu, " ")).join(" ");
    const missing = lines.filter((line) => !text.includes(line));
    explained("JMAP-08/text", () =>
      expectThat(missing.length === 0, `${lines.length} lines`, `${missing.length} of them missing`, read),
    );
  },
});

/** A message is not cut on its way. Document, "Endpoints", JMAP API. */
export const longMessageChecks = [wholeText];
