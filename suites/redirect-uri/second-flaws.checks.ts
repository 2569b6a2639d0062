import { attempt } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  newVerifier,
  registeredRedirectUri,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";

const foreign = "https://evil.test/cb";

interface SecondFlaw {
  readonly slug: string;
  /** Reads after "A request". */
  readonly words: string;
  readonly apply: (parameters: Parameters) => Parameters;
  readonly client?: ClientKind;
}

const sending =
  (name: string, value: string): SecondFlaw["apply"] =>
  (parameters) =>
    replacing(parameters, name, value);

const leavingOut =
  (name: string): SecondFlaw["apply"] =>
  (parameters) =>
    without(parameters, name);

const asking =
  (name: string, value: string): SecondFlaw["apply"] =>
  (parameters) =>
    adding(parameters, [name, value]);

/** What a server may find, and answer with an error redirect, before it looks at the redirect_uri. */
const secondFlaws: readonly SecondFlaw[] = [
  {
    slug: "response-type",
    words: "with the `response_type` `token`",
    apply: sending("response_type", "token"),
  },
  { slug: "no-response-type", words: "without `response_type`", apply: leavingOut("response_type") },
  { slug: "no-scope", words: "without `scope`", apply: leavingOut("scope") },
  { slug: "unknown-scope", words: "for an unknown scope", apply: sending("scope", "mail.admin") },
  {
    slug: "client-scope",
    words: "for more than the client may have",
    apply: sending("scope", "mail.read mail.send"),
    client: "readOnly",
  },
  { slug: "no-state", words: "without `state`", apply: leavingOut("state") },
  { slug: "no-resource", words: "without `resource`", apply: leavingOut("resource") },
  {
    slug: "foreign-resource",
    words: "for a foreign `resource`",
    apply: sending("resource", "https://evil.test/jmap"),
  },
  { slug: "no-challenge", words: "without `code_challenge`", apply: leavingOut("code_challenge") },
  { slug: "no-method", words: "without `code_challenge_method`", apply: leavingOut("code_challenge_method") },
  {
    slug: "plain",
    words: "with `code_challenge_method=plain`",
    apply: (parameters) =>
      replacing(replacing(parameters, "code_challenge", newVerifier()), "code_challenge_method", "plain"),
  },
  // OpenID Connect Core answers these three with error redirects.
  { slug: "request-object", words: "with `request`", apply: asking("request", unguessable()) },
  {
    slug: "request-uri",
    words: "with `request_uri`",
    apply: asking("request_uri", "https://evil.test/request"),
  },
  { slug: "prompt-none", words: "with `prompt=none`", apply: asking("prompt", "none") },
];

/**
 * An error redirect to an address that nobody has registered makes the server an open redirector: the redirect_uri is judged
 * before anything else is told to it (RFC 6749 §4.1.2.1). Document, "GET /oauth/authorize", redirect_uri.
 */
const foreignChecks = secondFlaws.map(({ slug, words, apply, client: kind = "public" }) =>
  check({
    id: `REDIR-24/${slug}`,
    claim: `A request ${words} and with a foreign \`redirect_uri\` is refused without a redirect.`,
    async act(target) {
      const scope = kind === "readOnly" ? "mail.read" : undefined;
      const client = await authorizingClient(target, kind, { ...(scope !== undefined && { scope }) });
      const { parameters } = authorizationRequest(target, client);
      return attempt(target, { client, parameters: apply(replacing(parameters, "redirect_uri", foreign)) });
    },
    assert: (seen) => explained("REDIR-05/other-path", () => expectNoRedirect(seen)),
  }),
);

const otherKinds = [
  { kind: "confidential", whose: "of a confidential client" },
  { kind: "document", whose: "of a client with a URL as `client_id`", unlockedBy: "client_metadata" },
  { kind: "operator", whose: "of an operator-registered client", unlockedBy: "operator_client" },
] as const;

// Each kind of client may have a branch of its own.
const otherKindChecks = otherKinds.flatMap(({ kind, whose, ...unlock }) =>
  secondFlaws
    .filter(({ slug }) => ["response-type", "no-state", "no-resource", "plain"].includes(slug))
    .map(({ slug, words, apply }) =>
      check({
        id: `REDIR-24/${kind}-${slug}`,
        claim: `A request ${whose} ${words} and with a foreign \`redirect_uri\` is refused without a redirect.`,
        ...unlock,
        async act(target) {
          const client = await authorizingClient(target, kind);
          const { parameters } = authorizationRequest(target, client);
          return attempt(target, {
            client,
            parameters: apply(replacing(parameters, "redirect_uri", foreign)),
          });
        },
        assert: (seen) => explained(`REDIR-24/${slug}`, () => expectNoRedirect(seen)),
      }),
    ),
);

// A server may trust the origin of a registered address with errors, though not with codes.
const sameOriginChecks = secondFlaws
  .filter(({ slug }) => ["response-type", "unknown-scope"].includes(slug))
  .map(({ slug, words, apply }) =>
    check({
      id: `REDIR-24/${slug}-same-origin`,
      claim: `A request ${words} whose \`redirect_uri\` is another path at the registered origin is refused without a redirect.`,
      async act(target) {
        const client = await authorizingClient(target);
        const elsewhere = new URL("/elsewhere", registeredRedirectUri(client)).href;
        const { parameters } = authorizationRequest(target, client);
        return attempt(target, {
          client,
          parameters: apply(replacing(parameters, "redirect_uri", elsewhere)),
        });
      },
      assert: (seen) => explained(`REDIR-24/${slug}`, () => expectNoRedirect(seen)),
    }),
  );

export const secondFlawChecks = [...foreignChecks, ...otherKindChecks, ...sameOriginChecks];
