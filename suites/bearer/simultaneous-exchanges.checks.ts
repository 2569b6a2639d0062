import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { codeExchange, tokenRequest } from "../support/actors/oauth-client.ts";
import { sendSimultaneously } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";

const people: readonly WhichHuman[] = ["first", "second"];
const rounds = 5;

/** The inbox lists of the tokens that the codes of two people gave when they were redeemed at the same moment. */
async function listsOfOneMoment(target: Target): Promise<(readonly [WhichHuman, Exchange])[]> {
  const codes = await Promise.all(people.map((human) => freshCode(target, { human })));
  const responses = await sendSimultaneously(
    target.setup,
    codes.map((code) => tokenRequest(target, codeExchange(code))),
  );
  return Promise.all(
    people.map(async (human, at) => {
      // By its code: an answer may have been lost.
      const { code = "" } = codes[at] ?? {};
      const response = responses.find(({ request }) =>
        String(request.body).includes(encodeURIComponent(code)),
      );
      const { access_token: token } = response === undefined ? {} : jsonMembers(response);
      return [human, await getAgents(target, [bearer(String(token))])] as const;
    }),
  );
}

function accountIdsIn(exchange: Exchange): string[] {
  return inboxEntries(exchange).map(({ accountId }) => accountId);
}

/** A token is for the person who approved, whoever else redeems a code at that moment. */
export const simultaneousExchangeChecks = [
  check({
    id: "BEARER-16/simultaneous-exchanges",
    claim: `Of two people whose codes are redeemed at the same moment, in each of ${rounds} rounds, neither's token lists an inbox of the other.`,
    needs: ["human", "second-human"],
    async act(target) {
      const owned = new Map<WhichHuman, readonly string[]>();
      for (const human of people)
        owned.set(
          human,
          (await listedInboxes(target, human)).map(({ accountId }) => accountId),
        );
      const lists: (readonly [WhichHuman, Exchange])[] = [];
      for (let round = 0; round < rounds; round += 1) lists.push(...(await listsOfOneMoment(target)));
      if (!lists.some(([, exchange]) => accountIdsIn(exchange).length > 0))
        throw new InconclusiveError("control-refused", "no token of a simultaneous exchange lists an inbox", {
          exchange: lists[0]?.[1],
          explainedBy: "AGENTS-08",
        });
      return { lists, owned };
    },
    assert({ lists, owned }) {
      for (const [human, exchange] of lists) {
        const own = owned.get(human) ?? [];
        // Two people may own one inbox together.
        const others = people
          .flatMap((other) => owned.get(other) ?? [])
          .filter((accountId) => !own.includes(accountId));
        const foreign = accountIdsIn(exchange).filter((accountId) => others.includes(accountId));
        explained("AGENTS-11", () =>
          expectThat(foreign.length === 0, "inboxes of one's own", foreign.join(", "), exchange),
        );
      }
    },
  }),
];
