import { endInWords } from "../support/judging/expected-code.ts";
import { jmapResource, mcpResource, requireTokens } from "../support/actors/oauth-client.ts";
import { codeIn } from "../support/actors/authorization.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { audiencesOf } from "../support/judging/token-audience.ts";
import { attemptChanged, expectResourceRefused, isRefusedAsResource, type Outcome } from "./requests.ts";

/** `resource` sent once for each value, in this order. */
function asking(parameters: Parameters, values: readonly string[]): Parameters {
  return adding(without(parameters, "resource"), ...values.map((value) => ["resource", value] as const));
}

const foreign = "https://evil.test/";

const oneGoodOneBad = [
  {
    slug: "bad-last",
    words: "an accepted `resource` and then a foreign one",
    values: (jmap: string) => [jmap, foreign],
  },
  {
    slug: "bad-first",
    words: "a foreign `resource` and then an accepted one",
    values: (jmap: string) => [foreign, jmap],
  },
].map(({ slug, words, values }) =>
  check({
    id: `RES-19/${slug}`,
    claim: `An authorization request with ${words} ${isRefusedAsResource}.`,
    async act(target) {
      const jmap = jmapResource(target);
      const { seen } = await attemptChanged(target, {
        resource: jmap,
        change: (parameters) => asking(parameters, values(jmap)),
      });
      return seen;
    },
    assert: expectResourceRefused,
  }),
);

interface TwoResources extends Outcome {
  readonly requested: readonly string[];
  readonly jmap: string;
  /** What the token, where there is one, got at JMAP. */
  readonly use?: Exchange;
}

const twoAccepted = [
  {
    slug: "jmap-and-mcp",
    words: "the JMAP and then the MCP resource",
    order: (jmap: string, mcp: string) => [jmap, mcp],
  },
  {
    slug: "mcp-and-jmap",
    words: "the MCP and then the JMAP resource",
    order: (jmap: string, mcp: string) => [mcp, jmap],
  },
].map(({ slug, words, order }) =>
  check({
    id: `RES-20/${slug}`,
    claim: `A request for ${words} is refused, or its token works for requested resources only.`,
    needs: ["human"],
    async act(target): Promise<TwoResources> {
      const jmap = jmapResource(target);
      const requested = order(jmap, mcpResource(target));
      const outcome = await attemptChanged(target, {
        resource: jmap,
        change: (parameters) => asking(parameters, requested),
      });
      return { ...outcome, requested, jmap, ...(await useAtJmap(target, outcome)) };
    },
    assert(outcome): Warning | undefined {
      const { seen, exchange, requested, jmap, use } = outcome;
      if (codeIn(seen.end) === undefined) return expectResourceRefused(seen);
      if (exchange === undefined || use === undefined)
        return warning("a code is issued for two resources, and not exchanged");
      const audiences = audiencesOf(exchange);
      const isRequested = audiences.every((audience) => requested.includes(audience));
      expectThat(isRequested, `aud among ${requested.join(" and ")}`, shown(audiences), exchange);
      if (!audiences.includes(jmap))
        expectThat(!isSuccess(use), "JMAP to refuse a token for another resource", summary(use), use);
      return warning(`two resources are accepted, and the token is for ${audiences.join(" and ")}`);
    },
  }),
);

async function useAtJmap(target: Target, { exchange }: Outcome): Promise<{ use?: Exchange }> {
  if (exchange === undefined || !isSuccess(exchange)) return {};
  const { access_token: token } = requireTokens(exchange, "the exchange of a code for two resources");
  return { use: await jmapAs(target, token, await inboxOf(target), inboxQuery) };
}

const sameTwice = observe({
  id: "RES-21",
  question: "What does an authorization request with the same accepted `resource` twice yield?",
  needs: ["human"],
  async act(target) {
    const jmap = jmapResource(target);
    const { seen } = await attemptChanged(target, {
      resource: jmap,
      change: (parameters) => asking(parameters, [jmap, jmap]),
    });
    return seen;
  },
  answer: (seen) => (codeIn(seen.end) === undefined ? endInWords(seen) : "a code"),
});

const lists: readonly {
  slug: string;
  words: string;
  apply: (parameters: Parameters, jmap: string, mcp: string) => Parameters;
}[] = [
  {
    slug: "spaces",
    words: "a `resource` that lists two accepted ones with a space between",
    apply: (parameters, jmap, mcp) => replacing(parameters, "resource", `${jmap} ${mcp}`),
  },
  {
    slug: "comma",
    words: "a `resource` that lists two accepted ones with a comma between",
    apply: (parameters, jmap, mcp) => replacing(parameters, "resource", `${jmap},${mcp}`),
  },
  {
    slug: "json",
    words: "a `resource` that is a JSON array of an accepted one",
    apply: (parameters, jmap) => replacing(parameters, "resource", JSON.stringify([jmap])),
  },
  {
    slug: "brackets",
    words: "`resource[]` instead of `resource`",
    apply: (parameters, jmap) => adding(without(parameters, "resource"), ["resource[]", jmap]),
  },
  {
    slug: "index",
    words: "`resource[0]` instead of `resource`",
    apply: (parameters, jmap) => adding(without(parameters, "resource"), ["resource[0]", jmap]),
  },
];

const listed = lists.map(({ slug, words, apply }) =>
  check({
    id: `RES-22/${slug}`,
    claim: `An authorization request with ${words} ${isRefusedAsResource}.`,
    async act(target) {
      const jmap = jmapResource(target);
      const change = (parameters: Parameters): Parameters => apply(parameters, jmap, mcpResource(target));
      return (await attemptChanged(target, { resource: jmap, change })).seen;
    },
    assert: expectResourceRefused,
  }),
);

export const repeatedValueChecks = [...oneGoodOneBad, ...twoAccepted, sameTwice, ...listed];
