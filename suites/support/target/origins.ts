import type { Http, Outgoing } from "../wire/http.ts";
import { endpointText, type NodeEndpoint } from "../wire/network.ts";
import { originOf } from "../wire/url.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { nodesOfOrigin } from "./node-settings.ts";
import type { Profile } from "./profile.ts";

/** The target itself: everything that a run makes or is given may be sent here. */
export function isOwnOrigin(profile: Profile, url: string): boolean {
  return ownOrigins(profile).has(URL.parse(url)?.origin);
}

const knownOrigins = new WeakMap<Profile, ReadonlySet<string | undefined>>();

function ownOrigins(profile: Profile): ReadonlySet<string | undefined> {
  const known = knownOrigins.get(profile);
  if (known !== undefined) return known;
  const { auth_url, api_url, mcp_url } = profile;
  const origins = new Set([auth_url, api_url, mcp_url].map((url) => URL.parse(url)?.origin));
  knownOrigins.set(profile, origins);
  return origins;
}

/** What the operator gives to the tester: hooks, and the target's clock. No part of the interface that is judged. */
export function operatorAddresses({ clock, hooks }: Profile): ReadonlySet<string | undefined> {
  return new Set([clock?.advance_url, ...Object.values(hooks).map((hook) => hook?.url)]);
}

/**
 * The same transport, refusing to send beyond the target. Codes, verifiers, tokens, proofs and keys cannot reach a stranger,
 * whatever metadata, session documents, redirects or forms name, since no request does. The exceptions are a person's browser
 * (`beyondTarget`), which holds none of them, and the addresses of the operator's hooks and of the target's clock.
 */
export function withinTarget(http: Http, profile: Profile): Http {
  const own = ownOrigins(profile);
  const operators = operatorAddresses(profile);
  const requireOwn = (url: string): void => {
    // As the transport will read it: `https://auth.example.com@evil.test` is at evil.test.
    if (own.has(URL.parse(originOf(url))?.origin)) return;
    throw new InconclusiveError(
      "foreign-origin",
      `nothing was sent to ${originOf(url)}: it is none of the profile's origins (${[...own].join(", ")})`,
    );
  };
  const requireListed = (url: string, node: NodeEndpoint | undefined): void => {
    if (node === undefined) return;
    const listed = nodesOfOrigin(profile, originOf(url)).map(endpointText);
    if (listed.includes(endpointText(node))) return;
    throw new InconclusiveError(
      "foreign-origin",
      `nothing was sent to ${endpointText(node)}: it is none of the nodes that the profile lists for ${originOf(url)}`,
    );
  };
  return guarded(
    http,
    (outgoing) => {
      requireListed(outgoing.url, outgoing.node);
      if (outgoing.beyondTarget !== true && !operators.has(outgoing.url)) requireOwn(outgoing.url);
      const { checkId: _checkId, ...unnamed } = outgoing;
      return isOwnOrigin(profile, outgoing.url) ? outgoing : unnamed;
    },
    (origin, node) => {
      requireOwn(origin);
      requireListed(origin, node);
    },
  );
}

export const readOnlyReason = "needs to make or change something on the target, and --read-only does not";

/**
 * The same transport for a run that makes nothing: what is safe by its method (RFC 9110 §9.2.1), and asking for a challenge,
 * of which nothing stays until it is used.
 */
export function readingOnly(http: Http, { auth_url }: Profile): Http {
  return guarded(http, (outgoing) => {
    const isSafe = ["GET", "HEAD", "OPTIONS"].includes(outgoing.method);
    if (isSafe || outgoing.url === `${auth_url}/api/v1/challenge`) return outgoing;
    throw new BlockedError(readOnlyReason);
  });
}

/**
 * @param admit - gives a request as it may be sent, or throws
 * @param admitOrigin - throws where no connection may be opened
 */
function guarded(
  http: Http,
  admit: (outgoing: Outgoing) => Outgoing,
  admitOrigin: (origin: string, node?: NodeEndpoint) => void = () => {},
): Http {
  return {
    ...http,
    get exchanges() {
      return http.exchanges;
    },
    get disturbances() {
      return http.disturbances;
    },
    async send(outgoing, onRepeated) {
      return http.send(admit(outgoing), onRepeated);
    },
    connect(origin, node) {
      admitOrigin(origin, node);
      const connection = http.connect(origin, node);
      return {
        async send(outgoing, onRepeated) {
          return connection.send(admit(outgoing), onRepeated);
        },
        close: () => connection.close(),
      };
    },
  };
}
