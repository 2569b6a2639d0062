import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { isTooLarge } from "../support/judging/too-large.ts";
import {
  expectFoundByBoth,
  expectSameIds,
  omittedAndNamed,
  queriedOnceFound,
  steadyReads,
} from "../support/judging/omitted-account.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { askMailbox, draft, draftPlace, mailboxOf, postMailbox } from "./mailbox.ts";
import { createdId } from "../support/actors/jmap.ts";
import { agents } from "./own-accounts.ts";

/** Asks both agents, the second after the first: in the first one's inbox, a default is right by chance. */
async function askedByBoth(
  target: Target,
  bodyFor: (accountId: string) => string,
): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  for (const which of agents) {
    const mailbox = await mailboxOf(target, which);
    answers.push(await postMailbox(target, mailbox, bodyFor(mailbox.accountId)));
  }
  const refused = answers.some(isTooLarge);
  if (refused) throw new NotApplicableError("the target takes one call at a time");
  return answers;
}

const steady = steadyReads.map((reading) =>
  check({
    id: `POW-64/omitted-account-${reading.slug}`,
    claim: `For each of two agents in turn, \`${reading.name}\` without \`accountId\` returns the same as with the agent's own.`,
    act: (target) => askedByBoth(target, (accountId) => omittedAndNamed(reading, accountId)),
    assert(answers) {
      for (const exchange of answers) expectSameIds(exchange, reading.name);
    },
  }),
);

const queried = check({
  id: "POW-64/omitted-account-email-query",
  claim:
    "For each of two agents in turn, `Email/query` without `accountId` finds a message of the agent's own inbox.",
  async act(target) {
    const looks: { readonly emailId: string; readonly exchange: Exchange }[] = [];
    for (const which of agents) {
      const mailbox = await mailboxOf(target, which);
      const place = await draftPlace(target, which);
      const made = await askMailbox(target.setup, mailbox, [["Email/set", draft(place, unguessable()), "0"]]);
      const emailId = createdId(made, "0", "draft");
      if (emailId === undefined)
        throw controlRefused("creating a draft", "its id in created", made, "POW-61/email-set");
      const ask = async (body: string): Promise<Exchange> => {
        const exchange = await postMailbox(target, mailbox, body);
        if (isTooLarge(exchange)) throw new NotApplicableError("the target takes one call at a time");
        return exchange;
      };
      looks.push({ emailId, exchange: await queriedOnceFound(target, ask, { ...place, emailId }) });
    }
    return looks;
  },
  assert(looks) {
    for (const { emailId, exchange } of looks)
      explained("POW-61/email-query", () => expectFoundByBoth(exchange, emailId));
  },
});

/** The account that an agent's call is carried out for when it names none. Document, "Endpoints", JMAP endpoint. */
export const omittedAccountChecks = [...steady, queried];
