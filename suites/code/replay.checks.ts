import {
  expectAccessTokenRejected,
  isAccepted,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import type { Target } from "../support/target/target.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { redeem, usedCode } from "./redeemed-codes.ts";

/** The tokens of the first exchange, used after the code was presented again: once for all checks of a run. */
function tokensOfReplayedCode(target: Target) {
  return target.once("code:replay", async (recording) => {
    const { code, tokens } = await usedCode(recording);
    await requireAccepted(recording, tokens.access_token);
    await redeem(recording, code);
    const use = await pollUntilRejected(recording, tokens.access_token);
    return { use, refresh: await pollUntilRefreshRefused(recording, code, tokens) };
  });
}

const replayed = observe({
  id: "CODE-10",
  question: "Do the tokens of a code keep working after the code is presented again?",
  needs: ["human"],
  act: tokensOfReplayedCode,
  answer: ({ use, refresh }) =>
    `access token: ${isAccepted(use) ? "yes" : "no"}; refresh token: ${isSuccess(refresh) ? "yes" : "no"}`,
});

const revoked = recommend({
  id: "B-TOK-13",
  claim: "The tokens of a code are refused after the code is presented again.",
  needs: ["human"],
  act: tokensOfReplayedCode,
  assert({ use, refresh }) {
    expectAccessTokenRejected(use);
    expectRefreshRefused(refresh);
  },
});

/** What a replayed code does to its grant. RFC 6749 §4.1.2; the document is silent. */
export const replayChecks = [replayed, revoked];
