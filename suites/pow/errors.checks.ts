import {
  postCapability,
  postChallenge,
  postSession,
  requestChallenge,
  requireBearer,
} from "../support/actors/agent.ts";
import { sharedSession } from "../support/material/agents.ts";
import { firstLogin, provenAgent } from "../support/material/agent-controls.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, type JsonObject, jsonMembers } from "../support/wire/exchange.ts";
import {
  expectAgentErrorShape,
  expectPowRefused,
  expectThat,
  isRefusalStatus,
  shown,
} from "../support/judging/expect.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, observation, warning } from "../support/verdict.ts";
import { expiredSubmission, expiryWaitSeconds } from "./expiry.checks.ts";
import { withOtherSignature } from "./jwt-forgery.ts";
import { reusedChallenge } from "./single-use.checks.ts";

const malformed = [
  { slug: "not-json", words: "a body that is no JSON", media: jsonContentType[1], body: "{" },
  { slug: "json-array", words: "a JSON array as body", media: jsonContentType[1], body: "[]" },
  { slug: "empty-body", words: "an empty body", media: jsonContentType[1], body: "" },
  {
    slug: "form",
    words: "a form as body",
    media: "application/x-www-form-urlencoded",
    body: "powHex=0&nonce=0",
  },
].map(({ slug, words, media, body }) =>
  check({
    id: `POW-54/${slug}`,
    claim: `A session request with ${words} is refused in the error shape of the proof-of-work path.`,
    needs: [],
    async act(target) {
      await provenAgent(target);
      const { jwt } = await requestChallenge(target);
      return postSession(target, [bearer(jwt), ["Content-Type", media]], body);
    },
    assert: expectPowRefused,
  }),
);

const endpoints = ["challenge", "session", "capability"].map((name) => `/api/v1/${name}`);

function errorMembers(exchange: Exchange): JsonObject {
  const { error } = jsonMembers(exchange);
  return isJsonObject(error) ? error : {};
}

/** Every refusal that the three endpoints of the path gave in this run. */
async function refusals(target: Target): Promise<readonly Exchange[]> {
  const urls = endpoints.map((path) => target.authUrl + path);
  const found = target.runExchanges.filter(
    (exchange) =>
      exchange.request.method === "POST" &&
      urls.includes(exchange.request.url) &&
      isRefusalStatus(exchange.response.status),
  );
  if (found.length > 0) return found;
  throw new InconclusiveError(
    "precondition-missing",
    "no request to the proof-of-work path was refused in this run",
  );
}

const everywhere = check({
  id: "POW-54/docs-url",
  claim:
    "Every refusal of the proof-of-work path in the run has message, hint and an http address as docs_url.",
  last: true,
  act: refusals,
  assert(exchanges) {
    for (const exchange of exchanges) {
      expectAgentErrorShape(exchange);
      const { docs_url: docsUrl } = errorMembers(exchange);
      expectThat(
        typeof docsUrl === "string" && /^https?:\/\/[^/\s]+/u.test(docsUrl),
        "docs_url to be an absolute http or https URL",
        shown(docsUrl),
      );
    }
  },
});

const otherShape = check({
  id: "POW-56",
  claim: "No refusal of the proof-of-work path in the run has the OAuth error shape, a text as error.",
  last: true,
  act: refusals,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { error } = jsonMembers(exchange);
      expectThat(typeof error !== "string", "error to be an object", `the text ${shown(error)}`);
    }
  },
});

/** The message names what is wrong with the challenge; the hint says what to do. Document, "Errors", PoW endpoints. */
function expectChallengeAdvice(exchange: Exchange): void {
  expectPowRefused(exchange);
  const { message, hint } = errorMembers(exchange);
  const says = (text: unknown, ...words: RegExp[]): boolean => words.every((word) => word.test(String(text)));
  expectThat(
    says(message, /challenge/iu, /invalid|not valid|expired/iu),
    "a message about an invalid or expired challenge",
    shown(message),
  );
  expectThat(
    says(hint, /challenge/iu, /fresh|new|another/iu, /solve|proof|pow\b|work/iu, /retry|again/iu),
    "a hint to request a fresh challenge, solve it and retry",
    shown(hint),
  );
}

