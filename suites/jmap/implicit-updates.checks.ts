import { methodResponses } from "../support/actors/jmap.ts";
import { recommend } from "../support/judging/check.ts";
import { expectThat, isSameJson } from "../support/judging/expect.ts";
import { addressOf, inboxesOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { summary } from "../support/wire/exchange.ts";
import { isSent, type Letter, sendFrom, sendFromAny } from "./sending.ts";

/** From one inbox of the person to another, or to itself. */
async function letterFrom(target: Target, accountId: string): Promise<Letter> {
  const inboxes = await inboxesOf(target);
  const sink = inboxes.find((entry) => entry.accountId !== accountId) ?? inboxes[0];
  const to = [await addressOf(target, sink.accountId)];
  return { to, rcptTo: to };
}

/** @throws {InconclusiveError} control-refused, when no inbox of the first human sends */
function sendingInbox(target: Target): Promise<string> {
  return target.control.once("jmap:sending-inbox", async (recording) => {
    const sent = await sendFromAny(recording, async (accountId) =>
      sendFrom(recording, accountId, await letterFrom(recording, accountId)),
    );
    if (isSent(sent)) return sent.accountId;
    throw controlRefused("sending a message", "200 with created", sent.exchange, "JMAP-08");
  });
}

/** What a submission may do with its message. RFC 8621 §7.5. */
const changes = [
  {
    id: "B-JMAP-25",
    argument: "onSuccessUpdateEmail",
    more: { onSuccessUpdateEmail: { "#s1": { "keywords/$draft": null } } },
  },
  { id: "B-JMAP-25/destroyed", argument: "onSuccessDestroyEmail", more: { onSuccessDestroyEmail: ["#s1"] } },
];

export const implicitUpdates = changes.map(({ id: checkId, argument, more }) =>
  recommend({
    id: checkId,
    claim: `\`EmailSubmission/set\` with \`${argument}\` adds an \`Email/set\` response under its call id, behind its own.`,
    needs: ["human"],
    async act(target) {
      const accountId = await sendingInbox(target);
      const letter = await letterFrom(target, accountId);
      return (await sendFrom(target, accountId, letter, more)).exchange;
    },
    assert(exchange) {
      const names = methodResponses(exchange)?.flatMap(([name, , id]) => (id === "send" ? [name] : []));
      const isAdded = isSameJson(names, ["EmailSubmission/set", "Email/set"]);
      const observed = names === undefined ? summary(exchange) : names.join(" and then ");
      expectThat(isAdded, "EmailSubmission/set and then Email/set", observed, exchange);
    },
  }),
);
