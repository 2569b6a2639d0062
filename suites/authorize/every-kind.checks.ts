import { attempt } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { without } from "../support/wire/parameters.ts";
import { expectRefusedWithoutCode } from "./refused-requests.ts";
import {
  confidentialRequest,
  mcpRequest,
  readOnlyRequest,
  type RequestKind,
  singleInboxRequest,
} from "./request-kinds.ts";

interface Incomplete {
  readonly kind: RequestKind;
  readonly needs: readonly Need[];
  /** Each is left out in turn. */
  readonly parameters: readonly string[];
}

const allButClientId = [
  "response_type",
  "redirect_uri",
  "scope",
  "resource",
  "state",
  "code_challenge",
  "code_challenge_method",
];

const kinds: readonly Incomplete[] = [
  // The others are judged by AUTHZ-04, -08, -11, and PKCE-08.
  { kind: confidentialRequest, needs: [], parameters: ["redirect_uri", "resource"] },
  // The others are judged by AUTHZ-04, -08, -11, and PKCE-01 to -03.
  { kind: mcpRequest, needs: [], parameters: ["redirect_uri"] },
  {
    kind: singleInboxRequest,
    needs: ["human"],
    parameters: allButClientId.filter((name) => name !== "resource"),
  },
  { kind: readOnlyRequest, needs: [], parameters: allButClientId.filter((name) => name !== "scope") },
];

/** What is required is required of every kind of request. Document, "Endpoints", authorize parameters. */
export const everyKindChecks = kinds.flatMap(
  ({ kind: { slug, words, client: clientKind, choice }, needs, parameters: names }) =>
    names.map((name) =>
      check({
        id: `AUTHZ-17/${name.replaceAll("_", "-")}-missing-${slug}`,
        claim: `An authorization request without \`${name}\` ${words} is refused and yields no \`code\`, even when a person signs in and approves.`,
        needs,
        async act(target) {
          const chosen = await choice(target);
          const client = await authorizingClient(target, clientKind, chosen);
          const { parameters } = authorizationRequest(target, client, chosen);
          return attempt(target, { client, parameters: without(parameters, name) });
        },
        assert: (seen) =>
          explained(`AUTHZ-17/${name.replaceAll("_", "-")}-missing`, () => expectRefusedWithoutCode(seen)),
      }),
    ),
);
