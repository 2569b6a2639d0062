import { controlRefused } from "../support/wire/control-refused.ts";
import {
  codeExchange,
  newVerifier,
  postRevoke,
  postToken,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check, recommend } from "../support/judging/check.ts";
import { expectNoTokens } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { codeRace, expectOneWinner } from "../support/judging/races.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { requireRegistered, sharedClient } from "../support/material/clients.ts";
import { freshCode } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectForeign, expectUnusable, redeem, type UsedCode, usedCode } from "./redeemed-codes.ts";

const secondExchange = (["public", "confidential"] as const).map((client) =>
  check({
    id: `CODE-01/${client}`,
    claim: `The second exchange of a ${client} client's code is refused with \`invalid_grant\`.`,
    needs: ["human"],
    async act(target) {
      const { code } = await usedCode(target, { client });
      return redeem(target, code);
    },
    assert: (exchange) => expectUnusable(exchange),
  }),
);

const afterFailure = check({
  id: "CODE-01/after-failed-exchange",
  claim:
    "The second exchange of a code that was redeemed after a wrong `code_verifier` is refused with `invalid_grant`.",
  needs: ["human"],
  async act(target) {
    const code = await freshCode(target);
    await redeem(target.setup, { ...code, verifier: newVerifier() });
    const first = await redeem(target.control, code);
    // A target may use the code up with the failed exchange (C-29): then it stays so.
    if (jsonMembers(first)["error"] !== "invalid_grant")
      requireTokens(first, "a code exchange after one with a wrong `code_verifier`");
    return redeem(target, code);
  },
  assert: (exchange) => expectUnusable(exchange, "CODE-01"),
});

const rounds = 5;
const parallelExchanges = 10;

const oneWins = check({
  id: "CODE-02",
  claim: `Of ${parallelExchanges} simultaneous exchanges of one code at most one gives tokens, in each of ${rounds} rounds.`,
  needs: ["human"],
  async act(target) {
    const races: Exchange[][] = [];
    for (let round = 0; round < rounds; round += 1) races.push(await codeRace(target, parallelExchanges));
    return races;
  },
  assert(races) {
    for (const exchanges of races) {
      expectOneWinner(exchanges, "exchange", "CODE-01");
      for (const exchange of exchanges.filter((other) => !isSuccess(other))) expectNoTokens(exchange);
    }
  },
});

const halfAMinute = 30;
// Longer than what remembers used codes may live, where it is not the code itself that has ended.
const dayAndHour = 25 * 3600;

interface Aftermath {
  readonly slug: string;
  /** Reads after "A used code is refused with `invalid_grant`". */
  readonly words: string;
  readonly happens: (target: Target, used: UsedCode) => Promise<unknown>;
  readonly waitSeconds?: number;
}

const aftermaths: readonly Aftermath[] = [
  {
    slug: "after-refresh",
    words: "after its grant was refreshed",
    async happens(target, { code, tokens }) {
      const refresh = await presentRefreshToken(target.setup, code, tokens);
      return requireTokens(refresh, "a valid refresh", "REFRESH-01");
    },
  },
  {
    slug: "after-revocation",
    words: "after its grant was revoked",
    async happens(target, { code, tokens }) {
      const revocation = await postRevoke(target.setup, [
        ["client_id", code.client.client_id],
        ["token", tokens.refresh_token],
      ]);
      if (!isSuccess(revocation)) throw controlRefused("revoking a grant", "200", revocation, "REVOKE-04");
    },
  },
  {
    slug: "after-30-seconds",
    words: "half a minute later",
    happens: (target) => target.wait(halfAMinute),
    waitSeconds: halfAMinute,
  },
  {
    slug: "after-a-day",
    words: "a day and an hour later",
    happens: (target) => target.wait(dayAndHour),
    waitSeconds: dayAndHour,
  },
];

const staysUsed = aftermaths.map(({ slug, words, happens, waitSeconds }) =>
  check({
    id: `CODE-03/${slug}`,
    claim: `A used code is refused with \`invalid_grant\` ${words}.`,
    needs: ["human"],
    ...(waitSeconds !== undefined && { waitSeconds }),
    async act(target) {
      const used = await usedCode(target);
      await happens(target, used);
      return redeem(target, used.code);
    },
    assert: (exchange) => expectUnusable(exchange, "CODE-01"),
  }),
);

const otherCodes = 40;
const waitForOthersMs = 5000;

function codeExchangesSince(target: Target, number: number): number {
  return target
    .runExchanges()
    .filter(
      (exchange) =>
        exchange.number > number &&
        isSuccess(exchange) &&
        exchange.request.url.endsWith("/oauth/token") &&
        exchange.request.body.includes("grant_type=authorization_code"),
    ).length;
}

/** Waits while other checks redeem codes, and redeems what is missing. */
async function otherCodesRedeemed(target: Target, since: number): Promise<void> {
  let [seen, count] = [-1, 0];
  while (count < otherCodes && count > seen) {
    await target.pause(waitForOthersMs);
    [seen, count] = [count, codeExchangesSince(target, since)];
  }
  for (; count < otherCodes; count += 1) await usedCode(target.setup);
}

/**
 * A used code presented again when others have been redeemed since, with what its tokens get then: once for all checks of
 * a run. The codes are those of other checks that run meanwhile, and new ones where there are none.
 */
function presentedAfterOthers(target: Target) {
  return target.once("code:after-others", async (recording) => {
    const { code, tokens } = await usedCode(recording);
    await requireAccepted(recording, tokens.access_token);
    await otherCodesRedeemed(recording, recording.runExchanges().at(-1)?.number ?? 0);
    const exchange = await redeem(recording, code);
    const use = await pollUntilRejected(recording, tokens.access_token);
    return { exchange, use, refresh: await pollUntilRefreshRefused(recording, code, tokens) };
  });
}

const afterOthers = check({
  id: "CODE-03/after-others",
  claim: `A used code is refused with \`invalid_grant\` when ${otherCodes} others were redeemed since.`,
  needs: ["human"],
  act: async (target) => (await presentedAfterOthers(target)).exchange,
  assert: (exchange) => expectUnusable(exchange, "CODE-01"),
});

const endsAfterOthers = recommend({
  id: "B-TOK-13/after-others",
  claim: `The tokens of a used code are refused when it is presented again after ${otherCodes} others were redeemed.`,
  needs: ["human"],
  act: presentedAfterOthers,
  assert: ({ use, refresh }) =>
    explained("B-TOK-13", () => {
      expectAccessTokenRejected(use);
      expectRefreshRefused(refresh);
    }),
});

const wrongVerifier = check({
  id: "CODE-08/wrong-verifier",
  claim: "A used code with a wrong `code_verifier` is refused with `invalid_grant`.",
  needs: ["human"],
  async act(target) {
    const { code } = await usedCode(target);
    return redeem(target, { ...code, verifier: newVerifier() });
  },
  assert: (exchange) => expectUnusable(exchange),
});

const otherClient = check({
  id: "CODE-08/other-client",
  claim:
    "A used code with the `client_id` of another client is refused with `invalid_grant` or `invalid_client`.",
  needs: ["human"],
  async act(target) {
    const { code } = await usedCode(target);
    const other = await sharedClient(target, "other");
    requireRegistered(other, code.redirect_uri);
    return postToken(target, replacing(codeExchange(code), "client_id", other.client_id));
  },
  assert: expectForeign,
});

export const singleUseChecks = [
  ...secondExchange,
  afterFailure,
  oneWins,
  ...staysUsed,
  afterOthers,
  endsAfterOthers,
  wrongVerifier,
  otherClient,
];
