import { inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { postToken, refreshExchange, requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant } from "../support/material/grants.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters } from "../support/wire/parameters.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { expectReadOnlyAgain, triedAfter, trySendingWith } from "./read-only-again.ts";
import { scopesIn } from "./scoped-tokens.ts";
import { expectSendRefused } from "./send-attempts.ts";

const newerGrant = check({
  id: "SCOPE-27/newer-grant",
  claim:
    "A refresh of a grant of `mail.read` stays `mail.read`, and its new token sends nothing, also when the person has granted the client both scopes since.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { scope: "mail.read" });
    await freshGrant(target.setup);
    const exchange = await postToken(target, refreshExchange(client, tokens.refresh_token));
    if (isRefusal(exchange))
      throw new NotApplicableError("a newer grant to the same client ends the older one");
    requireTokens(exchange, "a refresh of a grant of `mail.read`", "REFRESH-01");
    return triedAfter(target, exchange);
  },
  assert: (tried) => explained("SCOPE-27/plain", () => expectReadOnlyAgain(tried)),
});

// As frameworks read them, an empty list, an array, the last value or a list of values; a default may be all scopes.
const otherForms: readonly Parameters[] = [
  [["scope", ""]],
  [["scope", " "]],
  [["scope[]", "mail.send"]],
  [
    ["scope", "mail.read"],
    ["scope", "mail.read mail.send"],
  ],
];

const widenedOtherwise = check({
  id: "SCOPE-27/other-forms",
  claim:
    "Refreshes of a `mail.read` grant with `scope` empty, blank, twice or as `scope[]=mail.send` give no `mail.send`, and the last `mail.read` token sends nothing.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { scope: "mail.read" });
    const refreshes: Exchange[] = [];
    let current = tokens.refresh_token;
    for (const form of otherForms) {
      const refresh = await postToken(target, adding(refreshExchange(client, current), ...form));
      refreshes.push(refresh);
      // A refused refresh leaves the token as it is (REFRESH-13).
      if (isSuccess(refresh)) current = requireTokens(refresh, "a refresh with `scope`").refresh_token;
    }
    // One whose blank scope is taken for none at all can do nothing that shows anything.
    const newest = refreshes.findLast(
      (refresh) => isSuccess(refresh) && jsonMembers(refresh)["scope"] === "mail.read",
    );
    return { refreshes, tried: newest && (await triedAfter(target, newest)) };
  },
  assert({ refreshes, tried }) {
    for (const exchange of refreshes.filter(isSuccess)) {
      const { scope } = jsonMembers(exchange);
      explained("SCOPE-27/plain", () =>
        expectThat(!grantsSending(exchange), "no mail.send", shown(scope), exchange),
      );
    }
    if (tried !== undefined) explained("SCOPE-27/plain", () => expectReadOnlyAgain(tried));
  },
});

const narrowed = (
  [
    { id: "SCOPE-14/narrowed-refresh", words: "a public client", client: "public" },
    { id: "SCOPE-14/narrowed-refresh-confidential", words: "a confidential client", client: "confidential" },
  ] as const
).map(({ id, words, client: kind }) =>
  check({
    id,
    claim: `A refresh of ${words} that asks for \`mail.read\` alone is refused, or gives a token that sends only if its \`scope\` has \`mail.send\`.`,
    needs: ["human"],
    async act(target) {
      const { client, tokens } = await freshGrant(target, { client: kind });
      // What the grant may do could be remembered with its first request.
      await jmapAs(target.setup, tokens.access_token, await inboxOf(target), inboxQuery);
      const fields = adding(refreshExchange(client, tokens.refresh_token), ["scope", "mail.read"]);
      const response = await postToken(target.setup, fields);
      // The document shows no `scope` in a refresh, so that a target may refuse or ignore it.
      if (isRefusal(response)) return undefined;
      const issued = requireTokens(response, "a refresh that asks for `mail.read`", "B-TOK-16/narrowed");
      const isToSend = scopesIn(issued.scope).includes("mail.send");
      return { isToSend, send: await trySendingWith(target, issued, isToSend) };
    },
    assert(seen) {
      if (seen === undefined) return;
      const { isToSend, send } = seen;
      if (!isToSend) expectSendRefused(send);
      else if (isRefusal(send.exchange))
        throw new Violation("a send that `scope` allows", summary(send.exchange), {
          exchange: send.exchange,
        });
    },
  }),
);

/** The scope of the token decides, not that of its grant. Document, "Authentication", OAuth 2.0 path 11. */
export const narrowedRefreshChecks = [...narrowed, newerGrant, widenedOtherwise];
