import { bearerIn, claimsOf, postChallenge } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, header, headerValues, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, Violation, warning } from "../support/verdict.ts";

const manyChallenges = 50;

/** Challenges for every check that looks at what they say; none of them is used. */
function challenges(target: Target): Promise<readonly Exchange[]> {
  return target.once("pow:challenges", async (recording) => {
    const exchanges: Exchange[] = [];
    for (let count = 0; count < manyChallenges; count += 1) exchanges.push(await postChallenge(recording));
    return exchanges;
  });
}

function claims(exchange: Exchange): Readonly<Record<string, unknown>> {
  const found = claimsOf(bearerIn(exchange) ?? "");
  if (found !== undefined) return found;
  throw new Violation("a challenge JWT in the Authorization response header", summary(exchange));
}

const issued = check({
  id: "POW-01",
  claim:
    "POST /api/v1/challenge without body, media type, cookie or credential gives 2xx with one Authorization header.",
  act: postChallenge,
  assert(exchange) {
    expectThat(isSuccess(exchange), "2xx", summary(exchange));
    const { length } = headerValues(exchange, "authorization");
    expectThat(length === 1, "one Authorization response header", `${length}`);
  },
});

const form = check({
  id: "POW-02/challenge",
  claim:
    "The challenge stands in the Authorization response header as Bearer, one space and a token of three segments.",
  act: postChallenge,
  assert: expectBearerJwt,
});

/** `Bearer`, one space, a compact JWS. Document, "Authentication", proof-of-work path 6. */
export function expectBearerJwt(exchange: Exchange): void {
  const [token] = [bearerIn(exchange)];
  expectThat(
    /^[\w-]+\.[\w-]+\.[\w-]*$/u.test(token ?? ""),
    "Authorization: Bearer <three base64url segments>",
    token === undefined
      ? `${summary(exchange)} with ${header(exchange, "authorization") === undefined ? "no Authorization header" : "one of another form"}`
      : `a token of ${token.split(".").length} segments`,
  );
}

const identifier = check({
  id: "POW-03",
  claim: "The jti claim of a challenge is a non-empty string.",
  act: postChallenge,
  assert(exchange) {
    const { jti } = claims(exchange);
    expectThat(typeof jti === "string" && jti !== "", "jti to be a non-empty string", shown(jti));
  },
});

const difficulty = check({
  id: "POW-04",
  claim: "The difficulty claim of a challenge is an integer from 0 to 512.",
  act: postChallenge,
  assert(exchange) {
    const { difficulty: bits } = claims(exchange);
    const isCount = typeof bits === "number" && Number.isInteger(bits) && bits >= 0 && bits <= 512;
    expectThat(isCount, "difficulty to be an integer from 0 to 512", shown(bits));
    return bits === 0 ? warning("difficulty is 0: no work is asked for") : undefined;
  },
});

const distinct = check({
  id: "POW-05",
  claim: `Each of ${manyChallenges} challenges has a jti of its own.`,
  act: challenges,
  assert(exchanges) {
    const { size } = new Set(exchanges.map((exchange) => claims(exchange)["jti"]));
    expectThat(size === manyChallenges, `${manyChallenges} different values of jti`, `${size}`);
  },
});

const other = [
  {
    slug: "post-empty-object",
    words: "POST with the body {}",
    method: "POST",
    media: "application/json",
    body: "{}",
  },
  {
    slug: "post-text",
    words: "POST with a body of plain text",
    method: "POST",
    media: "text/plain",
    body: "x",
  },
  { slug: "get", words: "GET", method: "GET" },
].map(({ slug, words, method, media, body }) =>
  check({
    id: `POW-06/${slug}`,
    claim: `What the challenge endpoint answers to ${words}.`,
    act: (target) =>
      target.send({
        method,
        url: `${target.authUrl}/api/v1/challenge`,
        ...(media !== undefined && { headers: [["Content-Type", media]] }),
        ...(body !== undefined && { body }),
      }),
    assert: (exchange) =>
      observation(
        `${summary(exchange)}${bearerIn(exchange) === undefined ? " without" : " with"} a challenge`,
      ),
  }),
);

const difficulties = check({
  id: "POW-58",
  claim: `The difficulties of ${manyChallenges} challenges.`,
  act: challenges,
  assert(exchanges) {
    const counts = Map.groupBy(exchanges, (exchange) => String(claims(exchange)["difficulty"]));
    return observation(
      [...counts].map(([bits, { length }]) => `${bits} bits in ${length} of ${manyChallenges}`).join(", "),
    );
  },
});

const lifetime = check({
  id: "B-POW-02",
  claim: "A challenge says when it expires, at most 15 minutes after it was issued.",
  act: postChallenge,
  assert(exchange) {
    const { exp, iat } = claims(exchange);
    if (typeof exp !== "number") return warning("the challenge has no exp claim");
    if (typeof iat !== "number") return warning("the challenge has no iat claim");
    return exp - iat > 900 ? warning(`the challenge lives ${exp - iat} seconds`) : undefined;
  },
});

const unpredictable = check({
  id: "B-POW-05/jti",
  claim: "The jti of a challenge is long enough for 96 random bits and does not count up.",
  act: challenges,
  assert(exchanges) {
    const ids = exchanges.map((exchange) => String(claims(exchange)["jti"]));
    // 16 characters of base64url carry 96 bits.
    const shortest = Math.min(...ids.map((id) => id.length));
    if (shortest < 16) return warning(`a jti of ${shortest} characters has room for fewer than 96 bits`);
    return ids.every((id) => /^\d+$/u.test(id))
      ? warning("every jti is a decimal number, which looks like a counter")
      : undefined;
  },
});

const notStored = check({
  id: "B-POW-04/challenge",
  claim: "A challenge response forbids storing with Cache-Control: no-store.",
  act: postChallenge,
  assert(exchange) {
    if (!isSuccess(exchange))
      throw new InconclusiveError("control-refused", `no challenge: ${summary(exchange)}`);
    const value = header(exchange, "cache-control") ?? "";
    return /\bno-store\b/iu.test(value)
      ? undefined
      : warning(`Cache-Control is ${shown(value)}, without no-store`);
  },
});

export const challengeChecks = [
  issued,
  form,
  identifier,
  difficulty,
  distinct,
  ...other,
  difficulties,
  lifetime,
  unpredictable,
  notStored,
];
