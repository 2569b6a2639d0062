import { randomUUID } from "node:crypto";
import { agentResource, requireTokens } from "../support/actors/oauth-client.ts";
import { codeIn, responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { bearer, getAgents, inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, Violation, warning } from "../support/verdict.ts";
import { audiencesOf } from "./token-audience.ts";
import { attemptChanged, mismatch, mismatchOfTheRfc, type Outcome } from "./requests.ts";

/** A request for a value near the resource of an owned inbox, which itself was accepted in this run. */
async function attemptAgent(
  target: Target,
  value: (prefix: string, uuid: string) => string,
): Promise<Outcome> {
  const uuid = await inboxOf(target);
  const sent = value(target.profile.names.agent_urn_prefix, uuid);
  return attemptChanged(target, {
    resource: agentResource(target, uuid),
    change: (parameters) => replacing(parameters, "resource", sent),
  });
}

const malformed: readonly { slug: string; words: string; sent: (prefix: string, uuid: string) => string }[] =
  [
    { slug: "no-id", words: "The agent URN without an id", sent: (prefix) => prefix },
    {
      slug: "not-a-uuid",
      words: "The agent URN with a word for the UUID",
      sent: (prefix) => `${prefix}not-a-uuid`,
    },
    {
      slug: "asterisk",
      words: "The agent URN with an asterisk for the UUID",
      sent: (prefix) => `${prefix}*`,
    },
    {
      slug: "braces",
      words: "The agent URN with its UUID in braces",
      sent: (prefix, uuid) => `${prefix}{${uuid}}`,
    },
    {
      slug: "one-character-more",
      words: "The agent URN with an x behind it",
      sent: (prefix, uuid) => `${prefix}${uuid}x`,
    },
    {
      slug: "path-below",
      words: "The agent URN with a path behind it",
      sent: (prefix, uuid) => `${prefix}${uuid}/x`,
    },
    {
      slug: "line-feed",
      words: "The agent URN with a line feed behind it",
      sent: (prefix, uuid) => `${prefix}${uuid}\n`,
    },
    {
      slug: "two-uuids",
      words: "The agent URN with a second UUID behind a comma",
      sent: (prefix, uuid) => `${prefix}${uuid},${randomUUID()}`,
    },
    { slug: "other-kind", words: "A URN of an inbox", sent: (_prefix, uuid) => `urn:service:inbox:${uuid}` },
    { slug: "no-urn", words: "The end of the agent URN alone", sent: (_prefix, uuid) => `agent:${uuid}` },
    { slug: "uuid-alone", words: "The UUID alone", sent: (_prefix, uuid) => uuid },
  ];

const refused = malformed.map(({ slug, words, sent }) =>
  check({
    id: `RES-24/${slug}`,
    claim: `${words} is refused as a resource, with invalid_request.`,
    needs: ["human"],
    act: async (target) => attemptAgent(target, sent),
    assert: ({ seen }) => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc),
  }),
);

const otherSpellings = [
  {
    slug: "upper-case-urn",
    words: "the agent URN with its first words in upper case",
    // RFC 8141 §3.1: the scheme and the namespace identifier of a URN compare without case.
    sent: (prefix: string, uuid: string) =>
      prefix.replace(/^urn:[^:]*/iu, (start) => start.toUpperCase()) + uuid,
  },
  {
    slug: "upper-case-uuid",
    words: "the agent URN with its UUID in upper case",
    sent: (prefix: string, uuid: string) => prefix + uuid.toUpperCase(),
  },
].map(({ slug, words, sent }) =>
  check({
    id: `RES-24/${slug}`,
    claim: `What a request for ${words} gets is recorded.`,
    needs: ["human"],
    act: async (target) => attemptAgent(target, sent),
    assert({ seen: { end }, exchange }) {
      if (exchange !== undefined && isSuccess(exchange))
        return observation(
          `accepted, with aud ${audiencesOf(requireTokens(exchange, "the exchange").access_token).join(", ")}`,
        );
      return observation(
        end.kind === "redirect"
          ? `refused with ${shown(responseParameter(end.location, "error"))}`
          : summary(end.exchange),
      );
    },
  }),
);

interface ForeignOutcome extends Outcome {
  readonly value: string;
  /** What a token that was issued all the same got. */
  readonly uses: readonly Exchange[];
}

const notOwned: readonly {
  slug: string;
  words: string;
  needs: readonly ("human" | "second-human")[];
  accountId: (target: Target) => Promise<string>;
}[] = [
  {
    slug: "other-person",
    words: "another person's inbox",
    needs: ["human", "second-human"],
    accountId: foreignInbox,
  },
  {
    slug: "nobody",
    words: "an inbox that does not exist",
    needs: ["human"],
    accountId: async () => randomUUID(),
  },
];

const unowned = notOwned.map(({ slug, words, needs, accountId }) =>
  check({
    id: `RES-25/${slug}`,
    claim: `A person's approval never makes a usable token for the resource of ${words}.`,
    needs,
    async act(target): Promise<ForeignOutcome> {
      const wanted = await accountId(target);
      const value = agentResource(target, wanted);
      const outcome = await attemptChanged(target, {
        resource: agentResource(target, await inboxOf(target)),
        change: (parameters) => replacing(parameters, "resource", value),
      });
      return { ...outcome, value, uses: await usesOf(target, outcome, wanted) };
    },
    assert: expectNoUse,
  }),
);

async function usesOf(target: Target, { exchange }: Outcome, accountId: string): Promise<Exchange[]> {
  if (exchange === undefined || !isSuccess(exchange)) return [];
  const { access_token: token } = requireTokens(
    exchange,
    "the exchange of a code for an inbox that is not owned",
  );
  return [
    await jmapAs(target, token, accountId, inboxQuery),
    await jmapAs(target, token, await inboxOf(target), inboxQuery),
    await getAgents(target, [bearer(token)]),
  ];
}

function expectNoUse({ seen: { end }, exchange, value, uses }: ForeignOutcome): Finding | undefined {
  if (codeIn(end) === undefined) {
    const isRefusal =
      end.kind === "redirect"
        ? responseParameter(end.location, "error") !== undefined
        : isRefusalStatus(end.exchange.response.status);
    const observed = end.kind === "redirect" ? "a redirect without error" : end.reason;
    expectThat(isRefusal, "a refusal at the authorization endpoint or at consent", observed);
    return undefined;
  }
  if (exchange === undefined || !isSuccess(exchange)) {
    expectThat(
      exchange !== undefined && isRefusalStatus(exchange.response.status),
      "the code to be refused",
      summary(exchange ?? end.exchange),
    );
    return warning("a code is issued, and refused at the token endpoint");
  }
  const audiences = audiencesOf(requireTokens(exchange, "the exchange").access_token);
  if (!audiences.every((audience) => audience === value))
    throw new Violation("no token for anything else than was asked for", `aud ${shown(audiences)}`);
  for (const use of uses) expectNotServed(use);
  return warning("a token is issued for an inbox that is not owned; it serves nowhere");
}

export const agentResourceChecks = [...refused, ...otherSpellings, ...unowned];
