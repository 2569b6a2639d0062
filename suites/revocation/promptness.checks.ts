import { expectAccessTokenRejected, pollUntilRejected } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { originOf } from "../support/wire/url.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jsonContentType,
  methodResponses,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { revocableGrant, revoke } from "./revoked-grants.ts";

const callsBefore = 5;

/**
 * Uses an access token at JMAP until everything that a server keeps of it is warm, then revokes it and goes on using it
 * until it is refused or the profile's revocation_propagation_seconds are over, all on one connection.
 *
 * @throws {InconclusiveError} control-refused, when one of the calls before the revocation is refused
 */
async function revokeWhileWarm(target: Target): Promise<{ token: string; last: Exchange }> {
  const { grant, newest } = await revocableGrant(target);
  const outgoing = {
    method: "POST",
    url: `${target.apiUrl}/jmap`,
    headers: [bearer(newest.access_token), accountHeader(target, await inboxOf(target)), jsonContentType],
    body: inboxQuery,
  };
  const connection = target.connect(originOf(target.apiUrl));
  try {
    for (let call = 0; call < callsBefore; call += 1) {
      const served = await connection.send(outgoing);
      if (methodResponses(served) === undefined)
        throw controlRefused("a JMAP request", "200 with methodResponses", served, "BEARER-01");
    }
    await revoke(target, grant.client, newest.access_token);
    const last = await pollUntil(
      target,
      () => connection.send(outgoing),
      ({ response }) => response.status === 401,
    );
    return { token: newest.access_token, last };
  } finally {
    await connection.close();
  }
}

const immediately = check({
  id: "REVOKE-10",
  claim: `An access token that was used ${callsBefore} times on a connection is refused there within the propagation time of its revocation.`,
  needs: ["human"],
  act: async (target) => (await revokeWhileWarm(target)).last,
  assert(last) {
    if (!isRefusal(last)) {
      throw new Violation("the access token to be refused", summary(last), {
        exchange: last,
        explainedBy: "REVOKE-01",
      });
    }
  },
});

/** While the token itself has not expired. */
const stays = [
  { id: "REVOKE-10/two-minutes-later", words: "two minutes", seconds: 130 },
  { id: "REVOKE-10/twelve-minutes-later", words: "twelve minutes", seconds: 720 },
].map(({ id, words, seconds }) =>
  check({
    id,
    claim: `An access token that was in use when it was revoked is refused ${words} later.`,
    needs: ["human"],
    waitSeconds: seconds,
    async act(target) {
      const { token } = await revokeWhileWarm(target);
      await target.wait(seconds);
      // A moved clock may not have moved the propagation time.
      return pollUntilRejected(target, token);
    },
    assert: (use) => expectAccessTokenRejected(use, "REVOKE-10"),
  }),
);

export const promptnessChecks = [immediately, ...stays];
