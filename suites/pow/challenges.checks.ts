import { bearerIn, claimsOf, postChallenge } from "../support/actors/agent.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { type Exchange, header, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, warning } from "../support/verdict.ts";

const manyChallenges = 50;

/** Challenges for every check that looks at what they say; none of them is used. */
function challenges(target: Target): Promise<readonly Exchange[]> {
  return target.once("pow:challenges", async (recording) => {
    const exchanges: Exchange[] = [];
    for (let count = 0; count < manyChallenges; count += 1) exchanges.push(await postChallenge(recording));
    return exchanges;
  });
}

/** @throws {Violation} explained by POW-01, which judges by itself that there is a challenge */
function claims(exchange: Exchange): Readonly<Record<string, unknown>> {
  const found = claimsOf(bearerIn(exchange) ?? "");
  if (found !== undefined) return found;
  throw new Violation("a challenge JWT that can be read", summary(exchange), {
    exchange,
    explainedBy: "POW-01",
  });
}

const issued = check({
  id: "POW-01",
  claim: "`POST /api/v1/challenge` without body, cookie and credential returns a signed challenge JWT.",
  act: postChallenge,
  assert(exchange) {
    const expected = "2xx with a signed JWT of three segments";
    expectThat(isSuccess(exchange), expected, summary(exchange), exchange);
    const token = bearerIn(exchange);
    if (token === undefined) {
      throw new Violation(expected, "no token in the form Bearer <token>", {
        exchange,
        explainedBy: "POW-02/challenge",
      });
    }
    const isSigned = /^[\w-]+\.[\w-]+\.[\w-]*$/u.test(token) && claimsOf(token) !== undefined;
    expectThat(isSigned, expected, `a token of ${token.split(".").length} segments`, exchange);
  },
});

const identifier = check({
  id: "POW-03",
  claim: "The `jti` claim of a challenge is a non-empty string.",
  act: postChallenge,
  assert(exchange) {
    const { jti } = claims(exchange);
    expectThat(typeof jti === "string" && jti !== "", "jti to be a non-empty string", shown(jti), exchange);
  },
});

const difficulty = check({
  id: "POW-04",
  claim: "The `difficulty` claim of a challenge is an integer from 0 to 512.",
  act: postChallenge,
  assert(exchange) {
    const { difficulty: bits } = claims(exchange);
    const isCount = typeof bits === "number" && Number.isInteger(bits) && bits >= 0 && bits <= 512;
    expectThat(isCount, "difficulty to be an integer from 0 to 512", shown(bits), exchange);
    return bits === 0 ? warning("difficulty is 0: no work is asked for") : undefined;
  },
});

const distinct = check({
  id: "POW-05",
  claim: `Each of ${manyChallenges} challenges has a \`jti\` of its own.`,
  act: challenges,
  assert(exchanges) {
    const seen = new Set<unknown>();
    for (const exchange of exchanges) {
      const { jti } = claims(exchange);
      expectThat(!seen.has(jti), "a jti that no other challenge has", `${shown(jti)} again`, exchange);
      seen.add(jti);
    }
  },
});

const otherRequests = [
  {
    slug: "post-empty-object",
    words: "a challenge request with the body `{}`",
    method: "POST",
    content: { media: "application/json", body: "{}" },
  },
  {
    slug: "post-text",
    words: "a challenge request with a body of plain text",
    method: "POST",
    content: { media: "text/plain", body: "x" },
  },
  { slug: "get", words: "a GET request at the challenge endpoint", method: "GET", content: undefined },
].map(({ slug, words, method, content }) =>
  observe({
    id: `POW-06/${slug}`,
    question: `What does the target answer to ${words}?`,
    act: (target) =>
      target.send({
        method,
        url: `${target.authUrl}/api/v1/challenge`,
        ...(content && { headers: [["Content-Type", content.media]], body: content.body }),
      }),
    answer: (exchange) =>
      `${summary(exchange)} ${bearerIn(exchange) === undefined ? "without" : "with"} a challenge`,
  }),
);

const difficulties = observe({
  id: "POW-58",
  question: `Which difficulties do ${manyChallenges} challenges have?`,
  act: challenges,
  answer(exchanges) {
    const counts = Map.groupBy(exchanges, (exchange) =>
      String(claimsOf(bearerIn(exchange) ?? "")?.["difficulty"]),
    );
    return [...counts].map(([bits, { length }]) => `${bits} bits in ${length} of them`).join(", ");
  },
});

const longestLifeSeconds = 15 * 60;

/** What the target's clock said, in seconds since the Unix epoch. RFC 9110 §6.6.1. */
function answeredAt(exchange: Exchange): number | undefined {
  const milliseconds = Date.parse(header(exchange, "date") ?? "");
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

const lifetime = recommend({
  id: "B-POW-02",
  claim:
    "A challenge says in `exp` that it expires within 15 minutes of its `iat`, or of the answer where it has none.",
  act: postChallenge,
  assert(exchange) {
    const { exp, iat = answeredAt(exchange) } = claims(exchange);
    // The document names `jti` and `difficulty` alone, and the server may keep the time itself (C-47).
    if (exp === undefined) throw new NotApplicableError("the challenge shows no exp");
    if (iat === undefined) throw new NotApplicableError("the challenge shows no iat, and its answer no Date");
    const isShort = typeof exp === "number" && typeof iat === "number" && exp - iat <= longestLifeSeconds;
    expectThat(
      isShort,
      `exp at most ${longestLifeSeconds} s after iat`,
      `exp ${shown(exp)} and iat ${shown(iat)}`,
      exchange,
    );
  },
});

const unpredictable = recommend({
  id: "B-POW-05/jti",
  claim: "The `jti` of a challenge is long enough for 96 random bits and is not a decimal number.",
  act: challenges,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { jti } = claims(exchange);
      // 16 characters of base64url carry 96 bits.
      const isLong = typeof jti === "string" && jti.length >= 16 && !/^\d+$/u.test(jti);
      expectThat(isLong, "a jti of 16 characters or more that is not a number", shown(jti), exchange);
    }
  },
});

export const challengeChecks = [
  issued,
  identifier,
  difficulty,
  distinct,
  ...otherRequests,
  difficulties,
  lifetime,
  unpredictable,
];
