import { check } from "../support/judging/check.ts";
import { type Exchange, showsText } from "../support/wire/exchange.ts";
import { requireEnoughServed } from "../support/judging/enough-served.ts";
import { expectThat } from "../support/judging/expect.ts";
import { clientBeside } from "../support/material/clients.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { type Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { accountHeader, bearer, jmapBody, jsonContentType, methodResponses } from "../support/actors/jmap.ts";
import { sendInParallel } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { type MarkedInbox, markedInbox, subjectOf } from "./marked-inboxes.ts";

/** The same question to one of two inboxes: what are the subjects of the marked messages of both? */
interface Question {
  readonly outgoing: Outgoing;
  readonly own: string;
  readonly others: string;
}

async function questions(target: Target): Promise<readonly [Question, Question]> {
  const [one, two] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
  // A token that no other check uses: what a target keeps for it comes from these requests alone.
  const token = await sharedAccessToken(target, { client: clientBeside(target), scope: "mail.read" });
  const ask = (selected: MarkedInbox, unselected: MarkedInbox): Question => ({
    outgoing: {
      method: "POST",
      url: `${target.apiUrl}/jmap`,
      headers: [bearer(token), accountHeader(target, selected.accountId), jsonContentType],
      body: jmapBody([subjectOf([one.emailId, two.emailId])]),
    },
    own: selected.marker,
    others: unselected.marker,
  });
  return [ask(one, two), ask(two, one)];
}

interface Answer {
  readonly question: Question;
  readonly exchange: Exchange;
}

function expectSeparate(answers: readonly Answer[]): void {
  for (const { question, exchange } of answers) {
    const showsOther = showsText(exchange, question.others);
    expectThat(!showsOther, "the selected inbox alone", "a message of the other one", exchange);
    if (methodResponses(exchange) === undefined) continue;
    const showsOwn = showsText(exchange, question.own);
    expectThat(showsOwn, "the selected inbox's message", "an answer without it", exchange);
  }
}

function requireEnough(answers: readonly Answer[]): readonly Answer[] {
  const isServed = (exchange: Exchange): boolean => methodResponses(exchange) !== undefined;
  return requireEnoughServed(
    answers,
    isServed,
    ({ question }) => question.own,
    "requests for two owned inboxes",
  );
}

const alternations = 10;

const oneAfterTheOther = check({
  id: "HDR-19",
  claim: `Of ${2 * alternations} requests that alternate between two owned inboxes on one connection, each that is served sees the selected inbox alone.`,
  needs: ["human"],
  async act(target) {
    const both = await questions(target);
    const connection = target.connect(originOf(target.apiUrl));
    const answers: Answer[] = [];
    try {
      for (const question of Array.from({ length: alternations }, () => both).flat())
        answers.push({ question, exchange: await connection.send(question.outgoing) });
    } finally {
      await connection.close();
    }
    return requireEnough(answers);
  },
  assert: expectSeparate,
});

const atOnce = 25;

const parallel = check({
  id: "HDR-20",
  claim: `Of ${2 * atOnce} parallel requests with one token for two owned inboxes, each that is served sees the selected inbox alone.`,
  needs: ["human"],
  async act(target) {
    const both = await questions(target);
    const asked = Array.from({ length: atOnce }, () => both).flat();
    const exchanges = await sendInParallel(
      target,
      asked.map(({ outgoing }) => outgoing),
    );
    const answers = exchanges.flatMap((exchange, at): Answer[] => {
      const question = asked[at];
      return question === undefined ? [] : [{ question, exchange }];
    });
    return requireEnough(answers);
  },
  assert: expectSeparate,
});

export const alternationChecks = [oneAfterTheOther, parallel];
