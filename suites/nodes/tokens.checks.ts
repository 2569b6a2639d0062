import { decodeProtectedHeader } from "jose";
import { claimsOf } from "../support/actors/agent.ts";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import {
  connectionsToAnotherNode,
  connectionsToEveryNode,
  keySetRequest,
  sendOverEach,
  sendOverFresh,
  withoutKeepAlive,
} from "../support/actors/fresh-connections.ts";
import { bearer } from "../support/actors/jmap.ts";
import {
  authorizationRequest,
  postRevoke,
  refreshExchange,
  requireTokens,
  secretOf,
  tokenRequest,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus, expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { freshGrant } from "../support/material/grants.ts";
import { sharedClient } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";

const listRequest = (target: Target, accessToken: string): Outgoing => ({
  method: "GET",
  url: `${target.authUrl}/api/v1/agents`,
  headers: [bearer(accessToken)],
});

const accepted = check({
  id: "BEARER-01/every-node",
  claim: "An access token is accepted over every connection, enough of them to meet every node.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await freshGrant(target);
    const request = listRequest(target, tokens.access_token);
    return sendOverEach(target, connectionsToEveryNode(target.profile.nodes), request);
  },
  assert(answers) {
    for (const answer of answers) expectStatus(answer, 200);
  },
});

const revoked = check({
  id: "BEARER-11/every-node",
  claim:
    "After the time that a revocation may take, the access token of a revoked grant is refused over every connection, enough of them to meet every node.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await freshGrant(target);
    const request = listRequest(target, tokens.access_token);
    const count = connectionsToEveryNode(target.profile.nodes);
    for (const use of await sendOverEach(target.control, count, request))
      if (!isSuccess(use)) throw controlRefused("an access token", "200", use, "BEARER-01/every-node");
    const fields = [
      ["client_id", client.client_id],
      ["token", tokens.refresh_token],
      ...secretOf(client),
    ] as const;
    const revocation = await postRevoke(target.setup, fields);
    if (!isSuccess(revocation)) throw controlRefused("revoking a grant", "200", revocation, "REVOKE-04");
    await target.pause(target.profile.revocation_propagation_seconds * 1000);
    const answers = await sendOverEach(target, count, request);
    if (answers.every((answer) => isSuccess(answer)))
      throw new InconclusiveError(
        "control-refused",
        "a revoked grant: expected a refusal over one connection at least, got none",
        { ...(answers[0] && { exchange: answers[0] }), explainedBy: "REVOKE-04" },
      );
    return answers;
  },
  assert(answers) {
    for (const answer of answers)
      expectThat(isRefusalStatus(answer.response.status), "a refusal", summary(answer), answer);
  },
});

interface Issued {
  readonly exchange: Exchange;
  readonly accessToken: string;
  /** Before it was asked for and after it came, on the target's clock, from the beginning of the run. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** One grant's access tokens, each refreshed over a connection of its own, and the key sets over as many. */
function issuedAtEveryNode(
  target: Target,
): Promise<{ readonly issued: readonly Issued[]; readonly keySets: readonly Exchange[] }> {
  return target.once("nodes:issued", async (recording) => {
    const count = connectionsToEveryNode(recording.profile.nodes);
    const { client, tokens } = await freshGrant(recording);
    const issued: Issued[] = [];
    let refreshToken = tokens.refresh_token;
    while (issued.length < count) {
      const request = tokenRequest(recording, refreshExchange(client, refreshToken));
      const fromSeconds = recording.elapsedSeconds();
      const exchange = await sendOverFresh(recording, request);
      const renewed = requireTokens(exchange, "a refresh over another connection", "REFRESH-01");
      refreshToken = renewed.refresh_token;
      issued.push({
        exchange,
        accessToken: renewed.access_token,
        fromSeconds,
        toSeconds: recording.elapsedSeconds(),
      });
    }
    return { issued, keySets: await sendOverEach(recording, count, keySetRequest(recording)) };
  });
}

const published = check({
  id: "JWKS-03/every-node",
  claim:
    "The key of every access token is in every JWK set, whatever connection either came over; enough of them to meet every node.",
  needs: ["human"],
  act: issuedAtEveryNode,
  assert({ issued, keySets }) {
    for (const keySet of keySets) {
      if (!isSuccess(keySet)) throw controlRefused("the JWK set", "200", keySet, "JWKS-01");
      const kids = kidsIn(keySet);
      for (const { accessToken } of issued) {
        const { kid } = decodeProtectedHeader(accessToken);
        // Without a name the key is found by trying, which JWKS-03/code judges.
        if (kid !== undefined)
          expectThat(kids.includes(kid), `a key named ${shown(kid)}`, `keys named ${shown(kids)}`, keySet);
      }
    }
  },
});

function kidsIn(keySet: Exchange): unknown[] {
  const { keys } = jsonMembers(keySet);
  return Array.isArray(keys) ? keys.filter(isJsonObject).map(({ kid }) => kid) : [];
}

/** Servers that keep their clocks by NTP are not a second apart; no lifetime of the document is as short as this. */
const mostApartSeconds = 30;

const clocks = check({
  id: "TOKEN-06/every-node",
  claim: `The \`exp\` claims of access tokens are at most ${mostApartSeconds} s off one clock, whatever connection they came over, enough of them to meet every node.`,
  needs: ["human"],
  act: issuedAtEveryNode,
  assert({ issued }) {
    const offsets = issued.map(({ exchange, accessToken, fromSeconds, toSeconds }) => {
      const exp = claimsOf(accessToken)?.["exp"];
      if (typeof exp !== "number")
        throw new InconclusiveError("precondition-missing", "an access token has no exp that can be read", {
          exchange,
          explainedBy: "B-AT-01",
        });
      // It was issued at some moment of the request, which may have taken long.
      return { exchange, least: exp - toSeconds, most: exp - fromSeconds };
    });
    const highest = Math.max(...offsets.map(({ least }) => least));
    for (const { exchange, most } of offsets) {
      const apart = highest - most;
      expectThat(
        apart <= mostApartSeconds,
        `exp within ${mostApartSeconds} s of one clock`,
        `${Math.round(apart)} s behind that of another token`,
        exchange,
      );
    }
  },
});

const flows = check({
  id: "AUTHZ-09/every-node",
  claim:
    "An approved authorization request yields a code when each request of the flow has a connection of its own, often enough to meet another node.",
  needs: ["human"],
  async act(target) {
    const scattered = withoutKeepAlive(target);
    const client = await sharedClient(target.setup, "public");
    // Sign-in apart, a flow takes three requests, of which the second and the third can meet another node than the first.
    const count = Math.ceil(connectionsToAnotherNode(target.profile.nodes) / 2);
    const attempts = [];
    for (let made = 0; made < count; made += 1) {
      target.spend("grants");
      attempts.push(await attempt(scattered, authorizationRequest(scattered, client)));
    }
    return attempts;
  },
  assert(attempts) {
    const codes = attempts.map(({ end }) => codeIn(end));
    if (codes.every((code) => code === undefined))
      throw new InconclusiveError("control-refused", "no authorization request yields a code", {
        ...(attempts[0] && { exchange: attempts[0].end.exchange }),
        explainedBy: "AUTHZ-09",
      });
    for (const { end } of attempts)
      expectThat(codeIn(end) !== undefined, "a redirect with a code", summary(end.exchange), end.exchange);
  },
});

export const tokenChecks = [accepted, revoked, published, clocks, flows];
