import { check } from "../support/judging/check.ts";
import { type Exchange, headerValues, summary } from "../support/wire/exchange.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { bearer, jmapAs, jmapBody } from "../support/actors/jmap.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { InconclusiveError, observation, warning } from "../support/verdict.ts";
import { authenticateParameters } from "./authenticate-parameters.ts";
import { acceptedToken, isServed, present, protectedEndpoints } from "./endpoints.ts";

const credentials = [
  { slug: "no-token", words: "without a token", lines: [] },
  { slug: "bad-token", words: "with a token that is none", lines: [bearer("x")] },
] as const;

const cases = protectedEndpoints.flatMap((endpoint) =>
  credentials.map((credential) => ({ endpoint, ...credential })),
);

/** A 401 at the endpoint. @throws {InconclusiveError} precondition-missing, when it answers anything else */
function refused({ endpoint, lines }: (typeof cases)[number]) {
  return async (target: Parameters<typeof present>[0]): Promise<Exchange> => {
    await acceptedToken(target, endpoint);
    const exchange = await present(target, endpoint, lines);
    if (exchange.response.status === 401) return exchange;
    throw new InconclusiveError("precondition-missing", `needs a 401 to read, got ${summary(exchange)}`);
  };
}

function challengeOf(exchange: Exchange): string | undefined {
  return headerValues(exchange, "www-authenticate").find((value) => /^bearer\b/iu.test(value));
}

const present401 = cases.map((row) =>
  check({
    id: `B-BRR-01/${row.endpoint.slug}-${row.slug}`,
    claim: `The 401 ${row.words} at ${row.endpoint.words} carries WWW-Authenticate: Bearer.`,
    needs: ["human"],
    act: refused(row),
    assert: (exchange) =>
      challengeOf(exchange) === undefined ? warning("the 401 has no WWW-Authenticate: Bearer") : undefined,
  }),
);

const named = cases
  .filter(({ slug }) => slug === "bad-token")
  .map((row) =>
    check({
      id: `B-BRR-02/${row.endpoint.slug}`,
      claim: `The WWW-Authenticate of the 401 for a bad token at ${row.endpoint.words} says error="invalid_token".`,
      needs: ["human"],
      act: refused(row),
      assert(exchange) {
        const { error } = authenticateParameters(challengeOf(exchange) ?? "").values;
        return error === "invalid_token" ? undefined : warning(`error is ${error ?? "not named"}`);
      },
    }),
  );

const unnamed = cases
  .filter(({ slug }) => slug === "no-token")
  .map((row) =>
    check({
      id: `B-BRR-03/${row.endpoint.slug}`,
      claim: `The WWW-Authenticate of the 401 without a token at ${row.endpoint.words} names no error.`,
      needs: ["human"],
      act: refused(row),
      assert(exchange) {
        const { error } = authenticateParameters(challengeOf(exchange) ?? "").values;
        return error === undefined ? undefined : warning(`it names ${error} although no token was sent`);
      },
    }),
  );

const wellFormed = cases.map((row) =>
  check({
    id: `B-BRR-08/${row.endpoint.slug}-${row.slug}`,
    claim: `The WWW-Authenticate of the 401 ${row.words} at ${row.endpoint.words} has each attribute once, of the allowed characters.`,
    needs: ["human"],
    act: refused(row),
    assert(exchange) {
      const value = challengeOf(exchange);
      if (value === undefined) return observation("no WWW-Authenticate: Bearer to read");
      const { problems } = authenticateParameters(value);
      return problems.length === 0 ? undefined : warning(problems.join("; "));
    },
  }),
);

// Nothing is created under that id: were it served, nothing would leave.
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

const neededScope = check({
  id: "B-BRR-04",
  claim: "Whether the 403 insufficient_scope names the scope that it needs.",
  needs: ["human"],
  async act(target) {
    const token = await sharedAccessToken(target, { scope: "mail.read" });
    return jmapAs(target, token, await inboxOf(target), sendNothing);
  },
  assert(exchange) {
    const value = challengeOf(exchange);
    return observation(value === undefined ? `${summary(exchange)} without WWW-Authenticate` : value);
  },
});

const caseless = protectedEndpoints.map((endpoint) =>
  check({
    id: `B-BRR-06/${endpoint.slug}`,
    claim: `The scheme bearer in lower case is accepted at ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, endpoint);
      return present(target, endpoint, [["Authorization", `bearer ${token}`]]);
    },
    assert: (exchange) => (isServed(exchange) ? undefined : warning(`refused: ${summary(exchange)}`)),
  }),
);

const twoMethods = protectedEndpoints.map((endpoint) =>
  check({
    id: `B-BRR-07/${endpoint.slug}`,
    claim: `What a token in the header and in the query at once gets at ${endpoint.words}.`,
    needs: ["human"],
    async act(target) {
      const token = await acceptedToken(target, endpoint);
      const outgoing: Outgoing = await endpoint.outgoing(target, [bearer(token)]);
      return target.send({ ...outgoing, url: `${outgoing.url}?access_token=${token}` });
    },
    assert: (exchange) => observation(summary(exchange)),
  }),
);

export const challengeChecks = [
  ...present401,
  ...named,
  ...unnamed,
  neededScope,
  ...caseless,
  ...twoMethods,
  ...wellFormed,
];
