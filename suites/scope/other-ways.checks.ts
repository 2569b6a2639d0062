import { check } from "../support/judging/check.ts";
import type { Exchange, JsonObject } from "../support/wire/exchange.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import {
  accountHeader,
  bearer,
  jmapBody,
  jsonContentType,
  type MethodCall,
  methodResponses,
  postJmap,
  urn,
} from "../support/actors/jmap.ts";
import { agentsApiUrl } from "../support/material/agents-api-url.ts";
import { otherMethods, otherPaths } from "../support/material/other-paths.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import {
  expectNotSent,
  expectSendRefused,
  harmlessCall,
  readOnlyTrial,
  type SendAttempt,
  trySending,
  trySendingAlone,
  withDelivery,
} from "./send-attempts.ts";
import { sendCall } from "./submissions.ts";

/** Where a request may claim a scope that its token does not have. */
const claimedScopes: readonly {
  slug: string;
  words: string;
  url?: (target: Target) => string;
  headers?: readonly (readonly [string, string])[];
  members?: JsonObject;
}[] = [
  {
    slug: "query",
    words: "the query of its URL",
    url: (target) => `${target.apiUrl}/jmap?scope=mail.read%20mail.send`,
  },
  { slug: "header", words: "a header `X-Scope`", headers: [["X-Scope", "mail.read mail.send"]] },
  { slug: "body", words: "its body", members: { scope: "mail.read mail.send", scopes: ["mail.send"] } },
];

const claimed = claimedScopes.map(({ slug, words, url, headers = [], members = {} }) =>
  check({
    id: `SCOPE-25/${slug}`,
    claim: `A send with a \`mail.read\` token that names \`mail.send\` in ${words} is refused with \`insufficient_scope\`.`,
    needs: ["human"],
    async act(target): Promise<SendAttempt> {
      const trial = await readOnlyTrial(target);
      const { token, message, route } = trial;
      return trySending(target, trial, sendCall(message), (sender, call) =>
        postJmap(sender, {
          ...(url && { url: url(sender) }),
          headers: [bearer(token), accountHeader(sender, route.from.accountId), jsonContentType, ...headers],
          body: JSON.stringify({ using: Object.values(urn), methodCalls: [call], ...members }),
        }),
      );
    },
    assert: expectSendRefused,
  }),
);

// A gateway that looks for sends at `/jmap` alone, before a router that takes other paths too.
const otherAddresses = check({
  id: "SCOPE-25/other-paths",
  claim: "A send with a `mail.read` token sends nothing at any other spelling of the path `/jmap`.",
  needs: ["human"],
  async act(target): Promise<SendAttempt> {
    const trial = await readOnlyTrial(target);
    const { token, message, route } = trial;
    const send = (path: string): Promise<Exchange> =>
      postJmap(target, {
        url: `${target.apiUrl}${path}`,
        headers: [bearer(token), accountHeader(target, route.from.accountId), jsonContentType],
        body: jmapBody([sendCall(message)]),
      });
    let exchange = await send("/jmap?x");
    for (const { path } of otherPaths)
      if (methodResponses(exchange) === undefined) exchange = await send(path);
    return withDelivery(target, trial, exchange);
  },
  assert: expectNotSent,
});

const atAgentsAddress = check({
  id: "SCOPE-25/api-url",
  claim:
    "Where agents have an `apiUrl` of their own, a send with a `mail.read` token sends nothing there either.",
  needs: ["human"],
  async act(target): Promise<SendAttempt> {
    const url = await agentsApiUrl(target);
    const trial = await readOnlyTrial(target);
    const { token, message, route } = trial;
    const headers = [bearer(token), accountHeader(target, route.from.accountId), jsonContentType];
    const ask = (call: MethodCall): Promise<Exchange> =>
      postJmap(target, { url, headers, body: jmapBody([call]) });
    const [harmless, send] = [await ask(harmlessCall), await ask(sendCall(message))];
    if (![harmless, send].some((exchange) => methodResponses(exchange) !== undefined))
      throw new NotApplicableError("`apiUrl` serves no access token");
    return withDelivery(target, trial, send);
  },
  assert: expectNotSent,
});

// A gateway that looks for sends in POST requests alone, before a router that takes other methods too.
const byOtherMethods = check({
  id: "SCOPE-25/other-methods",
  claim: `A send with a \`mail.read\` token sends nothing by any of the methods ${otherMethods.join(", ")}.`,
  needs: ["human"],
  async act(target): Promise<SendAttempt> {
    const trial = await readOnlyTrial(target);
    const { token, message, route } = trial;
    const send = (method: string): Promise<Exchange> =>
      postJmap(target, {
        method,
        headers: [bearer(token), accountHeader(target, route.from.accountId), jsonContentType],
        body: jmapBody([sendCall(message)]),
      });
    const [first, ...others] = otherMethods;
    let exchange = await send(first);
    for (const method of others) if (methodResponses(exchange) === undefined) exchange = await send(method);
    return withDelivery(target, trial, exchange);
  },
  assert: expectNotSent,
});

const mostInboxes = 4;

const everyInbox = check({
  id: "SCOPE-26",
  claim: `A send with a \`mail.read\` token is refused with \`insufficient_scope\` in each of up to ${mostInboxes} of the person's inboxes that can send.`,
  needs: ["human"],
  async act(target): Promise<SendAttempt[]> {
    const owned = (await inboxesOf(target)).slice(0, mostInboxes);
    const trials = await Promise.allSettled(owned.map(({ accountId }) => readOnlyTrial(target, accountId)));
    const sending = trials.flatMap((trial) => (trial.status === "fulfilled" ? [trial.value] : []));
    // An inbox that never sends shows nothing here (C-86); where none does, there is nothing to judge.
    const isReadOnly = (reason: unknown): boolean =>
      sending.length > 0 && reason instanceof InconclusiveError && reason.code === "control-refused";
    for (const trial of trials)
      if (trial.status === "rejected" && !isReadOnly(trial.reason)) throw trial.reason;
    return Promise.all(sending.map((trial) => trySendingAlone(target, trial, sendCall(trial.message))));
  },
  assert(attempts) {
    for (const attempt of attempts) expectSendRefused(attempt);
  },
});

/** A send by every other way to the mail store. Document, "Authentication", OAuth 2.0 path 11. */
export const otherWayChecks = [...claimed, otherAddresses, atAgentsAddress, byOtherMethods, everyInbox];
