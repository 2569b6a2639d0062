import { attemptSignedIn, type Attempt } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  newVerifier,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { type Parameters, replacing, valueOf, without } from "../support/wire/parameters.ts";
import { expectRefusedWithoutCode } from "./refused-requests.ts";

/** As a browser sends it with which the first person has approved a request before. */
async function attemptAgain(
  target: Target,
  change: (parameters: Parameters, client: Client) => Parameters,
): Promise<Attempt> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  return attemptSignedIn(target, { client, parameters: change(parameters, client) });
}

const leftOut = ["scope", "resource", "state", "code_challenge", "code_challenge_method"].map((name) =>
  check({
    id: `AUTHZ-17/${name.replaceAll("_", "-")}-missing-signed-in`,
    claim: `An authorization request without \`${name}\` by a person who is signed in already is refused and yields no \`code\`.`,
    needs: ["human", "pages"],
    act: (target) => attemptAgain(target, (parameters) => without(parameters, name)),
    assert: (seen) =>
      explained(`AUTHZ-17/${name.replaceAll("_", "-")}-missing`, () => expectRefusedWithoutCode(seen)),
  }),
);

const foreign = "https://evil.test/cb";

const foreignRedirect = check({
  id: "REDIR-24/signed-in",
  claim:
    "A foreign `redirect_uri` in the request of a person who is signed in already is refused without a redirect.",
  needs: ["human", "pages"],
  act: (target) => attemptAgain(target, (parameters) => replacing(parameters, "redirect_uri", foreign)),
  assert: expectNoRedirect,
});

const foreignResource = check({
  id: "RES-18/signed-in",
  claim:
    "A foreign `resource` in the request of a person who is signed in already is refused and yields no `code`.",
  needs: ["human", "pages"],
  act: (target) =>
    attemptAgain(target, (parameters) => replacing(parameters, "resource", "https://evil.test/jmap")),
  assert: (seen) => explained("RES-18/foreign-url", () => expectRefusedWithoutCode(seen)),
});

const slashed = check({
  id: "REDIR-06/signed-in",
  claim:
    "A registered `redirect_uri` with a slash added, in the request of a person who is signed in already, is refused without a redirect.",
  needs: ["human", "pages"],
  act: (target) =>
    attemptAgain(target, (parameters, client) =>
      replacing(parameters, "redirect_uri", `${registeredRedirectUri(client)}/`),
    ),
  assert: (seen) => explained("REDIR-06/slash-added", () => expectNoRedirect(seen)),
});

interface Flaw {
  readonly requirement: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly apply: (parameters: Parameters) => Parameters;
  /** What judges the same of a browser without a session. */
  readonly likewise: string;
}

const flaws: readonly Flaw[] = [
  {
    requirement: "AUTHZ-04",
    words: "with the `response_type` `token`",
    apply: (parameters) => replacing(parameters, "response_type", "token"),
    likewise: "AUTHZ-04/token",
  },
  {
    requirement: "PKCE-04",
    words: "with `code_challenge_method=plain`",
    apply: (parameters) =>
      replacing(replacing(parameters, "code_challenge", newVerifier()), "code_challenge_method", "plain"),
    likewise: "PKCE-04/plain",
  },
  {
    requirement: "RES-06",
    words: "for the JMAP resource with a trailing slash",
    apply: (parameters) => replacing(parameters, "resource", `${valueOf(parameters, "resource") ?? ""}/`),
    likewise: "RES-06/one-slash",
  },
  {
    requirement: "SCOPE-08",
    words: "for an unknown scope",
    apply: (parameters) => replacing(parameters, "scope", "mail.admin"),
    likewise: "SCOPE-08/mail-admin",
  },
];

const flawed = flaws.map(({ requirement, words, apply, likewise }) =>
  check({
    id: `${requirement}/signed-in`,
    claim: `An authorization request ${words} by a person who is signed in already is refused and yields no \`code\`.`,
    needs: ["human", "pages"],
    act: (target) => attemptAgain(target, apply),
    assert: (seen) => explained(likewise, () => expectRefusedWithoutCode(seen)),
  }),
);

/** Whoever is signed in already is asked for no less. Document, "Endpoints", authorize parameters. */
export const signedInChecks = [...leftOut, foreignRedirect, foreignResource, slashed, ...flawed];
