import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { allAttempts, attempt, type Attempt } from "../support/actors/authorization.ts";
import { responseParameter, responseParameters } from "../support/actors/client-redirects.ts";
import { check, recommend } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { type Exchange, header } from "../support/wire/exchange.ts";
import { shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { isSentOtherwise } from "../support/material/undecodable.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { decidesElsewhere, isDecidedElsewhere } from "../support/material/forged-forms.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { leadsTo } from "./requests.ts";

/** An authorization response: a redirect to the client with a code or an error in its query. */
interface Response {
  readonly location: string;
  readonly exchange: Exchange;
  readonly attempt: Attempt;
}

function responsesIn(attempts: readonly Attempt[]): Response[] {
  return attempts.flatMap((ended) => {
    const { end } = ended;
    if (end.kind !== "redirect" || !(hasCode(end) || hasError(end))) return [];
    return [{ location: end.location, exchange: end.exchange, attempt: ended }];
  });
}

const hasCode = ({ location }: { readonly location: string }): boolean =>
  responseParameter(location, "code") !== undefined;
const hasError = ({ location }: { readonly location: string }): boolean =>
  responseParameter(location, "error") !== undefined;

/** @throws {InconclusiveError} precondition-missing, when the run saw none */
function someOf<Item>(items: readonly Item[], what: string): readonly Item[] {
  if (items.length > 0) return items;
  throw new InconclusiveError(
    "precondition-missing",
    `no authorization request of this run ended in ${what}`,
  );
}

const attemptsOf = async (target: Target): Promise<readonly Attempt[]> => target.noted(allAttempts);

/** @throws {NotApplicableError} when every refusal of the run was a direct answer, as the document has it */
function errorRedirectsIn(attempts: readonly Attempt[]): readonly Response[] {
  const redirects = responsesIn(attempts).filter(hasError);
  if (redirects.length === 0 && attempts.some(({ end }) => end.kind === "answer"))
    throw new NotApplicableError("the target answers refused requests itself, and redirects none");
  return someOf(redirects, "an error redirect");
}

const issuer = check({
  id: "AUTHZ-13/error-redirects",
  claim: "`iss` of every error redirect of the run is `{auth_url}`.",
  last: true,
  act: attemptsOf,
  assert(attempts) {
    judgeEach(errorRedirectsIn(attempts), ({ location, attempt: { issuer: expected } }) => {
      const iss = responseParameter(location, "iss");
      return iss === expected ? undefined : [`iss ${shown(expected)}`, shown(iss)];
    });
  },
});

const state = check({
  id: "AUTHZ-10/error-redirects",
  claim: "Every error redirect of the run returns the `state` of its request unchanged.",
  last: true,
  async act(target) {
    await refuseTellingState(target.setup);
    return attemptsOf(target);
  },
  assert(attempts) {
    const withState = errorRedirectsIn(attempts).flatMap((response) => {
      const sent = stateOf(response.attempt);
      return sent === undefined ? [] : [{ ...response, sent }];
    });
    judgeEach(someOf(withState, "an error redirect after a request with a state"), ({ location, sent }) => {
      const returned = responseParameter(location, "state");
      return returned === sent ? undefined : [`state ${shown(sent)}`, shown(returned)];
    });
  },
});

/** One more refused request, since the random `state` of all others reads the same however often it is encoded. */
async function refuseTellingState(target: Target): Promise<void> {
  const client = await sharedClient(target, "public");
  const { parameters } = authorizationRequest(target, client, { state: "a b&c=%2B+d" });
  await attempt(target, { client, parameters: replacing(parameters, "response_type", "token") });
}

/**
 * The `state` that a response has to return: an empty one counts as none, of two values either would do, and what a target
 * makes of characters that RFC 6749 Appendix A.5 does not allow is its own.
 */
function stateOf({ parameters }: Attempt): string | undefined {
  const sent = parameters.flatMap(([name, value]) => (name === "state" ? [value] : []));
  const [state = ""] = sent;
  return sent.length === 1 && /^[ -~]+$/u.test(state) && !isSentOtherwise(state) ? state : undefined;
}

const issuerOnSuccess = check({
  id: "AUTHZ-13/every-response",
  claim: "`iss` of every successful authorization response of the run is `{auth_url}`.",
  needs: ["human"],
  last: true,
  act: attemptsOf,
  assert(attempts) {
    const successes = someOf(responsesIn(attempts).filter(hasCode), "a code");
    explained("AUTHZ-13/success", () =>
      judgeEach(successes, ({ location, attempt: { issuer: expected } }) => {
        const iss = responseParameter(location, "iss");
        return iss === expected ? undefined : [`iss ${shown(expected)}`, shown(iss)];
      }),
    );
  },
});

const stateOnSuccess = check({
  id: "AUTHZ-10/every-response",
  claim: "Every successful authorization response of the run returns the `state` of its request.",
  needs: ["human"],
  last: true,
  act: attemptsOf,
  assert(attempts) {
    // Only what every spelling leaves alone: how other characters come back is judged one by one.
    const isPlain = ({ attempt: ended }: Response): boolean => /^[\w-]{1,64}$/u.test(stateOf(ended) ?? "");
    const plain = someOf(
      responsesIn(attempts).filter((response) => hasCode(response) && isPlain(response)),
      "a code",
    );
    explained("AUTHZ-10/plain", () =>
      judgeEach(plain, ({ location, attempt: ended }) => {
        const [sent, returned] = [stateOf(ended), responseParameter(location, "state")];
        return returned === sent ? undefined : [`state ${shown(sent)}`, shown(returned)];
      }),
    );
  },
});

const redirectedToRequested = check({
  id: "REDIR-01/every-response",
  claim: "Every successful authorization response of the run goes to the `redirect_uri` of its request.",
  needs: ["human"],
  last: true,
  act: attemptsOf,
  assert(attempts) {
    const plain = someOf(
      responsesIn(attempts).filter((response) => hasCode(response) && sentOnce(response, "redirect_uri")),
      "a code",
    );
    explained("REDIR-01/with-query", () =>
      judgeEach(plain, ({ location, attempt: { parameters, registered } }) => {
        const sent = valueOf(parameters, "redirect_uri") ?? "";
        // Where it is not registered there should be no code: others judge that.
        const isThere = !registered.includes(sent) || leadsTo(location, sent);
        return isThere ? undefined : [`a redirect to ${sent}`, shown(location.split(/[?#]/u, 1)[0])];
      }),
    );
  },
});

function sentOnce({ attempt: { parameters } }: Response, name: string): boolean {
  return parameters.filter(([key]) => key === name).length === 1;
}

const codeOrError = check({
  id: "AUTHZ-09/code-or-error",
  claim: "No authorization response of the run carries both `code` and `error`.",
  last: true,
  act: attemptsOf,
  assert(attempts) {
    judgeEach(someOf(responsesIn(attempts), "an authorization response"), (response) =>
      hasCode(response) && hasError(response) ? ["a code or an error", "both"] : undefined,
    );
  },
});

const onceOnSuccess = check({
  id: "AUTHZ-09/once",
  claim: "No successful authorization response of the run repeats a parameter.",
  needs: ["human"],
  last: true,
  act: attemptsOf,
  assert(attempts) {
    judgeEach(someOf(responsesIn(attempts).filter(hasCode), "a code"), repetition);
  },
});

const onceOnError = recommend({
  id: "B-AUTHZ-15",
  claim: "No error redirect of the run repeats a parameter.",
  last: true,
  act: attemptsOf,
  assert: (attempts) => judgeEach(errorRedirectsIn(attempts), repetition),
});

function repetition({ location, attempt: { parameters } }: Response): Judged {
  // What the redirect_uri has in its own query is the client's business.
  const own = responseParameters(valueOf(parameters, "redirect_uri") ?? "").map(([name]) => name);
  const names = responseParameters(location).map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at && !own.includes(name));
  return twice === undefined ? undefined : ["each parameter once", `${twice} more than once`];
}

const redirectStatus = recommend({
  id: "B-AUTHZ-11",
  claim: "Every authorization response of the run is a redirect with the status 302 or 303.",
  last: true,
  act: attemptsOf,
  assert(attempts) {
    const seen = responsesIn(attempts).filter(({ attempt: { isUnseen } }) => isUnseen !== true);
    judgeEach(someOf(seen, "an authorization response that was seen"), ({ exchange }) => {
      const { status } = exchange.response;
      return [302, 303].includes(status) ? undefined : ["302 or 303", `${status}`];
    });
  },
});

const noFormSentAgain = check({
  id: "AUTHZ-09/form-not-repeated",
  claim:
    "No redirect of the run makes the browser post the form of sign-in or consent to another origin again.",
  needs: ["human", "pages"],
  last: true,
  act: attemptsOf,
  assert(attempts) {
    const journeys = attempts
      .map(({ hops, issuer: authUrl }) =>
        hops().filter(({ request }) => originOf(request.url) === originOf(authUrl)),
      )
      .filter((hops) => hops.some(isPost));
    if (journeys.length === 0 && attempts.some(isDecidedElsewhere))
      throw new NotApplicableError(decidesElsewhere);
    const redirected = someOf(journeys, "a form on the way to the client").filter((hops) =>
      hops.some(leavesOrigin),
    );
    // A page may send the browser on instead (RFC 6749 §1.7).
    if (redirected.length === 0) throw new NotApplicableError("no redirect leads from a form to the client");
    // The way back may follow a form that is sent with GET, or a link: a form before it is not posted again then.
    const afterForms = redirected
      .flatMap((hops) => hops.filter((hop) => isPost(hop) && leavesOrigin(hop)))
      .map((exchange) => ({ exchange }));
    judgeEach(afterForms, ({ exchange }) => {
      const { status } = exchange.response;
      return [307, 308].includes(status)
        ? ["a redirect that drops the form, such as 303", `${status}`]
        : undefined;
    });
  },
});

function isPost({ request }: Exchange): boolean {
  return request.method === "POST";
}

function leavesOrigin(exchange: Exchange): boolean {
  const location = header(exchange, "location");
  return (
    location !== undefined && originOf(location, exchange.request.url) !== originOf(exchange.request.url)
  );
}

function originOf(reference: string, base?: string): string | undefined {
  return URL.parse(reference, base)?.origin;
}

/** Expected and observed, when the claim does not hold. */
type Judged = readonly [expected: string, observed: string] | undefined;

/** @throws {Violation} about the first item that does not hold, with the number of all such */
function judgeEach<Item extends { readonly exchange: Exchange }>(
  items: readonly Item[],
  judge: (item: Item) => Judged,
): void {
  const broken = items.flatMap((item) => {
    const judged = judge(item);
    return judged === undefined ? [] : [{ item, judged }];
  });
  const [first] = broken;
  if (first === undefined) return;
  const [expected, observed] = first.judged;
  throw new Violation(
    expected,
    `${observed} in ${broken.length} of ${items.length}, first in exchange ${first.item.exchange.number}`,
    { exchange: first.item.exchange },
  );
}

/** What all authorization responses share, whatever was asked: judged when all other checks are done. */
export const wholeRunChecks = [
  issuer,
  state,
  issuerOnSuccess,
  stateOnSuccess,
  redirectedToRequested,
  codeOrError,
  onceOnSuccess,
  onceOnError,
  redirectStatus,
  noFormSentAgain,
];
