import { check } from "../support/judging/check.ts";
import { inboxesOf } from "../support/material/inboxes.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import {
  type Exchange,
  type HeaderLines,
  isJsonObject,
  jsonMembers,
  mediaType,
  summary,
} from "../support/wire/exchange.ts";
import { expectNotServed, expectThat } from "../support/judging/expect.ts";
import { originOf } from "../support/wire/url.ts";
import { freshCapability } from "../support/material/agents.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jsonContentType,
  methodResponses,
} from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, observation, warning } from "../support/verdict.ts";
import { expectHeaderRefused, markOf, seen, selecting, servedSelection } from "./selection.ts";

const missing = check({
  id: "HDR-02",
  claim: "A request without the account header is answered 400.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return selecting(target, token, []);
  },
  assert: expectHeaderRefused,
});

const empty = [
  { slug: "empty", words: "empty", value: "" },
  { slug: "spaces", words: "only spaces", value: "   " },
].map(({ slug, words, value }) =>
  check({
    id: `HDR-03/${slug}`,
    claim: `A request whose account header is ${words} is answered 400.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selecting(target, token, [accountHeader(target, value)]);
    },
    assert: expectHeaderRefused,
  }),
);

/** @throws {BlockedError} when every human of the profile owns several inboxes */
async function ownerOfOne(target: Target): Promise<{ human: "first" | "second"; accountId: string }> {
  const humans = target.profile.humans.length > 1 ? (["second", "first"] as const) : (["first"] as const);
  for (const human of humans) {
    const [{ accountId }, ...others] = await inboxesOf(target, human);
    if (others.length === 0) return { human, accountId };
  }
  throw new BlockedError(
    "needs a human who owns one inbox; let the second human of the profile own a single one",
  );
}

const onlyOne = check({
  id: "HDR-05",
  claim: "A request without the account header is answered 400 also when the person owns a single inbox.",
  needs: ["human"],
  async act(target) {
    const { human, accountId } = await ownerOfOne(target);
    await markOf(target, accountId, { human });
    return selecting(target, await sharedAccessToken(target, { human }), []);
  },
  assert: expectHeaderRefused,
});

const notSticky = check({
  id: "HDR-06",
  claim:
    "After a request with the header was served, one without it is answered 400, on the same connection and on another.",
  needs: ["human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    const send = (via: Pick<Target, "send">, lines: HeaderLines): Promise<Exchange> =>
      via.send({
        method: "POST",
        url: `${target.apiUrl}/jmap`,
        headers: [bearer(token), ...lines, jsonContentType],
        body: inboxQuery,
      });
    const [one, two] = [target.connect(originOf(target.apiUrl)), target.connect(originOf(target.apiUrl))];
    try {
      const selected = await send(one, [accountHeader(target, accountId)]);
      return { selected, without: [await send(one, []), await send(two, [])] };
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  },
  assert({ selected, without }) {
    expectThat(
      methodResponses(selected) !== undefined,
      "the request with the header to be served",
      summary(selected),
    );
    for (const exchange of without) expectHeaderRefused(exchange);
  },
});

const substitutes: readonly {
  slug: string;
  words: string;
  put: (target: Target, accountId: string) => { lines?: HeaderLines; url?: string; body?: string };
}[] = [
  {
    slug: "query-account-id",
    words: "in the query as accountId",
    put: (target, accountId) => ({ url: `${target.apiUrl}/jmap?accountId=${accountId}` }),
  },
  {
    slug: "query-header-name",
    words: "in the query under the name of the header",
    put: (target, accountId) => ({
      url: `${target.apiUrl}/jmap?${target.profile.names.account_header}=${accountId}`,
    }),
  },
  {
    slug: "body-member",
    words: "in a member of the body",
    put: (_target, accountId) => ({ body: inboxQuery.replace("{", `{"accountId":"${accountId}",`) }),
  },
  {
    slug: "cookie",
    words: "in a cookie under the name of the header",
    put: (target, accountId) => ({
      lines: [["Cookie", `${target.profile.names.account_header}=${accountId}`]],
    }),
  },
  {
    slug: "other-header",
    words: "in a header of another name",
    put: (target, accountId) => {
      const isTaken = target.profile.names.account_header.toLowerCase() === "x-account-id";
      return { lines: [[isTaken ? "X-Inbox-Id" : "X-Account-Id", accountId]] };
    },
  },
  {
    slug: "underscores",
    words: "in a header whose name has underscores instead of hyphens",
    put: (target, accountId) => ({
      lines: [[target.profile.names.account_header.replaceAll("-", "_"), accountId]],
    }),
  },
];

const substituted = substitutes.map(({ slug, words, put }) =>
  check({
    id: `HDR-22/${slug}`,
    claim: `An owned accountId ${words}, without the account header, is answered 400.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      const { lines = [], ...changed } = put(target, accountId);
      return selecting(target, token, lines, changed);
    },
    assert: expectHeaderRefused,
  }),
);

const paths = [
  { slug: "trailing-slash", path: "/jmap/" },
  { slug: "query", path: "/jmap?x=1" },
  { slug: "double-slash", path: "//jmap" },
  { slug: "upper-case", path: "/JMAP" },
  { slug: "percent-encoded", path: "/%6Amap" },
  { slug: "path-parameter", path: "/jmap;x" },
  { slug: "dot-segment", path: "/./jmap" },
].map(({ slug, path }) =>
  check({
    id: `HDR-23/${slug}`,
    claim: `A request to ${path} with a valid token and no account header is not served.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selecting(target, token, [], { url: `${target.apiUrl}${path}` });
    },
    assert: expectNotServed,
  }),
);

const sessionUrl = check({
  id: "HDR-23/session-api-url",
  claim:
    "A request to apiUrl of the JMAP session document with an OAuth token and no account header is not served.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const { apiUrl } = await mailSession(target, await freshCapability(target));
    return selecting(target, token, [], { url: apiUrl });
  },
  assert: expectNotServed,
});

const refusalBody = check({
  id: "HDR-27",
  claim: "What the body of the 400 for a missing account header looks like.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return selecting(target, token, []);
  },
  assert(exchange) {
    const { error } = jsonMembers(exchange);
    if (isJsonObject(error))
      return observation(`agent error shape: error with ${Object.keys(error).join(", ")}`);
    if (typeof error === "string") return observation(`OAuth error shape: ${error}`);
    if (mediaType(exchange).endsWith("json")) return observation(`JSON of its own: ${seen(exchange)}`);
    return warning(`no JSON: ${summary(exchange)}`);
  },
});

export const missingHeaderChecks = [
  missing,
  ...empty,
  onlyOne,
  notSticky,
  ...substituted,
  ...paths,
  sessionUrl,
  refusalBody,
];
