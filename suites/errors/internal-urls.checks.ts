import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapAs,
  jsonContentType,
  requireServed,
} from "../support/actors/jmap.ts";
import { jmapResource, mcpResource, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability, sharedAgent, sharedSession } from "../support/material/agents.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, type HeaderLines, isSuccess, summary } from "../support/wire/exchange.ts";

/** One way to ask for an internal address. */
interface Attempt {
  readonly method?: string;
  readonly headers?: HeaderLines;
  readonly body?: string;
  readonly spelled?: (path: string) => string;
}

/**
 * Asks for every internal address.
 *
 * @throws {InconclusiveError} control-refused, when the target does not even answer at a public address
 */
async function askAll(target: Target, attempt: Attempt): Promise<Exchange[]> {
  const { method = "POST", headers = [], body, spelled = (path) => path } = attempt;
  const publicUrl = `${target.authUrl}/.well-known/oauth-authorization-server`;
  const control = await target.control.send({ method: "GET", url: publicUrl });
  if (!isSuccess(control)) throw controlRefused("the metadata", "200", control, "META-01");
  const urls = (target.profile.internal_urls ?? []).map((url) => {
    const { origin } = new URL(url);
    return `${origin}${spelled(url.slice(origin.length))}`;
  });
  return Promise.all(
    urls.map((url) => target.send({ method, url, headers, ...(body !== undefined && { body }) })),
  );
}

function expectNotFound(exchanges: readonly Exchange[]): void {
  for (const exchange of exchanges)
    if (exchange.response.status !== 404) throw new Violation("404", summary(exchange), { exchange });
}

/** An answer at an internal address, with that at a path beside it which does not exist. */
interface BesideUnknown {
  readonly exchange: Exchange;
  readonly unknown: Exchange;
}

async function askBesideUnknown(target: Target, attempt: Attempt): Promise<BesideUnknown[]> {
  const { method = "POST", headers = [], spelled = (path) => path } = attempt;
  const exchanges = await askAll(target, attempt);
  return Promise.all(
    exchanges.map(async (exchange) => {
      const url = `${new URL(exchange.request.url).origin}${spelled(`/${unguessable()}`)}`;
      return { exchange, unknown: await target.control.send({ method, url, headers }) };
    }),
  );
}

/** A service may answer all that it does not know alike, with 401 or 403. */
function isAnsweredAsUnknown({ exchange, unknown }: BesideUnknown): boolean {
  return !isSuccess(unknown) && exchange.response.status === unknown.response.status;
}

/** Another spelling may be refused as such, or be corrected by a redirect, before anybody looks for what is there. */
function expectNothingThere(asked: readonly BesideUnknown[]): void {
  for (const pair of asked) {
    const { exchange } = pair;
    const { status } = exchange.response;
    const isRedirect = status >= 300 && status < 400;
    const isRefused = [400, 404, 421].includes(status) || isStoppedByGateway(exchange);
    const isAsUnknown = status < 500 && isAnsweredAsUnknown(pair);
    if (!isRedirect && !isRefused && !isAsUnknown)
      throw new Violation("404, 400, 421, a redirect, or what an unknown path gets", summary(exchange), {
        exchange,
      });
  }
}

// Gateways answer methods that nobody uses, such as PUT, by themselves wherever they are sent.
const withoutCredentials = ["GET", "POST"].map((method) =>
  check({
    id: `INT-01/${method.toLowerCase()}`,
    claim: `A ${method} request for an internal mint endpoint, without credentials, is answered 404.`,
    unlockedBy: "internal_urls",
    act: (target) => askAll(target, { method }),
    assert: expectNotFound,
  }),
);

const unusualMethod = check({
  id: "INT-01/put",
  claim:
    "A PUT request for an internal mint endpoint is answered 404, or as one for a path that does not exist.",
  unlockedBy: "internal_urls",
  act: (target) => askBesideUnknown(target, { method: "PUT" }),
  assert: (pairs) =>
    explained("INT-01/post", () => {
      for (const pair of pairs) {
        // What takes anything anywhere, such as a page of an application, tells nothing.
        if (isSuccess(pair.unknown)) throw new NotApplicableError("a path that does not exist takes a PUT");
        if (!isAnsweredAsUnknown(pair)) expectNotFound([pair.exchange]);
      }
    }),
});

// As a service that mints there would send it, so that nothing is amiss but who asks.
const withBody = check({
  id: "INT-01/post-json",
  claim:
    "A POST request of a JSON object for an internal mint endpoint, without credentials, is answered 404.",
  unlockedBy: "internal_urls",
  act: (target) => askAll(target, { headers: [jsonContentType], body: '{"accountId":"mailproof"}' }),
  assert: (exchanges) => explained("INT-01/post", () => expectNotFound(exchanges)),
});

const bearers = [
  {
    slug: "access-token",
    words: "an access token for JMAP",
    needs: ["human"] as const,
    token: (target: Target) => sharedAccessToken(target, { resource: jmapResource(target) }),
  },
  {
    slug: "mcp-access-token",
    words: "an access token for MCP",
    needs: ["human"] as const,
    token: (target: Target) => sharedAccessToken(target, { resource: mcpResource(target) }),
  },
  { slug: "session", words: "a session JWT", needs: [], token: (target: Target) => sharedSession(target) },
  {
    slug: "capability",
    words: "a capability JWT",
    needs: [],
    token: (target: Target) => freshCapability(target.setup),
  },
  {
    slug: "api-key",
    words: "an apiKey",
    needs: [],
    token: async (target: Target) => (await sharedAgent(target)).apiKey,
  },
];

