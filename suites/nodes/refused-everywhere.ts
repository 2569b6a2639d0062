import { sendOverEach, waysToEveryNode } from "../support/actors/fresh-connections.ts";
import { postRevoke, secretOf } from "../support/actors/oauth-client.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import type { Grant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Certainty, InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";

/** What every node answered. */
export interface Answered {
  readonly answers: readonly Exchange[];
  readonly certainty: Certainty;
}

/** What ends the credential of a request, and what judges by itself that it is accepted before and refused after. */
interface Ending {
  readonly acceptedBy: string;
  readonly judgedBy: string;
  end(): Promise<void>;
}

/**
 * Sends a request to every node before and after its credential is ended, the time that a revocation may take between.
 *
 * @throws {InconclusiveError} control-refused, when a node refuses it before, or none does after
 */
export async function refusedEverywhere(
  target: Target,
  request: Outgoing,
  { acceptedBy, judgedBy, end }: Ending,
): Promise<Answered> {
  const ways = waysToEveryNode(target, request.url);
  for (const use of await sendOverEach(target.control, ways, request))
    if (!isSuccess(use)) throw controlRefused("an access token", "200", use, acceptedBy);
  await end();
  await target.pause(target.profile.revocation_propagation_seconds * 1000);
  const answers = await sendOverEach(target, ways, request);
  return { answers: requireOneRefusal(answers, judgedBy), certainty: ways.certainty };
}

/**
 * What is accepted by every node is judged by another check.
 *
 * @throws {InconclusiveError} control-refused
 */
export function requireOneRefusal(answers: readonly Exchange[], judgedBy: string): readonly Exchange[] {
  if (answers.every((answer) => isSuccess(answer)))
    throw new InconclusiveError(
      "control-refused",
      "what has ended: expected a refusal over one connection at least, got none",
      { ...(answers[0] && { exchange: answers[0] }), explainedBy: judgedBy },
    );
  return answers;
}

export function expectRefusedEverywhere({ answers }: Answered): void {
  for (const answer of answers) expectThat(isRefusal(answer), "a refusal", summary(answer), answer);
}

/**
 * @param refreshToken - its current one
 * @throws {InconclusiveError} control-refused, when the revocation is
 */
export async function revokeGrant(
  target: Target,
  { client, tokens }: Grant,
  refreshToken: string = tokens.refresh_token,
): Promise<void> {
  const revocation = await postRevoke(target.setup, [
    ["client_id", client.client_id],
    ["token", refreshToken],
    ...secretOf(client),
  ]);
  if (!isSuccess(revocation)) throw controlRefused("revoking a grant", "200", revocation, "REVOKE-04");
}
