import { obtainCode } from "../support/actors/authorization.ts";
import {
  type AuthorizationCode,
  authorizationRequest,
  type Client,
  codeExchange,
  mcpResource,
  postToken,
  requireTokens,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  type ClientKind,
  requireRegistered,
  secondConfidential,
  sharedClient,
} from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { type GrantSpec, requireCodeKept, twoFreshCodes } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { expectForeign, redeem } from "./redeemed-codes.ts";

const owners = {
  public: "a public client",
  confidential: "a confidential client",
  operator: "an operator-registered client",
} as const;
type Owner = keyof typeof owners;

interface ForeignExchange {
  readonly id: string;
  readonly of: Owner;
  readonly by: ClientKind;
  readonly words: string;
  readonly explainedBy?: string;
  readonly unlockedBy?: Unlock;
}

const ofOperator = { of: "operator", unlockedBy: "operator_client" } as const;

const foreignExchanges: readonly ForeignExchange[] = [
  { id: "CODE-05", of: "public", by: "other", words: "another public client" },
  {
    id: "CODE-05/confidential-clients",
    of: "confidential",
    by: "other",
    words: "a public client",
    explainedBy: "CODE-05",
  },
  {
    id: "CODE-06",
    of: "public",
    by: "confidential",
    words: "a confidential client that sends its own secret",
  },
  {
    ...ofOperator,
    id: "CODE-05/operator",
    by: "other",
    words: "a public client that registered itself",
    explainedBy: "CODE-05",
  },
  {
    ...ofOperator,
    id: "CODE-06/operator",
    by: "confidential",
    words: "a confidential client that sends its own secret",
    explainedBy: "CODE-06",
  },
  {
    id: "CODE-06/at-operators-client",
    of: "public",
    by: "operator",
    words: "a client that the operator registered",
    explainedBy: "CODE-06",
    unlockedBy: "operator_client",
  },
];

const ofAnotherClient = foreignExchanges.map(({ id, of, by, words, explainedBy, unlockedBy }) =>
  check({
    id,
    claim: `The code of ${owners[of]} is refused to ${words}, with \`invalid_grant\` or \`invalid_client\`.`,
    needs: ["human"],
    ...(unlockedBy !== undefined && { unlockedBy }),
    async act(target) {
      const isOfOperator = of === "operator" || by === "operator";
      // The other client redeems codes of its own.
      const { client: other } = await redeemableCode(target, { client: by });
      const code = await redeemableCode(target, {
        client: of,
        ...(isOfOperator && (await sharedUri(target, of, other))),
      });
      // The redirect_uri of a published connector is seldom anybody else's.
      if (!isOfOperator) requireRegistered(other, code.redirect_uri);
      return postToken(target, exchangeBy(other, code));
    },
    assert: (exchange) => explained(explainedBy, () => expectForeign(exchange)),
  }),
);

/** A redirect_uri that a client has in common with another, if any: a refusal is for nothing but the client then. */
async function sharedUri(target: Target, of: Owner, other: Client): Promise<GrantSpec> {
  const { redirect_uris: own } = await sharedClient(target, of);
  const shared = own.find((uri) => other.redirect_uris.includes(uri));
  return shared === undefined ? {} : { redirect_uri: shared };
}

/** The exchange of another client's code, with the client's own id and secret. */
function exchangeBy(other: Client, code: AuthorizationCode): Parameters {
  const fields = replacing(without(codeExchange(code), "client_secret"), "client_id", other.client_id);
  return adding(fields, ...secretOf(other));
}

const ofAnotherConfidential = check({
  id: "CODE-06/confidential-clients",
  claim:
    "The code of a confidential client is refused to another that sends its own secret, with `invalid_grant` or `invalid_client`.",
  needs: ["human"],
  async act(target) {
    const other = await secondConfidential(target);
    await target.control.once("code:second-confidential", async (recording) => {
      const own = await obtainCode(recording, authorizationRequest(recording, other));
      return requireTokens(
        await postToken(recording, codeExchange(own)),
        "a code of the second client's own",
      );
    });
    const code = await redeemableCode(target, { client: "confidential" });
    requireRegistered(other, code.redirect_uri);
    return postToken(target, exchangeBy(other, code));
  },
  assert: (exchange) => explained("CODE-06", () => expectForeign(exchange)),
});

const otherClientAgain = check({
  id: "CODE-05/second-attempt",
  claim:
    "After an attempt of another public client, a second one with the code is refused with `invalid_grant` or `invalid_client` too.",
  needs: ["human"],
  async act(target) {
    const { client: other } = await redeemableCode(target, { client: "other" });
    const code = await redeemableCode(target);
    requireRegistered(other, code.redirect_uri);
    const fields = replacing(codeExchange(code), "client_id", other.client_id);
    await postToken(target.setup, fields);
    return postToken(target, fields);
  },
  assert: (exchange) => explained("CODE-05", () => expectForeign(exchange)),
});

const distinct = check({
  id: "CODE-12",
  claim:
    "Two authorizations of one person and client with the same `state` give different codes, and each is redeemed.",
  needs: ["human"],
  async act(target) {
    const [one, other] = await twoFreshCodes(target, { state: unguessable() });
    const exchanges = [await redeem(target, one), await redeem(target, other)] as const;
    const areDifferent = one.code !== other.code;
    if (areDifferent && isSuccess(exchanges[1])) await requireCodeKept(target, exchanges[0]);
    return { areDifferent, exchanges };
  },
  assert({ areDifferent, exchanges }) {
    if (!areDifferent) throw new Violation("two different codes", "the same code twice");
    for (const [at, exchange] of exchanges.entries()) {
      const observed = `${summary(exchange)} for the ${at === 0 ? "older" : "newer"} code`;
      expectThat(exchange.response.status === 200, "status 200", observed, exchange);
    }
  },
});

/** The exchange of a code for little, when the same person has approved more for the same client since. */
function redeemedAfterMore(target: Target): Promise<Exchange> {
  return target.once("code:approved-more", async (recording) => {
    const resource = mcpResource(recording);
    const [little] = await twoFreshCodes(recording, { scope: "mail.read", resource }, {});
    const exchange = await redeem(recording, little);
    await requireCodeKept(target, exchange);
    return exchange;
  });
}

const ownScope = check({
  id: "SCOPE-02/approved-more",
  claim:
    "A code for `mail.read` gives no `mail.send`, also when the person has approved both scopes for the client since.",
  needs: ["human"],
  act: redeemedAfterMore,
  assert(exchange) {
    if (!isSuccess(exchange))
      throw new Violation("200 with tokens", summary(exchange), { exchange, explainedBy: "CODE-12" });
    const { scope } = jsonMembers(exchange);
    explained("SCOPE-02", () => expectThat(scope === "mail.read", "scope mail.read", shown(scope), exchange));
  },
});

const ownResource = check({
  id: "RES-02/approved-more",
  claim:
    "A code for the MCP resource gives a token for it, also when the person has approved the JMAP resource for the client since.",
  needs: ["human"],
  act: async (target) => ({ exchange: await redeemedAfterMore(target), resource: mcpResource(target) }),
  assert({ exchange, resource }) {
    if (isSuccess(exchange)) expectAudience(exchange, resource, "RES-02");
  },
});

export const bindingChecks = [
  ...ofAnotherClient,
  ofAnotherConfidential,
  otherClientAgain,
  distinct,
  ownScope,
  ownResource,
];