const advice = [
  {
    slug: "garbage",
    words: "no JWT at all",
    token: async () => unguessable(),
  },
  {
    slug: "tampered",
    words: "a challenge with another signature",
    token: async (target: Target) => withOtherSignature((await requestChallenge(target)).jwt),
  },
].map(({ slug, words, token }) =>
  check({
    id: `POW-55/${slug}`,
    claim: `For ${words} the message speaks of an invalid or expired challenge, and the hint of a fresh one to solve.`,
    needs: [],
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const proof = { powHex: "0".repeat(128), nonce: "0" };
      return postSession(
        target,
        [bearer(await token(target)), jsonContentType],
        JSON.stringify({ ...proof, apiKey }),
      );
    },
    assert: expectChallengeAdvice,
  }),
);

const adviceWhenExpired = check({
  id: "POW-55/expired",
  claim:
    "For an expired challenge the message speaks of an invalid or expired challenge, and the hint of a fresh one to solve.",
  waitSeconds: expiryWaitSeconds,
  act: expiredSubmission,
  assert: expectChallengeAdvice,
});

const adviceWhenReused = check({
  id: "POW-55/reused",
  claim: "What the message says of a challenge that was used before.",
  act: reusedChallenge,
  assert(exchange) {
    const { message } = errorMembers(exchange);
    return observation(shown(message));
  },
});

const hints = [
  { slug: "challenge", act: postChallenge },
  { slug: "login", act: firstLogin },
  {
    slug: "capability",
    act: async (target: Target) => postCapability(target, await sharedSession(target)),
  },
].map(({ slug, act }) =>
  check({
    id: `POW-57/${slug}`,
    claim: `_next in the body of a successful ${slug} response, when it is there, is an array of strings.`,
    needs: [],
    async act(target) {
      const exchange = await act(target);
      requireBearer(exchange, `the ${slug}`);
      return exchange;
    },
    assert(exchange) {
      const { _next: next } = jsonMembers(exchange);
      const isFine =
        next === undefined || (Array.isArray(next) && next.every((hint) => typeof hint === "string"));
      expectThat(isFine, "_next to be an array of strings", shown(next));
    },
  }),
);

/** Where an apiKey came back although it should not; each is a place, never the key. */
function leaks(exchanges: readonly Exchange[]): string[] {
  const firstSeen = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { apiKey } = jsonMembers(exchange);
    if (typeof apiKey === "string" && apiKey.length >= 8 && !firstSeen.has(apiKey))
      firstSeen.set(apiKey, exchange);
  }
  const keys = [...firstSeen.keys()];
  return exchanges.flatMap((exchange) => {
    const { headers, body, status } = exchange.response;
    const text = [body, ...headers.map(([, value]) => value), ...headers.map(([, value]) => payload(value))];
    const repeated = keys.some(
      (key) => firstSeen.get(key) !== exchange && text.some((part) => part.includes(key)),
    );
    return repeated ? [`${exchange.request.method} ${exchange.request.url.split("?", 1)[0]}, ${status}`] : [];
  });
}

function payload(headerValue: string): string {
  const segment = /\beyJ[\w-]+\.([\w-]+)\./u.exec(headerValue)?.[1] ?? "";
  return Buffer.from(segment, "base64url").toString("utf8");
}

const keyKept = check({
  id: "B-POW-06",
  claim: "An apiKey is shown by its signup alone: in no later answer and in no JWT of the run.",
  last: true,
  async act(target) {
    await sharedAgentKeys(target);
    return leaks(target.runExchanges);
  },
  assert: (places) => (places.length === 0 ? undefined : warning(`an apiKey came back in ${places[0]}`)),
});

async function sharedAgentKeys(target: Target): Promise<void> {
  const hasSignup = target.runExchanges.some(
    (exchange) => typeof jsonMembers(exchange)["apiKey"] === "string",
  );
  if (!hasSignup) throw new InconclusiveError("precondition-missing", "nobody signed up in this run");
}

const cacheControl = [
  { slug: "session", act: firstLogin },
  {
    slug: "capability",
    act: async (target: Target) => postCapability(target, await sharedSession(target)),
  },
].map(({ slug, act }) =>
  check({
    id: `B-POW-04/${slug}`,
    claim: `A ${slug} response forbids storing with Cache-Control: no-store.`,
    needs: [],
    async act(target) {
      const exchange = await act(target);
      requireBearer(exchange, `the ${slug}`);
      return exchange;
    },
    assert(exchange) {
      const values = exchange.response.headers.filter(([name]) => name.toLowerCase() === "cache-control");
      return values.some(([, value]) => /\bno-store\b/iu.test(value))
        ? undefined
        : warning("Cache-Control has no no-store");
    },
  }),
);

export const errorChecks = [
  ...malformed,
  ...advice,
  adviceWhenExpired,
  adviceWhenReused,
  ...hints,
  ...cacheControl,
  everywhere,
  otherShape,
  keyKept,
];
