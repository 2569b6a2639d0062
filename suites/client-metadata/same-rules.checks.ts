import { type Attempt, codeIn } from "../support/actors/authorization.ts";
import {
  type AuthorizationRequest,
  codeExchange,
  newVerifier,
  postToken,
} from "../support/actors/oauth-client.ts";
import { check, requirementOf } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { otherClients } from "../support/material/other-clients.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { attemptChanged, requestingClients } from "./changed-requests.ts";

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

/** CIMD-06 is about clients with a URL; for others the requirement is that of registered clients. */
function requirementFor(client: "document" | "operator", { requirement, likewise }: Flaw): string {
  return client === "operator" && requirement === "CIMD-06" ? requirementOf(likewise) : requirement;
}

const refused = requestingClients.flatMap(({ client, unlockedBy, whose }) =>
  flaws.map((flaw) => {
    const { slug, words, apply, errors, likewise } = flaw;
    const requirement = requirementFor(client, flaw);
    return check({
      id: `${requirement}/${requirement === "CIMD-06" ? "" : `${client}-`}${slug}`,
      claim: `${whose}, an authorization request ${words} is refused with ${codeSpans(errors)}.`,
      unlockedBy,
      act: (target) => attemptChanged(target, client, apply),
      assert: (seen) =>
        explained(explanation(seen, requirement, likewise), () => expectAuthorizationRefused(seen, errors)),
    });
  }),
);

/** Which code the refusal of a resource carries is judged by RES-26 alone. */
function explanation({ end }: Attempt, requirement: string, likewise: string): string {
  return requirement === "RES-28" && codeIn(end) === undefined ? "RES-26" : likewise;
}

const otherVerifier = otherClients.map(({ client, unlockedBy, words }) =>
  check({
    id: `PKCE-09/${client}-other-verifier`,
    claim: `A code of ${words} is refused with \`invalid_grant\` to a verifier that is not its own.`,
    needs: ["human"],
    unlockedBy,
    async act(target) {
      const code = await redeemableCode(target, { client });
      return postToken(target, replacing(codeExchange(code), "code_verifier", newVerifier()));
    },
    assert: (exchange) => explained("PKCE-10", () => expectTokenRefused(exchange, ["invalid_grant"])),
  }),
);

/** The rules of authorization requests and of PKCE hold for every kind of client. */
export const sameRuleChecks = [...refused, ...otherVerifier];
