import { check } from "../support/judging/check.ts";
import { type Exchange, isRedirect, isSuccess, jsonMembers, mediaType } from "../support/wire/exchange.ts";
import { expectOAuthErrorShape, expectThat, shown } from "../support/judging/expect.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { refusalOf, revokeAsUnknownClient, samples } from "./samples.ts";

/** Error pages and redirects of the authorization endpoint are for browsers, and the document fixes no place. */
function isForBrowsers(exchange: Exchange): boolean {
  return mediaType(exchange) === "text/html" || isRedirect(exchange);
}

function expectOAuthShape(exchange: Exchange, slug: string): Finding | undefined {
  if (slug === "authorize" && isForBrowsers(exchange))
    return warning("the refusal is a page, which has no place for the OAuth error shape");
  expectOAuthErrorShape(exchange);
  return undefined;
}

const oauthShape = samples.map((sample) =>
  check({
    id: `ERR-01/${sample.slug}`,
    claim: `The refusal of ${sample.words} has a JSON body with strings error and error_description.`,
    needs: sample.needs,
    act: (target) => refusalOf(target, sample),
    assert: (exchange) => expectOAuthShape(exchange, sample.slug),
  }),
);

const revocationShape = check({
  id: "ERR-01/revoke",
  claim:
    "A revocation by an unknown client, where it is refused, has a JSON body with strings error and error_description.",
  act: revokeAsUnknownClient,
  assert(exchange) {
    if (isSuccess(exchange)) return observation(`not refused: ${exchange.response.status}`);
    expectOAuthErrorShape(exchange);
    return undefined;
  },
});

const notAgentShape = samples.map((sample) =>
  check({
    id: `ERR-02/${sample.slug}`,
    claim: `The refusal of ${sample.words} is not in the error shape of the proof-of-work path.`,
    needs: sample.needs,
    act: (target) => refusalOf(target, sample),
    assert(exchange) {
      const { error } = jsonMembers(exchange);
      expectThat(typeof error !== "object", "error not to be an object", shown(error));
    },
  }),
);

const notProblemDetails = samples
  .filter(({ slug }) => slug.startsWith("jmap-"))
  .map((sample) =>
    check({
      id: `ERR-10/${sample.slug.slice("jmap-".length)}`,
      claim: `The refusal of ${sample.words} carries no problem type of JMAP (RFC 8620 §3.6.1).`,
      needs: sample.needs,
      act: (target) => refusalOf(target, sample),
      assert(exchange): Finding | undefined {
        const { type } = jsonMembers(exchange);
        const isProblem = typeof type === "string" && type.startsWith("urn:ietf:params:jmap:error:");
        expectThat(!isProblem, "no problem type of JMAP", shown(type));
        // The document fixes the members of the body and not its media type.
        return mediaType(exchange) === "application/problem+json"
          ? warning("the OAuth error shape under the media type application/problem+json")
          : undefined;
      },
    }),
  );

/** Errors of the OAuth endpoints and of JMAP with an OAuth token. Document, "Errors", and "Resources", OAuth error body. */
export const shapeChecks = [...oauthShape, revocationShape, ...notAgentShape, ...notProblemDetails];
