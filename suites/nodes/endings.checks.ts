import { endedClients } from "../support/actors/authorization.ts";
import {
  sendOverEach,
  sendOverFresh,
  waysToEveryNode,
  type Ways,
} from "../support/actors/fresh-connections.ts";
import {
  accountHeader,
  bearer,
  inboxEntries,
  inboxQuery,
  jmapRequest,
  jsonContentType,
} from "../support/actors/jmap.ts";
import {
  type Client,
  refreshExchange,
  requireTokens,
  tokenRequest,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { callHook, firstUsername, revokeOnDashboard } from "../support/actors/operator.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { pollUntil } from "../support/judging/propagation.ts";
import { clientFor, requireDynamicRegistration } from "../support/material/clients.ts";
import { freshGrant, type Grant, grantTo } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import {
  type Answered,
  expectRefusedEverywhere,
  refusedEverywhere,
  requireOneRefusal,
  revokeGrant,
} from "./refused-everywhere.ts";

/** A client, and the current refresh token of a grant to it. */
interface Holder {
  readonly client: Client;
  readonly refreshToken: string;
}

/**
 * Refreshes a grant at every node, ends it, and presents its current refresh token to every node. One that takes it has made
 * the verdict, whatever the nodes after it say of a token that is superseded then.
 */
async function refreshRefusedEverywhere(
  target: Target,
  holder: Holder,
  { judgedBy, end }: { readonly judgedBy: string; end(current: string): Promise<void> },
): Promise<Answered> {
  const ways = waysToEveryNode(target, target.authUrl);
  const current = await refreshedAtEach(target, ways, holder);
  await end(current);
  await target.pause(target.profile.revocation_propagation_seconds * 1000);
  const request = tokenRequest(target, refreshExchange(holder.client, current));
  const answers = await sendOverEach(target, ways, request);
  return { answers: requireOneRefusal(answers, judgedBy), certainty: ways.certainty };
}

/** @returns the refresh token that the last node gave @throws {InconclusiveError} control-refused */
async function refreshedAtEach(
  target: Target,
  ways: Ways,
  { client, refreshToken }: Holder,
): Promise<string> {
  let current = refreshToken;
  for (const node of ways.nodes) {
    const request = tokenRequest(target, refreshExchange(client, current));
    const answer = await sendOverFresh(target.control, request, node);
    current = requireTokens(answer, "a refresh before the end of the grant", "REFRESH-01").refresh_token;
  }
  return current;
}

const revokedRefresh = check({
  id: "REVOKE-05/every-node",
  claim:
    "After the time that a revocation may take, the refresh token of a revoked grant is refused by every node.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target);
    const { client, tokens } = grant;
    return refreshRefusedEverywhere(
      target,
      { client, refreshToken: tokens.refresh_token },
      { judgedBy: "REVOKE-05", end: (current) => revokeGrant(target, grant, current) },
    );
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

/** A grant to a client of its own: what ends it ends all that the client has. */
async function grantToOwnClient(target: Target, purpose: string): Promise<Grant> {
  requireDynamicRegistration(target);
  return grantTo(target.setup, await clientFor(target, "public", `nodes:${purpose}`));
}

const disabled = check({
  id: "AUTHZ-07/every-node",
  claim:
    "After the time that a revocation may take, a client that was disabled is refused a refresh by every node.",
  needs: ["human"],
  unlockedBy: "disable_client_hook",
  async act(target) {
    const { client, tokens } = await grantToOwnClient(target, `AUTHZ-07:${unguessable()}`);
    return refreshRefusedEverywhere(
      target,
      { client, refreshToken: tokens.refresh_token },
      {
        judgedBy: "AUTHZ-07/refresh",
        async end() {
          target.note(endedClients, client.client_id);
          await callHook(target, "disable_client", { client_id: client.client_id });
        },
      },
    );
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

/** The smallest request with an access token, at JMAP for an inbox. */
function jmapWith(target: Target, accessToken: string, accountId: string): Outgoing {
  return jmapRequest(target, {
    headers: [bearer(accessToken), accountHeader(target, accountId), jsonContentType],
    body: inboxQuery,
  });
}

function listWith(target: Target, accessToken: string): Outgoing {
  return { method: "GET", url: `${target.authUrl}/api/v1/agents`, headers: [bearer(accessToken)] };
}

const onDashboard = [
  {
    id: "REVOKE-14/every-node",
    where: "at the inbox list of every node",
    acceptedBy: "BEARER-01/every-node",
    request: async (target: Target, token: string) => listWith(target, token),
  },
  {
    id: "REVOKE-14/every-jmap-node",
    where: "at JMAP by every node",
    acceptedBy: "BEARER-01/every-jmap-node",
    request: async (target: Target, token: string) => jmapWith(target, token, await inboxOf(target)),
  },
].map(({ id, where, acceptedBy, request }) =>
  check({
    id,
    claim: `After the time that a revocation may take, the access token of a grant that the person revoked on the dashboard is refused ${where}.`,
    needs: ["human"],
    unlockedBy: "revoke_grants_hook",
    async act(target) {
      const { client, tokens } = await grantToOwnClient(target, id);
      return refusedEverywhere(target, await request(target, tokens.access_token), {
        acceptedBy,
        judgedBy: "REVOKE-14/access-token",
        end: () => revokeOnDashboard(target, client),
      });
    },
    assert: expectRefusedEverywhere,
    certainty: ({ certainty }) => certainty,
  }),
);

/** What every node answers for an inbox that its person has lost. */
interface LostEverywhere {
  readonly accountId: string;
  readonly jmap: Answered;
  readonly lists: Answered;
}

/** An inbox is taken from the first person once for all checks of a run. Meanwhile nobody else may need it. */
function lostEverywhere(target: Target): Promise<LostEverywhere> {
  return target.once("nodes:lost-inbox", async (recording) => {
    const accountId = await inboxOf(recording);
    const { access_token: token } = (await freshGrant(recording)).tokens;
    const [jmap, list] = [jmapWith(recording, token, accountId), listWith(recording, token)];
    const ways = [waysToEveryNode(recording, jmap.url), waysToEveryNode(recording, list.url)] as const;
    for (const use of await sendOverEach(recording.control, ways[0], jmap))
      if (!isSuccess(use))
        throw controlRefused("one of the person's inboxes", "200", use, "BEARER-01/every-jmap-node");
    for (const use of await sendOverEach(recording.control, ways[1], list))
      if (!lists(use, accountId))
        throw controlRefused(
          "the inbox list",
          "200 with one of the person's inboxes",
          use,
          "BEARER-01/every-node",
        );
    const details = { username: firstUsername(recording), account_id: accountId };
    await callHook(recording, "unlink_inbox", details);
    try {
      await recording.pause(recording.profile.revocation_propagation_seconds * 1000);
      return {
        accountId,
        jmap: { answers: await sendOverEach(recording, ways[0], jmap), certainty: ways[0].certainty },
        lists: { answers: await sendOverEach(recording, ways[1], list), certainty: ways[1].certainty },
      };
    } finally {
      await callHook(recording, "link_inbox", details);
      await pollUntil(
        recording,
        () => recording.setup.send(jmap),
        (answer) => isSuccess(answer),
      );
    }
  });
}

const lostAtJmap = check({
  id: "HDR-14/every-jmap-node",
  claim:
    "After the time that a revocation may take, a JMAP request for an inbox that the person has lost is refused by every node.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const { jmap } = await lostEverywhere(target);
    requireOneRefusal(jmap.answers, "HDR-14/refused");
    return jmap;
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

const lostInList = check({
  id: "AGENTS-11/every-node",
  claim:
    "After the time that a revocation may take, an inbox that the person has lost is in the inbox list of no node.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const { accountId, lists: answered } = await lostEverywhere(target);
    const { answers } = answered;
    if (answers.every((list) => lists(list, accountId)))
      throw new InconclusiveError(
        "control-refused",
        "the inbox list: expected one without the lost inbox over one connection at least, got none",
        { ...(answers[0] && { exchange: answers[0] }), explainedBy: "HDR-14/not-listed" },
      );
    return { ...answered, accountId };
  },
  assert({ answers, accountId }) {
    for (const list of answers) {
      explained("BEARER-01/every-node", () => expectStatus(list, 200));
      expectThat(!lists(list, accountId), `a list without ${accountId}`, "a list with it", list);
    }
  },
  certainty: ({ certainty }) => certainty,
});

function lists(list: Exchange, accountId: string): boolean {
  return inboxEntries(list).some((entry) => entry.accountId === accountId);
}

/** What has ended at one node has ended at the others. Document, "States", "Errors", and OAuth 2.0 path 9. */
export const endingChecks = [revokedRefresh, disabled, ...onDashboard, lostAtJmap, lostInList];
