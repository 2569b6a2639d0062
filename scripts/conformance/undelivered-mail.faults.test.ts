import { expect, test } from "vitest";
import { judgeService } from "../faults/judge-service.ts";
import { suites } from "../suites.ts";

const sending = suites.flatMap(({ checks }) => checks).filter(({ id }) => id.startsWith("JMAP-08"));

// Such a service violates nothing that the document says, which promises no delivery; but it must not end as conforming.
test("a service that takes submissions and delivers none leaves the checks of recipients undecided", async () => {
  const results = await judgeService({ rules: { submissionRecipients: () => [] } }, sending);
  expect(Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))).toEqual({
    "JMAP-08": "pass",
    "JMAP-08/received-when-sent": "inconclusive",
    "JMAP-08/same-subject": "inconclusive",
    "JMAP-08/sent-again": "inconclusive",
    "JMAP-08/recipient-name": "inconclusive",
    "JMAP-08/addresses": "inconclusive",
    "JMAP-08/each-submission": "inconclusive",
    "JMAP-08/earlier-creation-id": "inconclusive",
    "JMAP-08/every-recipient": "inconclusive",
    "JMAP-08/fifth-recipient": "inconclusive",
    "JMAP-08/later-call": "pass",
    "JMAP-08/line-break-in-name": "inconclusive",
    "JMAP-08/line-break-in-recipient": "inconclusive",
    "JMAP-08/line-break-in-subject": "inconclusive",
    "JMAP-08/from-second-inbox": "inconclusive",
    "JMAP-08/literal-text": "inconclusive",
    "JMAP-08/long-subject": "inconclusive",
    "JMAP-08/long-text": "inconclusive",
    "JMAP-08/named-draft": "inconclusive",
    "JMAP-08/no-bcc": "inconclusive",
    "JMAP-08/no-draft": "inconclusive",
    "JMAP-08/nobody-copied": "inconclusive",
    "JMAP-08/nobody-else": "inconclusive",
    "JMAP-08/null-parameters": "inconclusive",
    "JMAP-08/one-copy": "inconclusive",
    "JMAP-08/own-inbox": "inconclusive",
    "JMAP-08/recipients-copy": "inconclusive",
    "JMAP-08/other-recipients-copy": "inconclusive",
    "JMAP-08/refused-keeps-draft": "inconclusive",
    "JMAP-08/refused-reaches-nobody": "inconclusive",
    "JMAP-08/second-inbox": "pass",
    "JMAP-08/second-sender": "inconclusive",
    "JMAP-08/sender-name": "inconclusive",
    "JMAP-08/senders-copy": "inconclusive",
    "JMAP-08/subject": "inconclusive",
    "JMAP-08/text": "inconclusive",
    "JMAP-08/third-recipient": "inconclusive",
    "JMAP-08/to-agent": "inconclusive",
    "JMAP-08/to-new-agent": "inconclusive",
    "JMAP-08/to-new-inbox": "inconclusive",
    "JMAP-08/recipients-text": "inconclusive",
    "JMAP-08/own-keywords": "inconclusive",
    "JMAP-08/beside-refused": "inconclusive",
    "JMAP-08/to-self": "inconclusive",
    "JMAP-08/upper-case-domain": "inconclusive",
    "JMAP-08/very-long-text": "inconclusive",
    "JMAP-08/behind-unknown": "inconclusive",
    "JMAP-08/decomposed": "inconclusive",
    "JMAP-08/several-to": "inconclusive",
    "JMAP-08/spaces": "inconclusive",
    "JMAP-08/unread": "inconclusive",
  });
});
