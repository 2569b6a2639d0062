import { attemptSignedIn, type Attempt } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectRefusedWithoutCode } from "./refused-requests.ts";

/** As a browser sends it with which the first person has approved a request before. */
async function attemptAgain(
  target: Target,
  change: (parameters: Parameters) => Parameters,
): Promise<Attempt> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  return attemptSignedIn(target, { client, parameters: change(parameters) });
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

/** Whoever is signed in already is asked for no less. Document, "Endpoints", authorize parameters. */
export const signedInChecks = [...leftOut, foreignRedirect, foreignResource];
