import { isServed } from "../support/judging/access-token-use.ts";
import { observe, recommend } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { bearer, jmapAs, jmapBody } from "../support/actors/jmap.ts";
import { bearerChallengeIn } from "../support/wire/www-authenticate.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { challengeAttributes } from "../support/wire/challenge-attributes.ts";
import {
  acceptedToken,
  mcpEndpoint,
  present,
  type ProtectedEndpoint,
  protectedEndpoints,
} from "./endpoints.ts";
import { refusalsOfRun } from "./refusals-of-run.ts";

/** The MCP endpoint is a protected resource as well: RFC 9728 §5.1 refers to RFC 6750 §3. */
const challengingEndpoints = [...protectedEndpoints, mcpEndpoint];

const onEvery401 = challengingEndpoints.map((endpoint) =>
  recommend({
    id: `B-BRR-01/${endpoint.slug}`,
    claim: `Every 401 of the run at ${endpoint.words} carries \`WWW-Authenticate: Bearer\`.`,
    needs: ["human"],
    last: true,
    act: async (target) =>
      refusalsOfRun(target, endpoint, { statuses: [401], accepts: () => true, words: "a 401" }),
    assert(exchanges) {
      for (const exchange of exchanges) {
        const isChallenged = bearerChallengeIn(exchange) !== undefined;
        expectThat(isChallenged, "WWW-Authenticate: Bearer", `${summary(exchange)} without it`, exchange);
      }
    },
  }),
);

const wellFormed = challengingEndpoints.map((endpoint) =>
  recommend({
    id: `B-BRR-08/${endpoint.slug}`,
    claim: `Every Bearer challenge of the run at ${endpoint.words} has each attribute once, of the allowed characters.`,
    needs: ["human"],
    last: true,
    act: async (target) =>
      refusalsOfRun(target, endpoint, {
        statuses: [401, 403],
        accepts: (exchange) => bearerChallengeIn(exchange) !== undefined,
        words: "a 401 or 403 with WWW-Authenticate: Bearer",
      }),
    assert(exchanges) {
      for (const exchange of exchanges) {
        const { problems } = challengeAttributes(bearerChallengeIn(exchange) ?? "");
        expectThat(problems.length === 0, "a well-formed challenge", problems.join("; "), exchange);
      }
    },
  }),
);

/**
 * A 401 with a Bearer challenge.
 *
 * @throws {InconclusiveError} precondition-missing, when the answer is no 401 or has no challenge
 */
async function challengeTo(
  target: Target,
  endpoint: ProtectedEndpoint,
  credential: { lines: readonly (readonly [string, string])[]; explainedBy: string },
): Promise<Exchange> {
  await acceptedToken(target, endpoint);
  const exchange = await present(target, endpoint, credential.lines);
  if (exchange.response.status !== 401)
    throw new InconclusiveError("precondition-missing", `needs a 401, got ${summary(exchange)}`, {
      exchange,
      explainedBy: credential.explainedBy,
    });
  // The document names no such header.
  if (bearerChallengeIn(exchange) === undefined)
    throw new NotApplicableError("the 401 carries no Bearer challenge, which B-BRR-01 judges");
  return exchange;
}

const named = challengingEndpoints.map((endpoint) =>
  recommend({
    id: `B-BRR-02/${endpoint.slug}`,
    claim: `The Bearer challenge to the token \`x\` at ${endpoint.words} has \`error="invalid_token"\`.`,
    needs: ["human"],
    act: (target) => challengeTo(target, endpoint, { lines: [bearer("x")], explainedBy: "BEARER-03" }),
    assert(exchange) {
      const { error } = challengeAttributes(bearerChallengeIn(exchange) ?? "").values;
      expectThat(error === "invalid_token", 'error="invalid_token"', error ?? "no error", exchange);
    },
  }),
);

const unnamed = challengingEndpoints.map((endpoint) =>
  recommend({
    id: `B-BRR-03/${endpoint.slug}`,
    claim: `The Bearer challenge to a request without a token at ${endpoint.words} names no error.`,
    needs: ["human"],
    act: (target) => challengeTo(target, endpoint, { lines: [], explainedBy: "BEARER-02" }),
    assert(exchange) {
      const { error } = challengeAttributes(bearerChallengeIn(exchange) ?? "").values;
      if (error !== undefined) throw new Violation("no error attribute", `error="${error}"`, { exchange });
    },
  }),
);

// No message has that id: were the send allowed, nothing would leave.
const sendNothing = jmapBody([
  [
    "EmailSubmission/set",
    {
      create: {
        s1: {
          emailId: "mailproof-none",
          envelope: { mailFrom: { email: "a@example.test" }, rcptTo: [{ email: "b@example.test" }] },
        },
      },
    },
    "0",
  ],
]);

const neededScope = observe({
  id: "B-BRR-04",
  question: "Does the Bearer challenge of a 403 `insufficient_scope` name the scope that is needed?",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target, { scope: "mail.read" });
    return jmapAs(target, token, await inboxOf(target), sendNothing);
  },
  answer: (exchange) => bearerChallengeIn(exchange) ?? `${summary(exchange)} without a Bearer challenge`,
});

const caseless = protectedEndpoints.map((endpoint) =>
  recommend({
    id: `B-BRR-06/${endpoint.slug}`,
    claim: `The scheme \`bearer\` in lower case is accepted by ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, endpoint);
      return present(target, endpoint, [["Authorization", `bearer ${token}`]]);
    },
    assert: (exchange) => expectThat(isServed(exchange), "200 with data", summary(exchange), exchange),
  }),
);

const twoMethods = protectedEndpoints.map((endpoint) =>
  observe({
    id: `B-BRR-07/${endpoint.slug}`,
    question: `How is a token in the header and in the query at once answered by ${endpoint.words}?`,
    needs: ["human"],
    async act(target) {
      const token = await sharedAccessToken(target);
      const outgoing = await endpoint.outgoing(target, [bearer(token)]);
      return target.send({ ...outgoing, url: `${outgoing.url}?access_token=${token}` });
    },
    answer: summary,
  }),
);

export const wwwAuthenticateChecks = [
  ...onEvery401,
  ...named,
  ...unnamed,
  neededScope,
  ...caseless,
  ...twoMethods,
  ...wellFormed,
];
