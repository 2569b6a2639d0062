import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAgent } from "../support/material/agents.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import { mayBeForItsName, namesBeginningLike, signUp, signUpNamed } from "../support/material/usernames.ts";
import { NotApplicableError } from "../support/verdict.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { requireListed } from "../support/material/inbox-lists.ts";

/** Of an agent, as far as an entry of a list could show it. */
function namesIn(username: string, signup: Exchange): string[] {
  const { inbox } = jsonMembers(signup);
  return [username, ...(typeof inbox === "string" ? [inbox] : [])];
}

/** Signs up an agent by the first of these names that the target takes; none where it takes none. */
async function namesOfNewAgent(target: Target, usernames: readonly string[]): Promise<readonly string[]> {
  for (const username of usernames) {
    const signup = await signUpNamed(target, username);
    if (isSuccess(signup)) return namesIn(username, signup);
    if (!mayBeForItsName(signup)) throw controlRefused("signing up an agent", "2xx", signup, "POW-08");
  }
  return [];
}

function expectUnlisted(names: readonly string[], list: Exchange): void {
  const shown = inboxEntries(list).find(
    ({ inboxId, accountId }) => names.includes(inboxId) || names.includes(accountId),
  );
  expectThat(shown === undefined, "no inbox of an agent", shown?.inboxId ?? "", list);
}

/** An agent owns its inbox itself. Document, "What the service does". */
export const agentInboxChecks = [
  check({
    id: "AGENTS-11/inbox-of-an-agent",
    claim: "A person's inbox list does not show the inbox of an agent that signed itself up.",
    needs: ["human"],
    async act(target) {
      // Nobody gives this one to a person: the suites sign it up, with a random name.
      const { username, exchange } = await signUp(target.setup);
      if (!isSuccess(exchange)) throw controlRefused("signing up an agent", "2xx", exchange, "POW-08");
      // Names need not be unique: every inbox could have the same.
      const isDistinct = jsonMembers(exchange)["inbox"] !== (await sharedAgent(target, "busy")).inbox;
      const list = await getAgents(target, [bearer(await sharedAccessToken(target))]);
      requireListed(list, "the inbox list");
      return { names: isDistinct ? namesIn(username, exchange) : [username], list };
    },
    assert: ({ names, list }) => expectUnlisted(names, list),
  }),
  check({
    id: "AGENTS-11/agent-named-alike",
    claim:
      "A person's inbox list does not show the inbox of an agent whose name begins like the person's or like that of their inbox.",
    needs: ["human"],
    async act(target) {
      const [person] = target.profile.humans;
      const [{ inboxId }] = await inboxesOf(target);
      const listFor = async (asking: Target): Promise<Exchange> => {
        const list = await getAgents(asking, [bearer(await sharedAccessToken(target))]);
        requireListed(list, "the inbox list");
        return list;
      };
      // Names need not be unique: every inbox could have the same.
      const before = inboxEntries(await listFor(target.control)).map((entry) => entry.inboxId);
      const names: string[] = [];
      for (const beginning of new Set([person?.consent.username ?? inboxId, inboxId]))
        names.push(...(await namesOfNewAgent(target.setup, namesBeginningLike(beginning))));
      if (names.length === 0)
        throw new NotApplicableError("the target accepts no agent name with that beginning");
      return { names: names.filter((name) => !before.includes(name)), list: await listFor(target) };
    },
    assert: ({ names, list }) => expectUnlisted(names, list),
  }),
];
