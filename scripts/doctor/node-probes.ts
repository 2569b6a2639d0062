import { sendOverFresh } from "../../suites/support/actors/fresh-connections.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapRequest,
  jsonContentType,
  methodResponses,
} from "../../suites/support/actors/jmap.ts";
import { sharedAccessToken } from "../../suites/support/material/grants.ts";
import { inboxOf } from "../../suites/support/material/inboxes.ts";
import { type NodeListener, nodesAt } from "../../suites/support/target/node-settings.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { Target } from "../../suites/support/target/target.ts";
import { type Exchange, jsonMembers, summary } from "../../suites/support/wire/exchange.ts";
import type { Outgoing } from "../../suites/support/wire/http.ts";
import { endpointText } from "../../suites/support/wire/network.ts";
import type { Probe } from "./probe.ts";
import { Problem } from "./problem.ts";

/** What shows that a node is one of the target. */
interface Sign {
  readonly request: Outgoing;
  /** Why its answer is not that of a node of the target. */
  problemOf(answer: Exchange): string | undefined;
}

/** Any node names the issuer that all of them are. */
async function sameIssuer({ authUrl }: Target): Promise<Sign> {
  return {
    request: { method: "GET", url: `${authUrl}/.well-known/oauth-authorization-server` },
    problemOf(answer) {
      const { issuer } = jsonMembers(answer);
      if (issuer === authUrl) return undefined;
      return typeof issuer === "string"
        ? `is another issuer, ${JSON.stringify(issuer)}`
        : `shows no metadata (${summary(answer)})`;
    },
  };
}

/** A node of another deployment would refuse the token. */
async function sameTokens(target: Target): Promise<Sign> {
  const headers = [
    bearer(await sharedAccessToken(target)),
    accountHeader(target, await inboxOf(target)),
    jsonContentType,
  ];
  return {
    request: jmapRequest(target, { headers, body: inboxQuery }),
    problemOf: (answer) =>
      methodResponses(answer) === undefined
        ? `does not serve an access token of ${target.authUrl} (${summary(answer)})`
        : undefined,
  };
}

/** Without a person no token shows more. */
async function sameRefusal(target: Target): Promise<Sign> {
  const request: Outgoing = { method: "GET", url: `${target.apiUrl}/.well-known/jmap` };
  const { status } = (await target.send(request)).response;
  return {
    request,
    problemOf: (answer) =>
      answer.response.status === status
        ? undefined
        : `answers ${summary(answer)} where the public address answers ${status}`,
  };
}

function nodesProbe(
  listener: NodeListener,
  after: readonly string[],
  signOf: (target: Target) => Promise<Sign>,
): Probe {
  return {
    title: `${listener} nodes`,
    after,
    supplies: "nodes",
    fix: `correct nodes.${listener} in the profile: addresses of nodes that answer as ${listener}_url does, TLS included; or give their number alone`,
    async attempt({ target, profile }) {
      const url = profile[`${listener}_url`];
      const nodes = nodesAt(profile, url);
      const { request, problemOf } = await signOf(target);
      for (const node of nodes) {
        const problem = problemOf(await sendOverFresh(target, request, node));
        if (problem !== undefined) throw new Problem(`the node ${endpointText(node)} ${problem}`, this.fix);
      }
      return nodes.length === 1 ? `the one node answers as ${url}` : `all ${nodes.length} answer as ${url}`;
    },
  };
}

/** For the listeners whose nodes the profile lists. */
export function nodeProbes({ nodes: { addresses }, humans }: Profile): readonly Probe[] {
  return [
    ...(addresses.auth.length > 0 ? [nodesProbe("auth", ["auth_url"], sameIssuer)] : []),
    ...(addresses.api.length > 0
      ? [
          humans.length > 0
            ? nodesProbe("api", ["api_url", "first human"], sameTokens)
            : nodesProbe("api", ["api_url"], sameRefusal),
        ]
      : []),
  ];
}
