import { bearerIn, capabilityRequest } from "../support/actors/agent.ts";
import { sendOverEach, sendOverFresh, waysToEveryNode } from "../support/actors/fresh-connections.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapBody,
  jmapRequest,
  jsonContentType,
  methodResponses,
} from "../support/actors/jmap.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { freshGrant, type Grant, refreshed } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import {
  type Answered,
  expectRefusedEverywhere,
  refusedEverywhere,
  revokeGrant,
} from "./refused-everywhere.ts";

// The nodes of the mail API need not be those of the authorization service.

/** The smallest JMAP request with an access token. */
async function inboxRequest(target: Target, { tokens }: Grant): Promise<Outgoing> {
  const inbox = await inboxOf(target, "first");
  return jmapRequest(target, {
    headers: [bearer(tokens.access_token), accountHeader(target, inbox), jsonContentType],
    body: inboxQuery,
  });
}

const accepted = check({
  id: "BEARER-01/every-jmap-node",
  claim: "An access token is accepted at JMAP by every node.",
  needs: ["human"],
  async act(target) {
    const request = await inboxRequest(target, await freshGrant(target));
    const ways = waysToEveryNode(target, request.url);
    const answers = await sendOverEach(target, ways, request);
    return { answers: requireOne(answers, isServed, "BEARER-01"), certainty: ways.certainty };
  },
  assert: expectServedEverywhere,
  certainty: ({ certainty }) => certainty,
});

const revoked = check({
  id: "BEARER-11/every-jmap-node",
  claim:
    "After the time that a revocation may take, the access token of a revoked grant is refused at JMAP by every node.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target);
    return refusedEverywhere(target, await inboxRequest(target, grant), {
      acceptedBy: "BEARER-01/every-jmap-node",
      judgedBy: "REVOKE-04",
      end: () => revokeGrant(target, grant),
    });
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

const reused = check({
  id: "REFRESH-05/every-jmap-node",
  claim:
    "After a superseded refresh token was presented, and the time that a revocation may take, every node refuses the grant's access token at JMAP.",
  needs: ["human"],
  async act(target) {
    const first = await freshGrant(target);
    const grant = await refreshed(target, first);
    return refusedEverywhere(target, await inboxRequest(target, grant), {
      acceptedBy: "BEARER-01/every-jmap-node",
      judgedBy: "REFRESH-05",
      async end() {
        const reuse = await postToken(
          target.setup,
          refreshExchange(first.client, first.tokens.refresh_token),
        );
        if (isSuccess(reuse))
          throw controlRefused("presenting a superseded refresh token", "a refusal", reuse, "REFRESH-03");
      },
    });
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

// Well before the two minutes of a capability, however slow the target is.
const renewCapabilityAfterSeconds = 30;

const capability = check({
  id: "POW-61/every-node",
  claim: "A capability JWT is served at JMAP by every node.",
  async act(target) {
    let [request, sinceSeconds] = [await agentRequest(target), target.elapsedSeconds()];
    const ways = waysToEveryNode(target, request.url);
    const answers: Exchange[] = [];
    for (const node of ways.nodes) {
      if (target.elapsedSeconds() - sinceSeconds > renewCapabilityAfterSeconds)
        [request, sinceSeconds] = [await agentRequest(target), target.elapsedSeconds()];
      answers.push(await sendOverFresh(target, request, node));
    }
    return { answers: requireOne(answers, isServed, "POW-61"), certainty: ways.certainty };
  },
  assert: expectServedEverywhere,
  certainty: ({ certainty }) => certainty,
});

async function agentRequest(target: Target): Promise<Outgoing> {
  const jwt = await freshCapability(target);
  const { apiUrl, accountId } = await mailSession(target.setup, jwt);
  return jmapRequest(target, {
    url: apiUrl,
    headers: [bearer(jwt), jsonContentType],
    body: jmapBody([["Mailbox/query", { accountId, filter: { role: "inbox" } }, "0"]]),
  });
}

const session = check({
  id: "POW-49/every-node",
  claim: "A session JWT mints a capability JWT at every node.",
  async act(target) {
    const request = capabilityRequest(target, await sharedSession(target));
    const ways = waysToEveryNode(target, request.url);
    const answers = await sendOverEach(target, ways, request);
    return { answers: requireOne(answers, isMinted, "POW-48"), certainty: ways.certainty };
  },
  assert({ answers }) {
    for (const answer of answers)
      expectThat(isMinted(answer), "2xx with a capability JWT", summary(answer), answer);
  },
  certainty: ({ certainty }) => certainty,
});

function isMinted(answer: Exchange): boolean {
  return isSuccess(answer) && bearerIn(answer) !== undefined;
}

function isServed(answer: Exchange): boolean {
  return methodResponses(answer) !== undefined;
}

/**
 * What fails at every node is judged by another check.
 *
 * @throws {InconclusiveError} control-refused
 */
function requireOne(
  answers: readonly Exchange[],
  holds: (answer: Exchange) => boolean,
  judgedBy: string,
): readonly Exchange[] {
  const [first] = answers;
  if (first !== undefined && !answers.some(holds))
    throw controlRefused("the request at one node at least", "2xx", first, judgedBy);
  return answers;
}

function expectServedEverywhere({ answers }: Answered): void {
  for (const answer of answers)
    expectThat(isServed(answer), "200 with methodResponses", summary(answer), answer);
}

export const jmapNodeChecks = [accepted, revoked, reused, capability, session];
