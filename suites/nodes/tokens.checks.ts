import { decodeProtectedHeader } from "jose";
import { claimsOf } from "../support/actors/agent.ts";
import { type Attempt, attempt, codeIn } from "../support/actors/authorization.ts";
import {
  bothCertain,
  certaintyOfMeetingAnother,
  connectionsToAnotherNode,
  keySetRequest,
  overConnection,
  sendOverEach,
  sendOverFresh,
  waysToEveryNode,
  withoutKeepAlive,
} from "../support/actors/fresh-connections.ts";
import { bearer } from "../support/actors/jmap.ts";
import {
  authorizationRequest,
  type Client,
  refreshExchange,
  requireTokens,
  tokenRequest,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus, expectThat, shown } from "../support/judging/expect.ts";
import { sharedClient } from "../support/material/clients.ts";
import { freshGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, type Certainty, InconclusiveError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { expectRefusedEverywhere, refusedEverywhere, revokeGrant } from "./refused-everywhere.ts";

const listRequest = (target: Target, accessToken: string): Outgoing => ({
  method: "GET",
  url: `${target.authUrl}/api/v1/agents`,
  headers: [bearer(accessToken)],
});

const accepted = check({
  id: "BEARER-01/every-node",
  claim: "An access token is accepted at the inbox list of every node.",
  needs: ["human"],
  async act(target) {
    const { tokens } = await freshGrant(target);
    const ways = waysToEveryNode(target, target.authUrl);
    const answers = await sendOverEach(target, ways, listRequest(target, tokens.access_token));
    return { answers, certainty: ways.certainty };
  },
  assert({ answers }) {
    for (const answer of answers) expectStatus(answer, 200);
  },
  certainty: ({ certainty }) => certainty,
});

const revoked = check({
  id: "BEARER-11/every-node",
  claim:
    "After the time that a revocation may take, the access token of a revoked grant is refused at the inbox list of every node.",
  needs: ["human"],
  async act(target) {
    const grant = await freshGrant(target);
    const request = listRequest(target, grant.tokens.access_token);
    return refusedEverywhere(target, request, {
      acceptedBy: "BEARER-01/every-node",
      judgedBy: "REVOKE-04",
      end: () => revokeGrant(target, grant),
    });
  },
  assert: expectRefusedEverywhere,
  certainty: ({ certainty }) => certainty,
});

interface Issued {
  readonly exchange: Exchange;
  readonly accessToken: string;
  /** Before it was asked for and after it came, on the target's clock, from the beginning of the run. */
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

interface IssuedEverywhere {
  readonly issued: readonly Issued[];
  readonly keySets: readonly Exchange[];
  /** Of either. */
  readonly certainty: Certainty;
}

/** One grant's access tokens, refreshed at every node, each over a connection of its own, and the key sets of every node. */
function issuedAtEveryNode(target: Target): Promise<IssuedEverywhere> {
  return target.once("nodes:issued", async (recording) => {
    const ways = waysToEveryNode(recording, recording.authUrl);
    const { client, tokens } = await freshGrant(recording);
    const issued: Issued[] = [];
    let refreshToken = tokens.refresh_token;
    for (const node of ways.nodes) {
      const request = tokenRequest(recording, refreshExchange(client, refreshToken));
      const fromSeconds = recording.elapsedSeconds();
      const exchange = await sendOverFresh(recording, request, node);
      const renewed = requireTokens(exchange, "a refresh over another connection", "REFRESH-01");
      refreshToken = renewed.refresh_token;
      issued.push({
        exchange,
        accessToken: renewed.access_token,
        fromSeconds,
        toSeconds: recording.elapsedSeconds(),
      });
    }
    const keySets = await sendOverEach(recording, ways, keySetRequest(recording));
    return { issued, keySets, certainty: ways.certainty };
  });
}

const published = check({
  id: "JWKS-03/every-node",
  claim: "The key of an access token that any node has issued is in the JWK set of every node.",
  needs: ["human"],
  act: issuedAtEveryNode,
  assert({ issued, keySets }) {
    for (const keySet of keySets) {
      if (!isSuccess(keySet)) throw controlRefused("the JWK set", "200", keySet, "JWKS-01");
      const kids = kidsIn(keySet);
      for (const { accessToken } of issued) {
        const { kid } = decodeProtectedHeader(accessToken);
        // Where the token or a key has no name, the key is found by trying, which JWKS-03/code judges.
        if (kid !== undefined && !kids.includes(undefined))
          expectThat(kids.includes(kid), `a key named ${shown(kid)}`, `keys named ${shown(kids)}`, keySet);
      }
    }
  },
  certainty: ({ certainty }) => bothCertain(certainty, certainty),
});

function kidsIn(keySet: Exchange): unknown[] {
  const { keys } = jsonMembers(keySet);
  return Array.isArray(keys) ? keys.filter(isJsonObject).map(({ kid }) => kid) : [];
}

/** Servers that keep their clocks by NTP are not a second apart; no lifetime of the document is as short as this. */
const mostApartSeconds = 30;

const clocks = check({
  id: "TOKEN-06/every-node",
  claim: `The \`exp\` claims of access tokens of every node are at most ${mostApartSeconds} s off one clock.`,
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
  certainty: ({ certainty }) => certainty,
});

/** Sign-in apart, a flow takes three requests, of which the second and the third can meet another node than the first. */
const furtherRequests = 2;

const flows = check({
  id: "AUTHZ-09/every-node",
  claim:
    "An approved authorization request yields a code when different nodes serve the requests of its flow.",
  needs: ["human"],
  async act(target) {
    requireOwnConnections(target);
    const client = await sharedClient(target.setup, "public");
    await requireCodeOverOneConnection(target, client);
    // At the public address: which node a browser meets is for what stands in front of them to say, as by a cookie.
    const parted = withoutKeepAlive(target);
    const nodes = target.profile.nodes.count;
    const count = Math.ceil(connectionsToAnotherNode(nodes) / furtherRequests);
    const attempts: Attempt[] = [];
    while (attempts.length < count) {
      target.spend("grants");
      attempts.push(await attempt(parted, authorizationRequest(parted, client)));
    }
    return { attempts, certainty: certaintyOfMeetingAnother(count * furtherRequests, nodes) };
  },
  assert({ attempts }) {
    for (const { end } of attempts)
      expectThat(codeIn(end) !== undefined, "a redirect with a code", summary(end.exchange), end.exchange);
  },
  certainty: ({ certainty }) => certainty,
});

/** @throws {InconclusiveError} control-refused, when a flow that meets one node yields no code */
async function requireCodeOverOneConnection(target: Target, client: Client): Promise<void> {
  const origin = originOf(target.authUrl);
  const connection = target.control.connect(origin);
  try {
    const whole = overConnection(target.control, connection, origin);
    target.spend("grants");
    const { end } = await attempt(whole, authorizationRequest(whole, client));
    if (codeIn(end) === undefined)
      throw controlRefused("a flow over one connection", "a redirect with a code", end.exchange, "AUTHZ-09");
  } finally {
    await connection.close();
  }
}

/** @throws {BlockedError} where a browser or a program decides how connections are used */
function requireOwnConnections({ profile }: Target): void {
  const [first] = profile.humans;
  if (first !== undefined && first.consent.driver !== "form")
    throw new BlockedError(
      `needs the consent driver form, whose requests get a connection each; that of ${first.name} is ${first.consent.driver}`,
    );
}

export const tokenChecks = [accepted, revoked, published, clocks, flows];
