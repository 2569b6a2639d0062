import { check, recommend } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, jsonMembers, mediaType } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, InconclusiveError, Violation, warning } from "../support/verdict.ts";
import { type Endpoint, type OAuthAnswer, oauthRefusals } from "./oauth-answers.ts";
import { placeOf } from "./places.ts";
import {
  listWithUnknownToken,
  queryWithForgedToken,
  registrationOfArray,
  revocationByUnknownClient,
  type Sample,
  unknownClient,
  unknownCode,
} from "./samples.ts";

const samples: Readonly<Record<Endpoint, Sample>> = {
  authorize: unknownClient,
  token: unknownCode,
  revoke: revocationByUnknownClient,
  register: registrationOfArray,
  agents: listWithUnknownToken,
  jmap: queryWithForgedToken,
};

/**
 * The refusals of these endpoints in the run; an endpoint that refused nothing so far is sent its sample.
 *
 * @throws {InconclusiveError} precondition-missing, when none of them refused anything
 */
async function refusalsAt(target: Target, endpoints: readonly Endpoint[]): Promise<readonly OAuthAnswer[]> {
  for (const endpoint of endpoints)
    if (oauthRefusals(target, [endpoint]).length === 0) await samples[endpoint](target);
  const refusals = oauthRefusals(target, endpoints);
  if (refusals.length > 0) return refusals;
  throw new InconclusiveError(
    "precondition-missing",
    `no request to ${endpoints.join(", ")} was refused in this run with a body of its own`,
  );
}

/** What each of some refusals is to be. `expected` reads after "expected", `seen` after "the first with". */
interface Rule {
  readonly expected: string;
  readonly holds: (exchange: Exchange) => boolean;
  readonly seen: (exchange: Exchange) => string;
  /** The requirement that judges by itself why the rule does not hold. */
  readonly explainedBy?: (exchange: Exchange) => string | undefined;
}

function expectOfEach(refusals: readonly OAuthAnswer[], { expected, holds, seen, explainedBy }: Rule): void {
  const broken = refusals.map(({ exchange }) => exchange).filter((exchange) => !holds(exchange));
  const [first] = broken;
  if (first === undefined) return;
  throw new Violation(
    expected,
    `${broken.length} of ${refusals.length} refusals otherwise, the first with ${seen(first)} at ${placeOf(first)}`,
    { exchange: first, explainedBy: explainedBy?.(first) },
  );
}

const isProblem = (exchange: Exchange): boolean => {
  const { type } = jsonMembers(exchange);
  return typeof type === "string" && type.startsWith("urn:ietf:params:jmap:error:");
};

const hasObjectAsError = (exchange: Exchange): boolean => isJsonObject(jsonMembers(exchange)["error"]);

const hasBothStrings: Rule = {
  expected: "a JSON object with strings error and error_description",
  holds(exchange) {
    const { error, error_description: description } = jsonMembers(exchange);
    return typeof error === "string" && typeof description === "string";
  },
  seen(exchange) {
    const { error, error_description: description } = jsonMembers(exchange);
    const type = mediaType(exchange) || "no media type";
    return `${exchange.response.status} (${type}), error ${shown(error)} and error_description ${shown(description)}`;
  },
  explainedBy(exchange) {
    if (hasObjectAsError(exchange)) return "ERR-02";
    return isProblem(exchange) ? "ERR-10" : undefined;
  },
};

const bothStrings = [
  { slug: "token-endpoint", words: "the token endpoint", endpoints: ["token"] },
  {
    slug: "other-oauth-endpoints",
    words: "the other OAuth endpoints",
    endpoints: ["authorize", "revoke", "register", "agents"],
  },
  { slug: "jmap", words: "JMAP of an access token, inbox or scope", endpoints: ["jmap"] },
] as const satisfies readonly { slug: string; words: string; endpoints: readonly Endpoint[] }[];

const oauthShape = bothStrings.map(({ slug, words, endpoints }) =>
  check({
    id: `ERR-01/${slug}`,
    claim: `Every refusal by ${words} in the run has a JSON body with strings \`error\` and \`error_description\`.`,
    needs: ["human"],
    last: true,
    act: (target) => refusalsAt(target, endpoints),
    assert: (refusals) => expectOfEach(refusals, hasBothStrings),
  }),
);

