import { InconclusiveError } from "../verdict.ts";
import { type Exchange, summary } from "../wire/exchange.ts";

// A mix-up of two in parallel shows among five as well as among 25; a service may admit two requests at a time.
const fewestOfEach = 5;

/**
 * Of requests that alternate between two parties, enough were served to show a mix-up of the two.
 *
 * @param partyOf - whose answer it should be
 * @param words - of the requests, such as "requests of two people"
 * @throws {InconclusiveError} rate-limited, when too many were turned away, which judges nothing
 */
export function requireEnoughServed<Answer extends { readonly exchange: Exchange }>(
  answers: readonly Answer[],
  isServed: (exchange: Exchange) => boolean,
  partyOf: (answer: Answer) => unknown,
  words: string,
): readonly Answer[] {
  const turnedAway = answers.filter(({ exchange }) => !isServed(exchange));
  const last = turnedAway.at(-1)?.exchange;
  const parties = [...new Set(answers.map(partyOf))];
  const served = parties.map(
    (party) => answers.filter((answer) => partyOf(answer) === party && isServed(answer.exchange)).length,
  );
  if (last === undefined || served.every((count) => count >= fewestOfEach)) return answers;
  throw new InconclusiveError(
    "rate-limited",
    `${answers.length} ${words}: ${turnedAway.length} turned away, the last with ${summary(last)}`,
    { exchange: last },
  );
}
