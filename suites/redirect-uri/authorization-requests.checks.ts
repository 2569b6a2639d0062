import { withoutCode } from "../support/judging/expected-code.ts";
import { authorizationRequest, type Client, registeredRedirectUri } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameters } from "../support/actors/client-redirects.ts";
import { type Check, check } from "../support/judging/check.ts";
import { requireRegistered, sharedClient } from "../support/material/clients.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { adding, type Parameters, replacing, valueOf, without } from "../support/wire/parameters.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError, type Warning, Violation, warning } from "../support/verdict.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { clientWith } from "./client-with.ts";
import { type NearMiss, pieces } from "./near-miss.ts";
import { nearMisses } from "./all-near-misses.ts";
import { loopbackPorts } from "./origin-near-misses.ts";

async function attemptNearMiss(
  target: Target,
  { client: kind = "public", registered, sent }: NearMiss,
): Promise<Attempt> {
  const shared = await sharedClient(target, kind);
  const uri = registered ?? registeredRedirectUri(shared);
  const client = shared.redirect_uris.includes(uri) ? shared : await clientOfOne(target, uri);
  const value = sent(pieces(uri));
  if (client.redirect_uris.includes(value))
    throw new BlockedError(
      `needs a redirect_uri that can be varied in this way; ${uri} is the same afterwards`,
    );
  if (client === shared) await authorizingClient(target, kind, { redirect_uri: uri });
  const { parameters } = authorizationRequest(target, client);
  return attempt(target, { client, parameters: replacing(parameters, "redirect_uri", value) });
}

/** A target may register fewer redirect_uris than it is sent. @throws {NotApplicableError} when it gives none a code here */
async function clientOfOne(target: Target, uri: string): Promise<Client> {
  const client = await clientWith(target, uri);
  target.spend("grants");
  const { end } = await attempt(target.control, authorizationRequest(target, client));
  if (codeIn(end) === undefined)
    throw new NotApplicableError(`a client that is registered with ${uri} alone gets no code there`);
  return client;
}

async function tryNearMiss(target: Target, nearMiss: NearMiss): Promise<Attempt> {
  const attempted = (): Promise<Attempt> => attemptNearMiss(target, nearMiss);
  return nearMiss.client === "native" ? triedOnLoopback(target, attempted) : attempted();
}

const spellings = nearMisses.map((nearMiss) =>
  check({
    id: `${nearMiss.requirement}/${nearMiss.slug}`,
    claim: `A \`redirect_uri\` ${nearMiss.words} is refused without a redirect.`,
    act: (target) => tryNearMiss(target, nearMiss),
    assert: expectNoRedirect,
  }),
);

const ports = loopbackPorts.map((nearMiss) =>
  check({
    id: `${nearMiss.requirement}/${nearMiss.slug}`,
    claim: `A \`redirect_uri\` ${nearMiss.words} is refused without a redirect.`,
    act: async (target) => ({
      seen: await tryNearMiss(target, nearMiss),
      isTolerated: target.profile.tolerate.loopback_any_port,
    }),
    assert({ seen, isTolerated }): Warning | undefined {
      if (isTolerated && codeIn(seen.end) !== undefined)
        return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
      return expectNoRedirect(seen);
    },
  }),
);

const accepted = [
  {
    slug: "plain",
    claim:
      "The response goes to a registered `redirect_uri`, kept byte for byte, with the response parameters appended.",
    registered: registeredRedirectUri,
  },
  {
    slug: "with-query",
    claim:
      "The response goes to a registered `redirect_uri` with a query, which is kept when the response parameters are added.",
    registered: (client: Client) => requireRegistered(client, redirectUris.withQuery),
  },
].map(({ slug, claim, registered }) =>
  check({
    id: `REDIR-01/${slug}`,
    claim,
    needs: ["human"],
    async act(target) {
      const client = await sharedClient(target, "public");
      return attempt(target, authorizationRequest(target, client, { redirect_uri: registered(client) }));
    },
    assert(seen): Warning | undefined {
      const { end, parameters } = seen;
      const uri = valueOf(parameters, "redirect_uri") ?? "";
      if (codeIn(end) === undefined || end.kind !== "redirect")
        throw withoutCode(seen, `a redirect to ${uri} with a code`);
      expectThat(
        keeps(end.location, uri),
        `a Location of ${uri} with more parameters`,
        shown(end.location.replace(/\bcode=[^&]*/u, "code=…")),
        end.exchange,
      );
      return end.location.startsWith(uri)
        ? undefined
        : warning("the response parameters stand among those of the redirect_uri");
    },
  }),
);

