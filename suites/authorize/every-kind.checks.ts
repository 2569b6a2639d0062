import { attempt } from "../support/actors/authorization.ts";
import { agentResource, authorizationRequest, mcpResource } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { without } from "../support/wire/parameters.ts";
import { expectRefusedWithoutCode } from "./refused-requests.ts";

interface RequestKind {
  readonly slug: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly client: ClientKind;
  readonly needs: readonly Need[];
  readonly choice: (target: Target) => Promise<{ resource?: string; scope?: string }>;
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

const kinds: readonly RequestKind[] = [
  {
    slug: "confidential",
    words: "of a confidential client",
    client: "confidential",
    needs: [],
    choice: async () => ({}),
    // The others are judged by AUTHZ-04, -08, -11, and PKCE-08.
    parameters: ["redirect_uri", "resource"],
  },
  {
    slug: "mcp",
    words: "for the MCP resource",
    client: "public",
    needs: [],
    choice: async (target) => ({ resource: mcpResource(target) }),
    // The others are judged by AUTHZ-04, -08, -11, and PKCE-01 to -03.
    parameters: ["redirect_uri"],
  },
  {
    slug: "single-inbox",
    words: "for a single inbox",
    client: "public",
    needs: ["human"],
    choice: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
    parameters: allButClientId.filter((name) => name !== "resource"),
  },
  {
    slug: "read-only",
    words: "for `mail.read` alone",
    client: "public",
    needs: [],
    choice: async () => ({ scope: "mail.read" }),
    parameters: allButClientId.filter((name) => name !== "scope"),
  },
];

/** What is required is required of every kind of request. Document, "Endpoints", authorize parameters. */
export const everyKindChecks = kinds.flatMap(
  ({ slug, words, client: kind, needs, choice, parameters: names }) =>
    names.map((name) =>
      check({
        id: `AUTHZ-17/${name.replaceAll("_", "-")}-missing-${slug}`,
        claim: `An authorization request ${words} and without \`${name}\` is refused and yields no \`code\`, even when a person signs in and approves.`,
        needs,
        async act(target) {
          const chosen = await choice(target);
          const client = await authorizingClient(target, kind, chosen);
          const { parameters } = authorizationRequest(target, client, chosen);
          return attempt(target, { client, parameters: without(parameters, name) });
        },
        assert: (seen) =>
          explained(`AUTHZ-17/${name.replaceAll("_", "-")}-missing`, () => expectRefusedWithoutCode(seen)),
      }),
    ),
);
