import { jmapAs, jmapBody, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { createdId } from "./own-inbox.ts";
import { hasArrived, provenParties } from "./parties.ts";
import { isSent, sendFrom } from "./sending.ts";

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
    if (isSent(sent)) throw new NotApplicableError("the target takes a recipient that is no address");
    await recording.pause(Math.max(shortestLookMs, 2 * deliveryMs));
    return {
      exchange: sent.exchange,
      hasArrived: await hasArrived(recording, foreign, sent.subject),
      isDraftKept: await isKept(recording, senderId, sent.exchange),
    };
  });
}

async function isKept(target: Target, accountId: string, sent: Exchange): Promise<boolean | undefined> {
  const id = createdId(responseTo(sent, "create")?.args ?? {}, "d1");
  if (id === undefined) return undefined;
  const body = jmapBody([["Email/get", { ids: [id], properties: ["id"] }, "0"]]);
  const read = await jmapAs(target.setup, await sharedAccessToken(target), accountId, body);
  const { list } = responseTo(read, "0")?.args ?? {};
  return Array.isArray(list) ? list.length > 0 : undefined;
}

const reachesNobody = check({
  id: "JMAP-08/refused-reaches-nobody",
  claim:
    "A message whose submission is refused, because one of its two recipients is no address, does not arrive at the other.",
  needs: ["human", "second-human"],
  act: halfAddressed,
  assert({ exchange, hasArrived: isThere }) {
    expectThat(!isThere, "the message nowhere", "it at one recipient", exchange);
  },
});

const keepsDraft = check({
  id: "JMAP-08/refused-keeps-draft",
  claim:
    "A draft whose submission is refused, because one of its two recipients is no address, is not destroyed by `onSuccessDestroyEmail`.",
  needs: ["human", "second-human"],
  act: halfAddressed,
  assert({ exchange, isDraftKept }) {
    explained("JMAP-08/refused-reaches-nobody", () =>
      expectThat(isDraftKept !== false, "the draft", "it gone", exchange),
    );
  },
});

/** A refused submission has no effect. Document, "Endpoints", JMAP API; RFC 8621 §7.5. */
export const refusedSubmissionChecks = [reachesNobody, keepsDraft];