/** RFC 6749 §3.1.2 has the query retained. A URL library may write its parameters among the new ones, sorted by name. */
function keeps(location: string, uri: string): boolean {
  const [place = ""] = uri.split("?", 1);
  const parameters = responseParameters(location);
  const valuesIn = (all: Parameters, name: string): string =>
    shown(all.flatMap(([key, value]) => (key === name ? [value] : [])));
  const registered = responseParameters(uri);
  return (
    location.startsWith(`${place}?`) &&
    registered.every(([name]) => valuesIn(parameters, name) === valuesIn(registered, name))
  );
}

const absent = [
  {
    slug: "missing",
    words: "without `redirect_uri`",
    apply: (parameters: Parameters) => without(parameters, "redirect_uri"),
  },
  {
    slug: "empty",
    words: "with an empty `redirect_uri`",
    apply: (parameters: Parameters) => replacing(parameters, "redirect_uri", ""),
  },
].map(({ slug, words, apply }) =>
  check({
    id: `REDIR-02/${slug}`,
    claim: `An authorization request ${words} is refused without a redirect, even when the client has registered only one.`,
    async act(target) {
      const client = await authorizingClient(target, "other");
      return attempt(target, { client, parameters: apply(authorizationRequest(target, client).parameters) });
    },
    assert: expectNoRedirect,
  }),
);

const evil = "https://evil.test/cb";

interface Repetition {
  readonly slug: string;
  /** Reads after "An authorization request with". */
  readonly words: string;
  readonly apply: (parameters: Parameters) => Parameters;
  /** The second parameter has another name, which a server that does not know it ignores. */
  readonly isIgnorable?: boolean;
}

const repeated = (
  [
    {
      slug: "second-value",
      words: "a second, foreign `redirect_uri`",
      apply: (parameters) => adding(parameters, ["redirect_uri", evil]),
    },
    {
      slug: "first-value",
      words: "a foreign `redirect_uri` before the registered one",
      apply: (parameters) => [["redirect_uri", evil], ...parameters],
    },
    {
      slug: "array-notation",
      words: "a foreign `redirect_uri[]` beside the registered `redirect_uri`",
      apply: (parameters) => adding(parameters, ["redirect_uri[]", evil]),
      isIgnorable: true,
    },
  ] satisfies Repetition[]
).map(({ slug, words, apply, isIgnorable = false }: Repetition) =>
  check({
    id: `REDIR-23/${slug}`,
    claim: `An authorization request with ${words} never leads to the foreign address.`,
    async act(target) {
      const client = await authorizingClient(target);
      return attempt(target, {
        client,
        parameters: apply(authorizationRequest(target, client).parameters),
      });
    },
    assert: (seen) => expectNotFollowed(seen, isIgnorable),
  }),
);

function expectNotFollowed(seen: Attempt, isIgnorable: boolean): Warning | undefined {
  const { end, registered } = seen;
  if (end.kind !== "redirect") return expectNoRedirect(seen);
  const goesToClient = registered.some(
    (uri) => end.location.startsWith(`${uri}?`) || end.location.startsWith(`${uri}&`),
  );
  if (!goesToClient)
    throw new Violation(
      "no redirect but to the registered redirect_uri",
      `a redirect to ${shown(end.location)}`,
      { exchange: end.exchange },
    );
  return isIgnorable || codeIn(end) === undefined
    ? undefined
    : warning("a repeated parameter is accepted; RFC 6749 §3.1 wants it refused");
}

const ofAnotherClient = check({
  id: "REDIR-24",
  claim: "A `redirect_uri` that only another client has registered is refused without a redirect.",
  async act(target) {
    requireRegistered(await sharedClient(target, "public"), redirectUris.withQuery);
    await authorizingClient(target, "public", { redirect_uri: redirectUris.withQuery });
    const client = await authorizingClient(target, "other");
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, {
      client,
      parameters: replacing(parameters, "redirect_uri", redirectUris.withQuery),
    });
  },
  assert: expectNoRedirect,
});

export const authorizationRequestChecks: readonly Check[] = [
  ...accepted,
  ...absent,
  ...spellings,
  ...repeated,
  ofAnotherClient,
  ...ports,
];
