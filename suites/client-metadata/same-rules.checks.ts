import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  codeExchange,
  newVerifier,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check, requirementOf } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { expectAuthorizationRefused, expectNoRedirect } from "../support/judging/refusals.ts";
import { clientDocument, documentClient } from "../support/material/document-clients.ts";
import { authorizingClient, redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

/** One flaw in an otherwise valid authorization request. */
interface Flaw {
  readonly requirement: string;
  readonly slug: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly apply: (request: AuthorizationRequest) => Parameters;
  readonly errors: readonly string[];
  /** What judges the same of registered clients. */
  readonly likewise: string;
}

const invalidRequest = ["invalid_request"];
// RFC 8707 §2 has a code of its own for a resource.
const resourceErrors = ["invalid_request", "invalid_target"];

const sending =
  (name: string, value: string): Flaw["apply"] =>
  ({ parameters }) =>
    replacing(parameters, name, value);

const leavingOut =
  (name: string): Flaw["apply"] =>
  ({ parameters }) =>
    without(parameters, name);

const flaws: readonly Flaw[] = [
  {
    requirement: "CIMD-06",
    slug: "no-state",
    words: "without `state`",
    apply: leavingOut("state"),
    errors: invalidRequest,
    likewise: "AUTHZ-11",
  },
  {
    requirement: "CIMD-06",
    slug: "no-scope",
    words: "without `scope`",
    apply: leavingOut("scope"),
    errors: ["invalid_scope", "invalid_request"],
    likewise: "SCOPE-01",
  },
  {
    requirement: "CIMD-06",
    slug: "token-response",
    words: "with the `response_type` `token`",
    apply: sending("response_type", "token"),
    errors: ["unsupported_response_type", "invalid_request"],
    likewise: "AUTHZ-04",
  },
  {
    requirement: "CIMD-06",
    slug: "no-response-type",
    words: "without `response_type`",
    apply: leavingOut("response_type"),
    errors: invalidRequest,
    likewise: "AUTHZ-04/missing",
  },
  {
    requirement: "PKCE-09",
    slug: "no-challenge",
    words: "without `code_challenge`",
    apply: leavingOut("code_challenge"),
    errors: invalidRequest,
    likewise: "PKCE-01",
  },
  {
    requirement: "PKCE-09",
    slug: "no-method",
    words: "without `code_challenge_method`",
    apply: leavingOut("code_challenge_method"),
    errors: invalidRequest,
    likewise: "PKCE-03",
  },
  {
    requirement: "PKCE-09",
    slug: "no-pkce",
    words: "without `code_challenge` and `code_challenge_method`",
    apply: ({ parameters }) => without(without(parameters, "code_challenge"), "code_challenge_method"),
    errors: invalidRequest,
    likewise: "PKCE-02",
  },
  {
    requirement: "PKCE-09",
    slug: "plain",
    words: "with `code_challenge_method=plain`",
    apply: ({ parameters, verifier }) =>
      replacing(replacing(parameters, "code_challenge", verifier), "code_challenge_method", "plain"),
    errors: invalidRequest,
    likewise: "PKCE-04",
  },
  {
    requirement: "RES-28",
    slug: "missing",
    words: "without `resource`",
    apply: leavingOut("resource"),
    errors: invalidRequest,
    likewise: "RES-04",
  },
  {
    requirement: "RES-28",
    slug: "one-slash",
    words: "with the JMAP resource and a trailing slash",
    apply: ({ parameters }) =>
      parameters.map(([name, value]) => [name, name === "resource" ? `${value}/` : value] as const),
    errors: resourceErrors,
    likewise: "RES-06",
  },
  {
    requirement: "RES-28",
    slug: "foreign-url",
    words: "with a foreign `resource`",
    apply: sending("resource", "https://evil.test/jmap"),
    errors: resourceErrors,
    likewise: "RES-18",
  },
];

/** Clients that come to the target by another way than registering themselves. */
interface OtherKind {
  readonly kind: "document" | "operator";
  readonly unlockedBy: "client_metadata" | "operator_client";
  readonly flaws: readonly Flaw[];
  /** Reads before ", an authorization request". */
  readonly words: string;
  /** Reads after "A code of". */
  readonly clientWords: string;
}

const otherKinds: readonly OtherKind[] = [
  {
    kind: "document",
    unlockedBy: "client_metadata",
    flaws,
    words: "With a URL as `client_id`",
    clientWords: "a client with a URL as `client_id`",
  },
  {
    kind: "operator",
    unlockedBy: "operator_client",
    // CIMD-06 is about clients with a URL.
    flaws: flaws.map((flaw) =>
      flaw.requirement === "CIMD-06" ? { ...flaw, requirement: requirementOf(flaw.likewise) } : flaw,
    ),
    words: "For an operator's client",
    clientWords: "a client that the operator registered",
  },
];

const refused = otherKinds.flatMap(({ kind, unlockedBy, flaws: own, words: whose }) =>
  own.map(({ requirement, slug, words, apply, errors, likewise }) =>
    check({
      id: `${requirement}/${requirement === "CIMD-06" ? "" : `${kind}-`}${slug}`,
      claim: `${whose}, an authorization request ${words} is refused with ${codeSpans(errors)}.`,
      unlockedBy,
      act: (target) => attemptChanged(target, kind, apply),
      assert: (seen) =>
        explained(explanation(seen, requirement, likewise), () => expectAuthorizationRefused(seen, errors)),
    }),
  ),
);

/** Which code the refusal of a resource carries is judged by RES-26 alone. */
function explanation({ end }: Attempt, requirement: string, likewise: string): string {
  return requirement === "RES-28" && codeIn(end) === undefined ? "RES-26" : likewise;
}

async function attemptChanged(
  target: Target,
  kind: OtherKind["kind"],
  change: (request: AuthorizationRequest) => Parameters,
): Promise<Attempt> {
  const request = authorizationRequest(target, await authorizingClient(target, kind));
  return attempt(target, { client: request.client, parameters: change(request) });
}

const otherVerifier = otherKinds.map(({ kind, unlockedBy, clientWords }) =>
  check({
    id: `PKCE-09/${kind}-other-verifier`,
    claim: `A code of ${clientWords} is refused with \`invalid_grant\` to a verifier that is not its own.`,
    needs: ["human"],
    unlockedBy,
    async act(target) {
      const code = await redeemableCode(target, { client: kind });
      return postToken(target, replacing(codeExchange(code), "code_verifier", newVerifier()));
    },
    assert: (exchange) => explained("PKCE-10", () => expectTokenRefused(exchange, ["invalid_grant"])),
  }),
);

// What a rule for these clients might accept in place of the URI that is listed.
const nearMisses = [
  {
    slug: "segment-added",
    likewise: "REDIR-03",
    words: "a path segment added",
    sent: (uri: string) => `${uri}/x`,
  },
  {
    slug: "letter-dropped",
    likewise: "REDIR-04",
    words: "its last letter dropped",
    sent: (uri: string) => uri.slice(0, -1),
  },
  {
    slug: "slash-added",
    likewise: "REDIR-06/slash-added",
    words: "a slash added",
    sent: (uri: string) => `${uri}/`,
  },
  { slug: "query-added", likewise: "REDIR-13", words: "a query added", sent: (uri: string) => `${uri}?x=1` },
  {
    slug: "other-path",
    likewise: "REDIR-05",
    words: "another path",
    sent: (uri: string) => new URL("/elsewhere", uri).href,
  },
  {
    slug: "other-host",
    likewise: "REDIR-01",
    words: "another host",
    sent: (uri: string) => uri.replace(/^(https?:\/\/)[^/:]+/u, "$1cb.evil.test"),
  },
  {
    slug: "upper-case-host",
    likewise: "REDIR-08/upper-case-host",
    words: "its scheme and host in upper case",
    sent: (uri: string) => uri.replace(/^https?:\/\/[^/:]+/u, (origin) => origin.toUpperCase()),
  },
  {
    slug: "upper-case-path",
    likewise: "REDIR-07/last-segment",
    words: "its path in upper case",
    sent: (uri: string) =>
      uri.replace(
        /^(https?:\/\/[^/]+)(.*)$/u,
        (_, origin: string, rest: string) => origin + rest.toUpperCase(),
      ),
  },
  {
    slug: "dot-segment",
    likewise: "REDIR-17/dot-segment",
    words: "a dot segment added",
    sent: (uri: string) => uri.replace(/^(https?:\/\/[^/]+)\//u, "$1/./"),
  },
];

async function attemptNearMiss(
  target: Target,
  kind: OtherKind["kind"],
  sent: (uri: string) => string,
): Promise<Attempt> {
  return attemptChanged(target, kind, ({ parameters, client }) => {
    const value = sent(registeredRedirectUri(client));
    if (client.redirect_uris.includes(value))
      throw new NotApplicableError(`${value} is a redirect_uri of the client too`);
    return replacing(parameters, "redirect_uri", value);
  });
}

const nearMissesOfDocuments = nearMisses.map(({ slug, words, sent, likewise }) =>
  check({
    id: `CIMD-02/${slug}`,
    claim: `With a URL as \`client_id\`, a \`redirect_uri\` of its document with ${words} is refused without a redirect.`,
    unlockedBy: "client_metadata",
    act: (target) => attemptNearMiss(target, "document", sent),
    assert: (seen) => explained(likewise, () => expectNoRedirect(seen)),
  }),
);

const nearMissesOfOperator = nearMisses.map(({ slug, words, sent, likewise }) =>
  check({
    id: `${requirementOf(likewise)}/operator-${slug}`,
    claim: `For an operator's client, its \`redirect_uri\` with ${words} is refused without a redirect.`,
    unlockedBy: "operator_client",
    act: (target) => attemptNearMiss(target, "operator", sent),
    assert: (seen) => explained(likewise, () => expectNoRedirect(seen)),
  }),
);

const withoutUri = otherKinds.map(({ kind, unlockedBy, words }) =>
  check({
    id: kind === "document" ? "CIMD-06/no-redirect-uri" : "REDIR-02/operator-missing",
    claim: `${words}, an authorization request without \`redirect_uri\` is refused without a redirect.`,
    unlockedBy,
    act: (target) => attemptChanged(target, kind, leavingOut("redirect_uri")),
    assert: (seen) => explained("REDIR-02/missing", () => expectNoRedirect(seen)),
  }),
);

const listedPort = "http://127.0.0.1:8123/cb";

const loopbackPort = check({
  id: "CIMD-02/loopback-port",
  claim:
    "With a URL as `client_id`, a `redirect_uri` on a loopback address with another port than its document lists is refused without a redirect.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    await authorizingClient(target, "document");
    const url = await target.documents.publish((at) => ({
      ...clientDocument(at),
      redirect_uris: [...documentClient(at).redirect_uris, listedPort],
    }));
    const client = { client_id: url, redirect_uris: [listedPort] };
    const request = authorizationRequest(target, client);
    target.spend("grants");
    if (codeIn((await attempt(target.control, request)).end) === undefined)
      throw new NotApplicableError(
        "the target gives a client whose document lists a loopback address no code there",
      );
    const parameters = replacing(request.parameters, "redirect_uri", listedPort.replace("8123", "9999"));
    return {
      seen: await attempt(target, { client, parameters }),
      isTolerated: target.profile.tolerate.loopback_any_port,
    };
  },
  assert({ seen, isTolerated }): Warning | undefined {
    if (isTolerated && codeIn(seen.end) !== undefined)
      return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
    return explained("REDIR-25/other-port", () => expectNoRedirect(seen));
  },
});

export const sameRuleChecks = [
  ...refused,
  ...otherVerifier,
  ...nearMissesOfDocuments,
  ...nearMissesOfOperator,
  ...withoutUri,
  loopbackPort,
];
