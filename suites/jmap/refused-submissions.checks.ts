import { createdId, jmapAs, jmapBody, type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { hasArrived, provenParties } from "./parties.ts";
import { isSent, sendFrom, unsentTo } from "./sending.ts";

// A look takes a moment too, so that a quick target is not asked again.
const shortestLookMs = 1500;

/** A submission to an address and to a text that is none, which was refused, and what became of its message. */
interface HalfAddressed {
  readonly exchange: Exchange;
  readonly hasArrived: boolean;
  /** Undefined when no draft was created, or it cannot be read. */
  readonly isDraftKept: boolean | undefined;
}

function halfAddressed(target: Target): Promise<HalfAddressed> {
  return target.once("jmap:half-addressed", async (recording) => {
    const { senderId, foreign, deliveryMs } = await provenParties(recording);
    const letter = { to: [foreign.address], rcptTo: [foreign.address, "mailproof, no address"] };
    const sent = await sendFrom(recording, senderId, letter, { onSuccessDestroyEmail: ["#s1"] });
    if (isSent(sent)) throw new NotApplicableError("the target takes a recipient that is not an address");
    await recording.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return {
      exchange: sent.exchange,
      hasArrived: await hasArrived(recording, foreign, sent.subject),
      isDraftKept: await isKept(recording, senderId, sent.exchange),
    };
  });
}

async function isKept(target: Target, accountId: string, sent: Exchange): Promise<boolean | undefined> {
  const id = createdId(sent, "create", "d1");
  if (id === undefined) return undefined;
  const body = jmapBody([["Email/get", { ids: [id], properties: ["id"] }, "0"]]);
  const read = await jmapAs(target.setup, await sharedAccessToken(target), accountId, body);
  const { list } = responseTo(read, "0")?.args ?? {};
  return Array.isArray(list) ? list.length > 0 : undefined;
}

const reachesNobody = check({
  id: "JMAP-08/refused-reaches-nobody",
  claim:
    "A message whose submission is refused, because one of its two recipients is not an address, does not arrive at the other.",
  needs: ["human", "second-human"],
  act: halfAddressed,
  assert({ exchange, hasArrived: isThere }) {
    expectThat(!isThere, "the message nowhere", "it at one recipient", exchange);
  },
});

const keepsDraft = check({
  id: "JMAP-08/refused-keeps-draft",
  claim:
    "A draft whose submission is refused, because one of its two recipients is not an address, is not destroyed by `onSuccessDestroyEmail`.",
  needs: ["human", "second-human"],
  act: halfAddressed,
  assert({ exchange, isDraftKept }) {
    explained("JMAP-08/refused-reaches-nobody", () =>
      expectThat(isDraftKept !== false, "the draft", "it gone", exchange),
    );
  },
});

const ofEarlierRequest = check({
  id: "JMAP-08/earlier-creation-id",
  claim:
    "A submission of the creation id of a draft that an earlier request created is refused, and the draft does not arrive.",
  needs: ["human", "second-human"],
  async act(target) {
    const { senderId, foreign, deliveryMs } = await provenParties(target);
    // No other check has a creation id like it.
    const name = `earlier${unguessable()}`;
    const { subject, envelope, identityId } = await unsentTo(target, senderId, foreign.address, name);
    const token = await sharedAccessToken(target);
    const submission = { emailId: `#${name}`, envelope };
    const submit = (identity: JsonObject): Promise<Exchange> => {
      const create = { s1: { ...submission, ...identity } };
      const call: MethodCall = ["EmailSubmission/set", { create }, "send"];
      return jmapAs(target, token, senderId, jmapBody([call]));
    };
    // A target may refuse one without an identityId for that alone (C-21).
    const exchanges = [await submit({}), ...(identityId === undefined ? [] : [await submit({ identityId })])];
    await target.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return { exchanges, hasArrived: await hasArrived(target, foreign, subject) };
  },
  assert({ exchanges, hasArrived: isThere }) {
    for (const exchange of exchanges) {
      const isMade = isSubmitted(exchange);
      expectThat(!isMade && !isThere, "no submission", isThere ? "the message arrived" : "one", exchange);
    }
  },
});

const besideRefused = check({
  id: "JMAP-08/beside-refused",
  claim:
    "A submission that is sent along with one of an unknown message is reported as created, or its message does not arrive.",
  needs: ["human", "second-human"],
  async act(target) {
    const { senderId, foreign, deliveryMs } = await provenParties(target);
    const { emailId, subject, envelope, identityId } = await unsentTo(target, senderId, foreign.address);
    const token = await sharedAccessToken(target);
    const submit = (identity: JsonObject): Promise<Exchange> => {
      const s1 = { emailId, envelope, ...identity };
      const create = { s1, s2: { ...s1, emailId: unguessable() } };
      return jmapAs(target, token, senderId, jmapBody([["EmailSubmission/set", { create }, "send"]]));
    };
    const exchanges = [await submit({})];
    // A target may refuse one without an identityId for that alone (C-21).
    if (!exchanges.some(isSubmitted) && identityId !== undefined)
      exchanges.push(await submit({ identityId }));
    if (exchanges.some(isSubmitted)) return { exchanges, isReported: true, isThere: undefined };
    await target.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return { exchanges, isReported: false, isThere: await hasArrived(target, foreign, subject) };
  },
  assert({ exchanges, isReported, isThere }) {
    for (const exchange of exchanges)
      explained("JMAP-08/refused-reaches-nobody", () =>
        expectThat(isReported || isThere === false, "the message nowhere", "it at its recipient", exchange),
      );
  },
});

function isSubmitted(exchange: Exchange): boolean {
  return createdId(exchange, "send", "s1") !== undefined;
}

/** A refused submission has no effect. Document, "Endpoints", JMAP API; RFC 8621 §7.5. */
export const refusedSubmissionChecks = [reachesNobody, keepsDraft, ofEarlierRequest, besideRefused];
