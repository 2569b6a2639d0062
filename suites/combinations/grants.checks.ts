import { claimsOf } from "../support/actors/agent.ts";
import { bearer, getAgents, inboxQuery, jmapAs, methodResponses } from "../support/actors/jmap.ts";
import {
  codeExchange,
  newVerifier,
  postRevoke,
  postToken,
  requireTokens,
  secretOf,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat, expectTokenRefused, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { freshCode, freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { inboxOf, lastInboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { type GrantKind, grantKinds, usedCode } from "./grant-kinds.ts";
import { pollUntil } from "../support/judging/propagation.ts";

const refusedCodes = ["invalid_grant", "invalid_request"];

function otherVerifier({ slug, words, conditions, spec }: GrantKind): Check {
  return check({
    id: `PKCE-13/${slug}`,
    claim: `Another \`code_verifier\` does not redeem a code of ${words}.`,
    ...conditions,
    async act(target) {
      const code = await redeemableCode(target, await spec(target));
      return postToken(target, codeExchange({ ...code, verifier: newVerifier() }));
    },
    assert: (exchange) => explained("PKCE-13", () => expectTokenRefused(exchange, refusedCodes)),
  });
}

function otherRedirectUri({ slug, words, conditions, spec }: GrantKind): Check {
  return check({
    id: `REDIR-29/${slug}`,
    claim: `A foreign \`redirect_uri\` does not redeem a code of ${words}.`,
    ...conditions,
    async act(target) {
      const code = await redeemableCode(target, await spec(target));
      return postToken(target, replacing(codeExchange(code), "redirect_uri", "https://evil.test/cb"));
    },
    assert: (exchange) => explained("REDIR-29/foreign", () => expectTokenRefused(exchange, refusedCodes)),
  });
}

function secondExchange({ slug, words, conditions, spec, choice }: GrantKind): Check {
  return check({
    id: `CODE-01/${slug}`,
    claim: `A used code of ${words} is refused.`,
    ...conditions,
    async act(target) {
      const code = await freshCode(target, await spec(target));
      requireTokens(await postToken(target.control, codeExchange(code)), "a valid code exchange");
      return postToken(target, codeExchange(code));
    },
    assert: (exchange) => explained(usedCode(choice), () => expectTokenRefused(exchange, ["invalid_grant"])),
  });
}

function keepsItsReach({ slug, words, conditions, spec }: GrantKind): Check {
  return check({
    id: `REFRESH-15/${slug}`,
    claim: `Two refreshes keep the audience and the scope of a grant of ${words}.`,
    ...conditions,
    async act(target) {
      const grant = await freshGrant(target, await spec(target));
      const once = await refreshed(target, grant);
      const twice = await refreshed(target, once);
      return { granted: grant.response, refreshes: [once.response, twice.response] };
    },
    assert({ granted, refreshes }) {
      for (const refresh of refreshes) {
        const [before, after] = [reachOf(granted), reachOf(refresh)];
        explained("REFRESH-15/jmap-both", () => expectThat(after === before, before, after, refresh));
      }
    },
  });
}

/** The audience of the access token in a token response, and its scopes in any order. */
function reachOf(exchange: Exchange): string {
  const { access_token: token, scope } = jsonMembers(exchange);
  const audience = [claimsOf(String(token))?.["aud"]].flat();
  return `aud ${shown(audience)} and scope ${shown(String(scope).split(" ").toSorted().join(" "))}`;
}

/** What the tokens of a grant get after something that is to end it. */
interface Aftermath {
  readonly refresh: Exchange;
  /**
   * At the inbox list, and at JMAP for the last inbox of the person, where they served the token before: the document leaves
   * open some kinds.
   */
  readonly uses: readonly { readonly exchange: Exchange; readonly isServed: boolean }[];
}

/** A request that an access token may be served for. */
interface Use {
  readonly send: (target: Target, token: string) => Promise<Exchange>;
  readonly isServed: (exchange: Exchange) => boolean;
}

const listing: Use = { send: (target, token) => getAgents(target, [bearer(token)]), isServed: isSuccess };

/** A token for a single inbox serves the first alone. */
async function reading(target: Target, { choice: { human, resource } }: GrantKind): Promise<Use> {
  const accountId = await (resource === "inbox" ? inboxOf : lastInboxOf)(target, human);
  return {
    send: (from, token) => jmapAs(from, token, accountId, inboxQuery),
    isServed: (exchange) => methodResponses(exchange) !== undefined,
  };
}

/**
 * Ends a grant that was refreshed once, and presents what is left of it.
 *
 * @throws {InconclusiveError} control-refused, when its tokens are refused before anything happened to them
 */
async function ended(
  target: Target,
  kind: GrantKind,
  end: (first: Grant, newest: Tokens) => Promise<unknown>,
): Promise<Aftermath> {
  const first = await refreshableGrant(target, await kind.spec(target));
  const { tokens } = await refreshed(target, first);
  if (tokens.refresh_token === first.tokens.refresh_token) {
    throw new InconclusiveError(
      "precondition-missing",
      "needs a superseded refresh token; the refresh returned the same one",
      { explainedBy: "REFRESH-02" },
    );
  }
  const { access_token: token } = tokens;
  const served: Use[] = [];
  for (const use of [listing, await reading(target, kind)])
    if (use.isServed(await use.send(target.control, token))) served.push(use);
  await end(first, tokens);
  const refresh = await pollUntilRefreshRefused(target, first, tokens);
  const uses: Aftermath["uses"][number][] = [];
  for (const { send, isServed } of served) {
    const exchange = await pollUntil(
      target,
      () => send(target, token),
      (answer) => !isServed(answer),
    );
    uses.push({ exchange, isServed: isServed(exchange) });
  }
  return { refresh, uses };
}

function expectEnded({ refresh, uses }: Aftermath, explainedBy: string): void {
  expectRefreshRefused(refresh, explainedBy);
  const exchange = uses.find(({ isServed }) => isServed)?.exchange;
  if (exchange === undefined) return;
  throw new Violation("the access token to be refused", summary(exchange), { exchange, explainedBy });
}

function reuse(kind: GrantKind): Check {
  return check({
    id: `REFRESH-04/${kind.slug}`,
    claim: `The reuse of a superseded refresh token ends a grant of ${kind.words}.`,
    ...kind.conditions,
    act: (target) => ended(target, kind, (first) => presentRefreshToken(target, first, first.tokens)),
    assert: (aftermath) => expectEnded(aftermath, "REFRESH-04/public"),
  });
}

const revocations = [
  {
    id: "REVOKE-05",
    words: "refresh token",
    token: ({ refresh_token: token }: Tokens): string => token,
    explainedBy: "REVOKE-05",
  },
  {
    id: "REVOKE-02",
    words: "access token",
    token: ({ access_token: token }: Tokens): string => token,
    explainedBy: "REVOKE-02",
  },
];

function revoked(kind: GrantKind): Check[] {
  return revocations.map(({ id, words, token, explainedBy }) =>
    check({
      id: `${id}/${kind.slug}`,
      claim: `Revoking the newest ${words} ends a grant of ${kind.words}.`,
      ...kind.conditions,
      act: (target) =>
        ended(target, kind, ({ client }, newest) =>
          postRevoke(target, [
            ["client_id", client.client_id],
            ["token", token(newest)],
            ...secretOf(client),
          ]),
        ),
      assert: (aftermath) => expectEnded(aftermath, explainedBy),
    }),
  );
}

/** What the document promises to every grant, for kinds of grant in which every two choices meet. */
export const grantChecks: readonly Check[] = grantKinds.flatMap((kind) => [
  otherVerifier(kind),
  otherRedirectUri(kind),
  secondExchange(kind),
  keepsItsReach(kind),
  reuse(kind),
  ...revoked(kind),
]);