const namedErrors = check({
  id: "ERR-01/code-has-text",
  claim: "No refusal in the run by an OAuth endpoint, or by JMAP of an access token, has an empty `error`.",
  needs: ["human"],
  last: true,
  act: (target) => refusalsAt(target, ["authorize", "token", "revoke", "register", "agents", "jmap"]),
  assert: (refusals) =>
    // A code has at least one character (RFC 6749 Appendix A.7).
    expectOfEach(refusals, {
      expected: "an error code",
      holds: (exchange) => jsonMembers(exchange)["error"] !== "",
      seen: (exchange) => `an empty error and ${exchange.response.status}`,
    }),
});

const describedErrors = check({
  id: "ERR-01/description-has-text",
  claim:
    "No refusal in the run by an OAuth endpoint, or by JMAP of an access token, has an empty `error_description`.",
  needs: ["human"],
  last: true,
  act: (target) => refusalsAt(target, ["authorize", "token", "revoke", "register", "agents", "jmap"]),
  assert(refusals) {
    // The document asks for the member, and says nothing about its text.
    const empty = refusals.find(({ exchange }) => jsonMembers(exchange)["error_description"] === "");
    return (
      empty && warning(`error ${shown(jsonMembers(empty.exchange)["error"])} has an empty error_description`)
    );
  },
});

const notAgentShape = check({
  id: "ERR-02/every-answer",
  claim:
    "No refusal in the run by an OAuth endpoint, or by JMAP of an access token, has an object as `error`.",
  needs: ["human"],
  last: true,
  act: (target) => refusalsAt(target, ["authorize", "token", "revoke", "register", "agents", "jmap"]),
  assert: (refusals) =>
    expectOfEach(refusals, {
      expected: "no error shape of the proof-of-work path",
      holds: (exchange) => !hasObjectAsError(exchange),
      seen: (exchange) => `error ${shown(jsonMembers(exchange)["error"])}`,
    }),
});

const notProblemDetails = check({
  id: "ERR-10/every-answer",
  claim: "No refusal of an access token, inbox or scope by JMAP in the run has a JMAP problem type.",
  needs: ["human"],
  last: true,
  act: (target) => refusalsAt(target, ["jmap"]),
  assert(refusals): Warning | undefined {
    expectOfEach(refusals, {
      expected: "no problem type of JMAP (RFC 8620 §3.6.1)",
      holds: (exchange) => !isProblem(exchange),
      seen: (exchange) => `type ${shown(jsonMembers(exchange)["type"])}`,
    });
    // The document fixes the members of the body and not its media type.
    return refusals.some(({ exchange }) => mediaType(exchange) === "application/problem+json")
      ? warning("the OAuth error shape came with the media type application/problem+json")
      : undefined;
  },
});

const errorsAreJson = (
  [
    { id: "B-TOK-03/every-error", words: "token", endpoint: "token" },
    { id: "B-REV-01/media-type", words: "revocation", endpoint: "revoke" },
    { id: "B-DCR-04/media-type", words: "registration", endpoint: "register" },
  ] as const
).map(({ id, words, endpoint }) =>
  recommend({
    id,
    claim: `Every refusal by the ${words} endpoint in the run has the media type \`application/json\`.`,
    needs: ["human"],
    last: true,
    act: (target) => refusalsAt(target, [endpoint]),
    assert: (refusals) =>
      expectOfEach(refusals, {
        expected: "application/json",
        holds: (exchange) => mediaType(exchange) === "application/json",
        seen: (exchange) => mediaType(exchange) || "no media type",
      }),
  }),
);

/** The form of the errors of the OAuth endpoints and of JMAP with an access token. Document, "Resources", OAuth error body. */
export const oauthErrorShapeChecks = [
  ...oauthShape,
  namedErrors,
  describedErrors,
  notAgentShape,
  notProblemDetails,
  ...errorsAreJson,
];
