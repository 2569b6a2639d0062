import {
  codeExchange,
  mcpResource,
  postToken,
  secretOf,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { type ClientKind, requireRegistered } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { requireCodeKept, twoFreshCodes } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { adding, replacing } from "../support/wire/parameters.ts";
import { expectAudience } from "../support/judging/token-audience.ts";
import { expectForeign, redeem } from "./redeemed-codes.ts";

const others: readonly { id: string; words: string; client: ClientKind }[] = [
  { id: "CODE-05", words: "another public client", client: "other" },
  { id: "CODE-06", words: "a confidential client that sends its own secret", client: "confidential" },
];

const ofAnotherClient = others.map(({ id, words, client: kind }) =>
  check({
    id,
    claim: `The code of a public client is refused to ${words}, with \`invalid_grant\` or \`invalid_client\`.`,
    needs: ["human"],
    async act(target) {
      // The other client redeems codes of its own, with the same redirect_uri.
      const { client: other } = await redeemableCode(target, { client: kind });
      const code = await redeemableCode(target);
      requireRegistered(other, code.redirect_uri);
      const fields = replacing(codeExchange(code), "client_id", other.client_id);
      return postToken(target, adding(fields, ...secretOf(other)));
    },
    assert: expectForeign,
  }),
);

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
    for (const exchange of exchanges) expectStatus(exchange, 200);
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

export const bindingChecks = [...ofAnotherClient, otherClientAgain, distinct, ownScope, ownResource];