const credentials = bearers.map(({ slug, words, needs, token }) =>
  check({
    id: `INT-02/${slug}`,
    claim: `A request for an internal mint endpoint with ${words} as bearer is answered 404.`,
    needs,
    unlockedBy: "internal_urls",
    act: async (target) => askAll(target, { headers: [bearer(await token(target))] }),
    assert: expectNotFound,
  }),
);

const credentialsInGet = bearers.map(({ slug, words, needs, token }) =>
  check({
    id: `INT-02/get-${slug}`,
    claim: `A GET request for an internal mint endpoint with ${words} as bearer is answered 404.`,
    needs,
    unlockedBy: "internal_urls",
    act: async (target) => askAll(target, { method: "GET", headers: [bearer(await token(target))] }),
    assert: (exchanges) => explained(`INT-02/${slug}`, () => expectNotFound(exchanges)),
  }),
);

/** An endpoint may answer 404 only for want of an inbox that it knows: here everything is as it should be but the caller. */
const withOwnInbox: readonly {
  slug: string;
  words: string;
  naming: (target: Target, accountId: string) => Attempt;
}[] = [
  {
    slug: "inbox-in-body",
    words: "the JSON body",
    naming: (_target, accountId) => ({
      headers: [jsonContentType],
      body: JSON.stringify({
        accountId,
        account_id: accountId,
        agentId: accountId,
        sub: accountId,
        scope: "mail.read mail.send",
      }),
    }),
  },
  {
    slug: "inbox-in-query",
    words: "the query",
    naming: (_target, accountId) => ({
      spelled: (path) =>
        `${path}${path.includes("?") ? "&" : "?"}accountId=${accountId}&account_id=${accountId}`,
    }),
  },
  {
    slug: "inbox-in-header",
    words: "the account header",
    naming: (target, accountId) => ({ headers: [accountHeader(target, accountId)] }),
  },
];

const ownInboxes = withOwnInbox.map(({ slug, words, naming }) =>
  check({
    id: `INT-02/${slug}`,
    claim: `A request for an internal mint endpoint with an access token as bearer and an \`accountId\` of its owner in ${words} is answered 404.`,
    needs: ["human"],
    unlockedBy: "internal_urls",
    async act(target) {
      const [token, accountId] = [await sharedAccessToken(target), await inboxOf(target)];
      const served = await jmapAs(target.control, token, accountId, inboxQuery);
      requireServed(served, "a JMAP request with the token and the accountId");
      const attempt = naming(target, accountId);
      return askAll(target, { ...attempt, headers: [bearer(token), ...(attempt.headers ?? [])] });
    },
    assert: (exchanges) => explained("INT-02/access-token", () => expectNotFound(exchanges)),
  }),
);

const spoofedHeaders = [
  { slug: "x-forwarded-for", header: ["X-Forwarded-For", "127.0.0.1"] },
  { slug: "x-real-ip", header: ["X-Real-IP", "10.0.0.1"] },
  { slug: "forwarded", header: ["Forwarded", "for=127.0.0.1"] },
  { slug: "x-internal", header: ["X-Internal", "1"] },
].map(({ slug, header: [name = "", value = ""] }) =>
  check({
    id: `INT-03/${slug}`,
    claim: `A request for an internal mint endpoint with \`${name}: ${value}\` is answered 404.`,
    unlockedBy: "internal_urls",
    act: (target) => askAll(target, { headers: [[name, value]] }),
    assert: expectNotFound,
  }),
);

const spellings = [
  { slug: "two-slashes", words: "with two slashes in front", spelled: (path: string) => `/${path}` },
  {
    slug: "percent-encoded",
    words: "with its first letter percent-encoded",
    spelled: (path: string) => path.replace(/[a-z]/iu, percentEncoded),
  },
  {
    slug: "dot-segments",
    words: "reached by `/api/v1/..`",
    spelled: (path: string) => `/api/v1/../..${path}`,
  },
].map(({ slug, words, spelled }) =>
  check({
    id: `INT-03/${slug}`,
    claim: `The path of an internal mint endpoint ${words} is answered 404, 400, 421, by a redirect, or as one that does not exist.`,
    unlockedBy: "internal_urls",
    act: (target) => askBesideUnknown(target, { spelled }),
    assert: expectNothingThere,
  }),
);

const nearSpellings = [
  {
    slug: "trailing-slash",
    words: "with a trailing slash",
    spelled: (path: string) => path.replace(/\/?(?=\?|$)/u, "/"),
  },
  { slug: "upper-case", words: "in upper case", spelled: (path: string) => path.toUpperCase() },
].map(({ slug, words, spelled }) =>
  check({
    id: `INT-03/${slug}`,
    claim: `The path of an internal mint endpoint ${words} is answered 404, 400, 421, by a redirect, or as one that does not exist.`,
    unlockedBy: "internal_urls",
    act: (target) => askBesideUnknown(target, { spelled }),
    assert: (asked) => explained("INT-01/post", () => expectNothingThere(asked)),
  }),
);

function percentEncoded(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

/** Nothing of the inside is to be reached. Document, "Authentication", OAuth 2.0 path 8, and "Errors", other rules. */
export const internalUrlChecks = [
  ...withoutCredentials,
  unusualMethod,
  withBody,
  ...credentials,
  ...credentialsInGet,
  ...ownInboxes,
  ...spoofedHeaders,
  ...spellings,
  ...nearSpellings,
];
