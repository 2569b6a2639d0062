import { claimsOf } from "../support/actors/agent.ts";
import {
  accountHeader,
  bearer,
  jsonContentType,
  type MethodCall,
  methodResponses,
  postJmap,
  urn,
} from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { otherPlaces, personLines } from "../support/material/named-elsewhere.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, showsText, summary } from "../support/wire/exchange.ts";
import { markedInbox, subjectOf } from "./marked-inboxes.ts";
import { markIn, seen, selecting, servedSelection } from "./selection.ts";

interface Asked {
  readonly words: string;
  readonly exchange: Exchange;
}

const otherPlace = check({
  id: "HDR-15/other-places",
  claim:
    "With the header of one inbox, the query, cookies, internal headers and body members do not open another owned inbox.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    const token = await sharedAccessToken(target);
    const calls: MethodCall[] = [
      ["Mailbox/query", { filter: { role: "inbox" } }, "0"],
      subjectOf([other.emailId]),
    ];
    const asked: Asked[] = [];
    for (const { words, lines = [], query, members } of otherPlaces(target, [
      other.accountId,
      other.jmapAccountId,
    ])) {
      const exchange = await postJmap(target, {
        url: `${target.apiUrl}/jmap${query === undefined ? "" : `?${query}`}`,
        headers: [bearer(token), accountHeader(target, own.accountId), ...lines, jsonContentType],
        body: JSON.stringify({ using: Object.values(urn), methodCalls: calls, ...members }),
      });
      asked.push({ words, exchange });
    }
    return { asked, marker: other.marker };
  },
  assert({ asked, marker }) {
    for (const { words, exchange } of asked)
      // Where every inbox shows what another one has, that check says so.
      explained("HDR-17/email-id", () =>
        expectThat(
          !showsText(exchange, marker),
          `nothing of the other inbox, named in ${words}`,
          "its message",
          exchange,
        ),
      );
  },
});

/** What a gateway may call a person: as their tokens do, and as they sign in. */
async function namesOfOther(target: Target): Promise<readonly string[]> {
  const { sub } = claimsOf(await sharedAccessToken(target, { human: "second" })) ?? {};
  const username = target.profile.humans[1]?.consent.username;
  return [sub, username].filter((name) => typeof name === "string");
}

const claimedPerson = check({
  id: "HDR-11/gateway-headers",
  claim:
    "Headers that gateways set, such as `X-Forwarded-User`, open no inbox of the person whom they name, and do not change which one is open.",
  needs: ["human", "second-human"],
  async act(target) {
    const { token, accountId: own, mark } = await servedSelection(target);
    const foreign = await foreignInbox(target);
    const tried: { named: Exchange; selected: Exchange }[] = [];
    for (const name of await namesOfOther(target)) {
      const ask = (accountId: string) =>
        selecting(target, token, [accountHeader(target, accountId), ...personLines(name)]);
      tried.push({ named: await ask(foreign), selected: await ask(own) });
    }
    return { tried, mark };
  },
  assert({ tried, mark }) {
    for (const { named, selected } of tried) {
      explained("HDR-11/mailbox-query", () =>
        expectThat(methodResponses(named) === undefined, "no method responses", summary(named), named),
      );
      const shown = markIn(selected);
      expectThat(shown === undefined || shown === mark, `nothing but ${mark}`, seen(selected), selected);
    }
  },
});

/** The account header and the token alone decide whose inbox it is. Document, "Authentication", OAuth 2.0 path 8 and 9. */
export const namedElsewhereChecks = [otherPlace, claimedPerson];
