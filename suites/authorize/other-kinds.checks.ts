import { attempt } from "../support/actors/authorization.ts";
import { authorizationRequest, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { without } from "../support/wire/parameters.ts";

const kinds = [
  {
    slug: "confidential",
    words: "A confidential client's authorization request",
    client: "confidential",
    choice: () => ({}),
  },
  {
    slug: "mcp",
    words: "An authorization request for the MCP resource",
    client: "public",
    choice: (target: Target) => ({ resource: mcpResource(target) }),
  },
  {
    slug: "read-only-client",
    words: "The authorization request of a client for `mail.read` alone",
    client: "readOnly",
    choice: () => ({ scope: "mail.read" }),
  },
] as const;

const omissions = [
  { requirement: "AUTHZ-11", parameter: "state", errors: ["invalid_request"], judgedBy: "AUTHZ-11" },
  {
    requirement: "AUTHZ-08",
    parameter: "scope",
    errors: ["invalid_scope", "invalid_request"],
    judgedBy: "SCOPE-01",
  },
  {
    requirement: "AUTHZ-04",
    parameter: "response_type",
    errors: ["unsupported_response_type", "invalid_request"],
    judgedBy: "AUTHZ-04/missing",
  },
];

/** What is required is required of every client and for every resource. Document, "Endpoints", authorize parameters. */
export const otherKindChecks = kinds.flatMap(({ slug, words, client: kind, choice }) =>
  omissions.map(({ requirement, parameter, errors, judgedBy }) =>
    check({
      id: `${requirement}/missing-${slug}`,
      claim: `${words} without \`${parameter}\` is refused with ${codeSpans(errors)}.`,
      async act(target) {
        const client = await authorizingClient(target, kind, choice(target));
        const { parameters } = authorizationRequest(target, client, choice(target));
        return attempt(target, { client, parameters: without(parameters, parameter) });
      },
      assert: (seen) => explained(judgedBy, () => expectAuthorizationRefused(seen, errors)),
    }),
  ),
);
