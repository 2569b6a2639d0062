import {
  codeExchange,
  newVerifier,
  postRevoke,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { pollUntilRejected, isAccepted, requireAccepted } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { requireRegistered, sharedClient } from "../support/material/clients.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import { replacing } from "../support/wire/parameters.ts";
import { postTokenSimultaneously } from "../support/actors/simultaneous-requests.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, observation, warning } from "../support/verdict.ts";
import { expectForeign, expectUnusable, redeem, usedCode } from "./redeemed-codes.ts";

const again = (["public", "confidential"] as const).map((client) =>
  check({
    id: `CODE-01/${client}`,
    claim: `The second exchange of a ${client} client's code is refused with 400 invalid_grant.`,
    needs: ["human"],
    async act(target) {
      const { code } = await usedCode(target, { client });
      return redeem(target, code);
    },
    assert: expectUnusable,
  }),
);

const rounds = 5;
const parallelExchanges = 10;

const race = check({
  id: "CODE-02",
  claim: `Of ${parallelExchanges} exchanges of a code at the same moment one at most is answered 200, the others 400 invalid_grant, in each of ${rounds} rounds.`,
  needs: ["human"],
  async act(target) {
    const played: Exchange[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const fields = codeExchange(await freshCode(target));
      const exchanges = await postTokenSimultaneously(target, fields, parallelExchanges);
      if (!exchanges.some(isSuccess)) {
        throw new InconclusiveError(
          "control-refused",
          `${parallelExchanges} valid code exchanges at the same moment: expected one to be answered 200, got ${exchanges.map(summary).join(", ")}`,
        );
      }
      played.push(exchanges);
    }
    return played;
  },
  assert(played) {
    for (const exchanges of played) {
      const winners = exchanges.filter(isSuccess).length;
      expectThat(
        winners <= 1,
        "one exchange at most to be answered 200",
        `${winners} of ${exchanges.length}`,
      );
      for (const exchange of exchanges.filter((other) => !isSuccess(other))) expectUnusable(exchange);
    }
  },
});

const afterRefresh = check({
  id: "CODE-03/after-refresh",
  claim: "A used code is refused with 400 invalid_grant after its grant was refreshed.",
  needs: ["human"],
  async act(target) {
    const { code, tokens } = await usedCode(target);
    const refresh = await postToken(target, refreshExchange(code.client, tokens.refresh_token));
    requireTokens(refresh, "a valid refresh");
    return redeem(target, code);
  },
  assert: expectUnusable,
});

const afterRevocation = check({
  id: "CODE-03/after-revocation",
  claim: "A used code is refused with 400 invalid_grant after its grant was revoked.",
  needs: ["human"],
  async act(target) {
    const { code, tokens } = await usedCode(target);
    await postRevoke(target, [
      ["client_id", code.client.client_id],
      ["token", tokens.refresh_token],
    ]);
    return redeem(target, code);
  },
  assert: expectUnusable,
});

const halfAMinute = 30;

const later = check({
  id: "CODE-03/after-30-seconds",
  claim: "A used code is refused with 400 invalid_grant half a minute later.",
  needs: ["human"],
  waitSeconds: halfAMinute,
  async act(target) {
    const { code } = await usedCode(target);
    await target.wait(halfAMinute);
    return redeem(target, code);
  },
  assert: expectUnusable,
});

const wrongVerifier = check({
  id: "CODE-08/wrong-verifier",
  claim: "A used code with a wrong verifier is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const { code } = await usedCode(target);
    return redeem(target, { ...code, verifier: newVerifier() });
  },
  assert: expectUnusable,
});

const otherClient = check({
  id: "CODE-08/other-client",
  claim:
    "A used code with the client_id of another client is refused with 400 invalid_grant or invalid_client.",
  needs: ["human"],
  async act(target) {
    const { code } = await usedCode(target);
    const other = await sharedClient(target, "other");
    requireRegistered(other, code.redirect_uri);
    return postToken(target, replacing(codeExchange(code), "client_id", other.client_id));
  },
  assert: expectForeign,
});

/** What the tokens of the first exchange are worth after the code came again. */
async function replay(target: Target) {
  const { code, tokens } = await usedCode(target);
  await requireAccepted(target, tokens.access_token);
  await redeem(target, code);
  const use = await pollUntilRejected(target, tokens.access_token);
  const refresh = await postToken(target, refreshExchange(code.client, tokens.refresh_token));
  return { isAccepted: isAccepted(use), isRefreshable: isSuccess(refresh) };
}

const replayed = check({
  id: "CODE-10",
  claim: "What becomes of the tokens of a code that is presented again.",
  needs: ["human"],
  act: (target) => target.once("code:replay", replay),
  assert: (tokens) =>
    observation(
      `the access token ${tokens.isAccepted ? "keeps working" : "is dead"}, the refresh token ${tokens.isRefreshable ? "keeps working" : "is dead"}`,
    ),
});

const replayRevokes = check({
  id: "B-TOK-13",
  claim: "A code that is presented again ends the tokens that it gave.",
  needs: ["human"],
  act: (target) => target.once("code:replay", replay),
  assert: (tokens): Finding | undefined =>
    tokens.isAccepted || tokens.isRefreshable
      ? warning("tokens of a replayed code keep working; RFC 6749 §4.1.2 wants them revoked")
      : undefined,
});

export const singleUseChecks = [
  ...again,
  race,
  afterRefresh,
  afterRevocation,
  later,
  wrongVerifier,
  otherClient,
  replayed,
  replayRevokes,
];
