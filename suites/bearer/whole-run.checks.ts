import { approvals } from "../support/actors/authorization.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { inboxEntries, methodResponses } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, formParameters, isSuccess, jsonMembers, valuesOf } from "../support/wire/exchange.ts";

/** Whose the codes, refresh tokens and access tokens of the run are. */
function ownersOfTokens(target: Target): ReadonlyMap<string, WhichHuman> {
  const owners = new Map(target.noted(approvals).map(({ code, human }) => [code, human]));
  for (const exchange of target.runExchanges()) {
    if (exchange.request.url !== `${target.authUrl}/oauth/token` || !isSuccess(exchange)) continue;
    const fields = formParameters(exchange.request.body);
    const presented = fields.find(([name]) => name === "code" || name === "refresh_token")?.[1] ?? "";
    const owner = owners.get(presented);
    if (owner === undefined) continue;
    const { access_token: access, refresh_token: refresh } = jsonMembers(exchange);
    for (const token of [access, refresh]) if (typeof token === "string") owners.set(token, owner);
  }
  return owners;
}

function requestHeaders({ request }: Exchange, name: string): string[] {
  return valuesOf(request.headers, name);
}

/** An answer to a person, and what it shows. */
interface Answer {
  readonly human: WhichHuman;
  readonly exchange: Exchange;
  /** Whose inboxes, by their accountIds in lower case. */
  readonly inboxes: readonly string[];
}

/** The run's answers of one endpoint to the access tokens of people. */
function answersOf(
  target: Target,
  url: string,
  inboxesIn: (exchange: Exchange) => readonly string[],
): Answer[] {
  const owners = ownersOfTokens(target);
  return target.runExchanges().flatMap((exchange): Answer[] => {
    const [credential = "", ...more] = requestHeaders(exchange, "authorization");
    const human = owners.get(credential.replace(/^Bearer /u, ""));
    const isOfPerson = exchange.request.url === url && isSuccess(exchange) && more.length === 0;
    return isOfPerson && human !== undefined ? [{ human, exchange, inboxes: inboxesIn(exchange) }] : [];
  });
}

/** What the run has shown to two people. */
interface Shown {
  /** Answers that are judged. */
  readonly answers: readonly Answer[];
  /** Inbox lists, which tell what belongs to whom. */
  readonly lists: readonly Answer[];
}

/** @throws {InconclusiveError} precondition-missing, when the run has no answers to two people */
function requireTwoPeople(answers: readonly Answer[]): readonly Answer[] {
  if (new Set(answers.map(({ human }) => human)).size > 1) return answers;
  throw new InconclusiveError("precondition-missing", "needs answers to two people in the run");
}

/** An inbox belongs to the people most of whose lists show it: a few may show it by mistake, and two may own it together. */
function expectOwn({ answers, lists }: Shown, explainedBy: string): void {
  const belongs = (inbox: string, isOwner: (human: WhichHuman) => boolean): boolean => {
    const theirs = lists.filter(({ human }) => isOwner(human));
    return theirs.filter(({ inboxes }) => inboxes.includes(inbox)).length * 2 > theirs.length;
  };
  for (const { human, exchange, inboxes } of answers) {
    const foreign = inboxes.filter(
      (inbox) => belongs(inbox, (other) => other !== human) && !belongs(inbox, (other) => other === human),
    );
    explained(explainedBy, () =>
      expectThat(foreign.length === 0, "nothing of the other person", foreign.join(", "), exchange),
    );
  }
}

function listsOf(target: Target): readonly Answer[] {
  const url = `${target.authUrl}/api/v1/agents`;
  const listed = (exchange: Exchange) =>
    inboxEntries(exchange).map(({ accountId }) => accountId.toLowerCase());
  return requireTwoPeople(answersOf(target, url, listed));
}

/** The accounts that a JMAP response names. Where the request names one itself, other checks judge the response. */
function accountsIn(exchange: Exchange): string[] {
  if (exchange.request.body.includes("accountId")) return [];
  const responses = methodResponses(exchange) ?? [];
  return responses.flatMap(([name, { accountId }]) =>
    name !== "error" && typeof accountId === "string" ? [accountId] : [],
  );
}

/**
 * JMAP responses, each with the inboxes whose accounts it names: those that mostly selected these accounts.
 *
 * @throws {InconclusiveError} precondition-missing, when every account is that of several inboxes (RFC 8620 §2 lists accounts
 *   for one user)
 */
function mailOf(target: Target): readonly Answer[] {
  const url = `${target.apiUrl}/jmap`;
  const selections = answersOf(target, url, accountsIn).flatMap(({ exchange }) => {
    const [inbox = ""] = requestHeaders(exchange, target.profile.names.account_header);
    return accountsIn(exchange).map((account) => ({ account, inbox: inbox.toLowerCase() }));
  });
  const accountOf = mostFrequentIn(selections.map(({ account, inbox }) => ({ key: inbox, value: account })));
  const inboxOf = mostFrequentIn(selections.map(({ account, inbox }) => ({ key: account, value: inbox })));
  const accounts = [...accountOf.values()];
  const tells = (account: string): boolean => accounts.filter((own) => own === account).length < 2;
  if (accounts.length > 0 && !accounts.some(tells))
    throw new InconclusiveError("precondition-missing", "several inboxes have the same accountId at JMAP");
  return requireTwoPeople(
    answersOf(target, url, (exchange) =>
      accountsIn(exchange).flatMap((account) => (tells(account) ? (inboxOf.get(account) ?? []) : [])),
    ),
  );
}

function mostFrequentIn(
  pairs: readonly { readonly key: string; readonly value: string }[],
): ReadonlyMap<string, string> {
  const groups = [...Map.groupBy(pairs, ({ key }) => key)];
  return new Map(groups.map(([key, group]) => [key, mostFrequent(group.map(({ value }) => value))]));
}

function mostFrequent(values: readonly string[]): string {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0] ?? "";
}

/** Whatever the run was about to show when it happened. Document, "Authentication", OAuth 2.0 path 8. */
export const wholeRunChecks = [
  check({
    id: "BEARER-16/lists-of-run",
    claim: "No inbox list of the run shows an inbox of another person than the token's.",
    needs: ["human", "second-human"],
    last: true,
    async act(target): Promise<Shown> {
      const lists = listsOf(target);
      return { answers: lists, lists };
    },
    assert: (shown) => expectOwn(shown, "AGENTS-11"),
  }),
  check({
    id: "BEARER-16/mail-of-run",
    claim: "No JMAP response of the run names the account of another person's inbox.",
    needs: ["human", "second-human"],
    last: true,
    act: async (target): Promise<Shown> => ({ answers: mailOf(target), lists: listsOf(target) }),
    assert: (shown) => expectOwn(shown, "HDR-11/mailbox-query"),
  }),
];
