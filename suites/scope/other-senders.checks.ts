import { jmapAs, jmapBody, methodResponses } from "../support/actors/jmap.ts";
import { agentResource } from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { deliveryWithinMs } from "../support/material/delivery.ts";
import { freshGrant, refreshed, sharedGrant } from "../support/material/grants.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { arrivalMs } from "./mailboxes.ts";
import { requireSending, sendingToken } from "./scoped-tokens.ts";
import { harmlessCall } from "./send-attempts.ts";
import { notCreated } from "./sending.checks.ts";
import {
  type Message,
  provenRoute,
  type ProvenRoute,
  type Route,
  sendNew,
  submissionIn,
} from "./submissions.ts";

interface Sender {
  readonly slug: string;
  readonly words: string;
  readonly unlockedBy?: Unlock;
  readonly waitSeconds?: number;
  readonly token: (target: Target, route: Route) => Promise<string>;
}

// Longer than the internal capability lives that the target makes of the token.
const pauseSeconds = 130;

const senders: readonly Sender[] = [
  {
    slug: "refreshed",
    words: "an access token that came with a refresh",
    token: async (target) =>
      requireSending(await refreshed(target, await freshGrant(target))).tokens.access_token,
  },
  {
    slug: "confidential",
    words: "an access token of a confidential client",
    token: async (target) =>
      requireSending(await sharedGrant(target, { client: "confidential" })).tokens.access_token,
  },
  ...otherClients.map(({ client, words, unlockedBy }): Sender => ({
    slug: client,
    words: `an access token of ${words}`,
    unlockedBy,
    token: async (target) => requireSending(await sharedGrant(target, { client })).tokens.access_token,
  })),
  {
    slug: "single-inbox",
    words: "an access token for a single inbox that JMAP serves",
    token: async (target, { from: { accountId } }) => {
      const resource = agentResource(target, accountId);
      const { access_token: token } = requireSending(await freshGrant(target, { resource })).tokens;
      const served = await jmapAs(target, token, accountId, jmapBody([harmlessCall]));
      // What such a token is good for is left open (C-08).
      if (methodResponses(served) === undefined)
        throw new NotApplicableError("JMAP serves no token for a single inbox");
      return token;
    },
  },
  {
    slug: "two-minutes-later",
    words: `an access token that sent a message ${pauseSeconds} s before`,
    waitSeconds: pauseSeconds,
    async token(target, route) {
      const { access_token: token } = requireSending(await freshGrant(target)).tokens;
      await requireSends(target, token, route);
      await target.wait(pauseSeconds);
      return token;
    },
  },
];

/** @throws {InconclusiveError} control-refused */
async function requireSends(target: Target, token: string, route: Route): Promise<void> {
  const { exchange } = await sendNew(target.control, token, route);
  if (submissionIn(exchange) !== undefined) return;
  throw controlRefused("sending over the same way", "200 with created", exchange, "SCOPE-23/both-scopes");
}

interface SentBy {
  readonly exchange: Exchange;
  readonly isLost: boolean;
}

/** Whether a message does not arrive where an older and a newer one do: no delivery is promised. */
async function isLost(target: Target, route: ProvenRoute, { subject }: Message): Promise<boolean> {
  const { deliveryMs, sink } = route;
  if (deliveryMs === undefined) return false;
  const token = await sendingToken(target);
  const withinMs = deliveryWithinMs(deliveryMs);
  const arrives = async (which: string, patienceMs: number): Promise<boolean> =>
    (await arrivalMs(target, token, sink, which, patienceMs)) !== undefined;
  if (await arrives(subject, withinMs)) return false;
  const { message: later } = await sendNew(target.control, token, route);
  return (await arrives(later.subject, withinMs)) && !(await arrives(subject, 0));
}

/**
 * What the API lets through the mail store may still refuse, by what the API made of the token. Document, "Authentication",
 * OAuth 2.0 path 7 and 8.
 */
export const otherSenderChecks: readonly Check[] = senders.map(
  ({ slug, words, unlockedBy, waitSeconds, token }) =>
    check({
      id: `SCOPE-23/${slug}`,
      claim: `${words.charAt(0).toUpperCase()}${words.slice(1)}, granted \`mail.send\`, sends: the submission is in \`created\`, and arrives where others do.`,
      needs: ["human"],
      ...(unlockedBy !== undefined && { unlockedBy }),
      ...(waitSeconds !== undefined && { waitSeconds }),
      async act(target): Promise<SentBy> {
        const route = await provenRoute(target);
        const { message, exchange } = await sendNew(target, await token(target.setup, route), route);
        if (submissionIn(exchange) !== undefined)
          return { exchange, isLost: await isLost(target, route, message) };
        // A limit on sends may have been reached meanwhile.
        await requireSends(target, requireSending(await freshGrant(target)).tokens.access_token, route);
        return { exchange, isLost: false };
      },
      assert({ exchange, isLost: isNowhere }) {
        explained("BEARER-01/jmap", () => {
          if (submissionIn(exchange) === undefined) throw notCreated(exchange);
        });
        expectThat(!isNowhere, "the message at its recipient", "it nowhere, and a later one there", exchange);
      },
    }),
);
