import { inboxQuery, jmapAs, methodResponses, requireServed } from "../actors/jmap.ts";
import { callHook, firstUsername } from "../actors/operator.ts";
import { pollUntil } from "./propagation.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, summary } from "../wire/exchange.ts";

/** An inbox of the first person, and an access token of theirs that is served for it. */
export interface OwnInbox {
  readonly token: string;
  readonly accountId: string;
}

/**
 * Takes an inbox from the first person until JMAP refuses it, and gives it back in the end; other nodes and the authorization
 * server may learn of it later. Meanwhile nobody else may need the inbox: for checks that are `last`.
 *
 * @throws {InconclusiveError} when it was not served before, or still is when the change has had its time
 */
export async function whileUnlinked<Result>(
  target: Target,
  { token, accountId }: OwnInbox,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  const details = { username: firstUsername(target), account_id: accountId };
  const ask = (from: Target): Promise<Exchange> => jmapAs(from, token, accountId, inboxQuery);
  requireServed(await ask(target.control), "a JMAP request for an inbox that the person owns");
  await callHook(target, "unlink_inbox", details);
  try {
    const lost = await pollUntil(
      target,
      () => ask(target.setup),
      (answer) => methodResponses(answer) === undefined,
    );
    if (methodResponses(lost) !== undefined)
      throw new InconclusiveError(
        "precondition-missing",
        `needs an inbox that the person has lost; a request for it got ${summary(lost)}`,
        { exchange: lost, explainedBy: "HDR-14/refused" },
      );
    return await meanwhile();
  } finally {
    await callHook(target, "link_inbox", details);
    await pollUntil(
      target,
      () => ask(target.setup),
      (answer) => methodResponses(answer) !== undefined,
    );
  }
}
