import { endInWords } from "../support/judging/expected-code.ts";
import { randomUUID } from "node:crypto";
import { agentResource, jmapResource, requireTokens } from "../support/actors/oauth-client.ts";
import { codeIn } from "../support/actors/authorization.ts";
import { claimsOf } from "../support/actors/agent.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { check, type Need, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectNotServed, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { freshCapability } from "../support/material/agents.ts";
import { freshGrant } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { whileUnlinked } from "../support/judging/lost-inbox.ts";
import { bearer, getAgents, inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { requireJmapToken } from "./jmap-control.ts";
import { audienceInWords, audiencesOf } from "../support/judging/token-audience.ts";
import {
  attemptChanged,
  expectRefused,
  expectResourceRefused,
  isRefusedAsResource,
  mismatch,
  mismatchOfTheRfc,
  type Outcome,
  request,
} from "./requests.ts";

/** A spelling near the resource of an owned inbox. */
interface Spelling {
  readonly slug: string;
  readonly words: string;
  readonly sent: (prefix: string, uuid: string) => string;
}

/** A request for that spelling; the resource itself was accepted in this run. */
async function attemptSpelling(target: Target, { sent }: Spelling): Promise<Outcome> {
  const uuid = await inboxOf(target);
  const value = sent(target.profile.names.agent_urn_prefix, uuid);
  return attemptChanged(target, {
    resource: agentResource(target, uuid),
    change: (parameters) => replacing(parameters, "resource", value),
  });
}

/** Which code a mismatch carries; the other checks take both. */
const errorCode = check({
  id: "RES-26/agent",
  claim: "The error of an agent URN with a word for its UUID is `invalid_request`.",
  needs: ["human"],
  async act(target) {
    const sent = (prefix: string): string => `${prefix}not-a-uuid`;
    return (await attemptSpelling(target, { slug: "", words: "", sent })).seen;
  },
  assert: (seen) => explained("RES-26", () => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc)),
});

const malformed: readonly Spelling[] = [
  { slug: "no-id", words: "The agent URN without an id", sent: (prefix) => prefix },
  {
    slug: "not-a-uuid",
    words: "The agent URN with a word for its UUID",
    sent: (prefix) => `${prefix}not-a-uuid`,
  },
  { slug: "asterisk", words: "The agent URN with `*` for its UUID", sent: (prefix) => `${prefix}*` },
  {
    slug: "braces",
    words: "The agent URN with its UUID in braces",
    sent: (prefix, uuid) => `${prefix}{${uuid}}`,
  },
  {
    slug: "one-character-more",
    words: "The agent URN with a letter added",
    sent: (prefix, uuid) => `${prefix}${uuid}x`,
  },
  {
    slug: "path-below",
    words: "The agent URN with a path segment added",
    sent: (prefix, uuid) => `${prefix}${uuid}/x`,
  },
  {
    slug: "line-feed",
    words: "The agent URN with a trailing line feed",
    sent: (prefix, uuid) => `${prefix}${uuid}\n`,
  },
  {
    slug: "two-uuids",
    words: "The agent URN with a second UUID after a comma",
    sent: (prefix, uuid) => `${prefix}${uuid},${randomUUID()}`,
  },
  {
    slug: "other-kind",
    words: "A URN with `inbox` for `agent`",
    sent: (_prefix, uuid) => `urn:service:inbox:${uuid}`,
  },
  { slug: "no-urn", words: "The agent URN without `urn:service:`", sent: (_prefix, uuid) => `agent:${uuid}` },
  { slug: "uuid-alone", words: "The UUID of the agent URN alone", sent: (_prefix, uuid) => uuid },
];

const refused = malformed.map((spelling) =>
  check({
    id: `RES-24/${spelling.slug}`,
    claim: `${spelling.words} ${isRefusedAsResource}.`,
    needs: ["human"],
    act: async (target) => (await attemptSpelling(target, spelling)).seen,
    assert: expectResourceRefused,
  }),
);

const letterCase: readonly Spelling[] = [
  {
    slug: "upper-case-urn",
    words: "the agent URN with its scheme and namespace in upper case",
    // RFC 8141 §3.1: the scheme and the namespace identifier of a URN compare without case.
    sent: (prefix, uuid) => prefix.replace(/^urn:[^:]*/iu, (start) => start.toUpperCase()) + uuid,
  },
  {
    slug: "upper-case-uuid",
    words: "the agent URN with its UUID in upper case",
    sent: (prefix, uuid) => prefix + uuid.toUpperCase(),
  },
];

const otherCase = letterCase.map((spelling) =>
  observe({
    id: `RES-24/${spelling.slug}`,
    question: `Is ${spelling.words} accepted as a \`resource\`?`,
    needs: ["human"],
    act: (target) => attemptSpelling(target, spelling),
    answer({ seen, exchange }) {
      if (exchange === undefined) return `no: ${endInWords(seen)}`;
      return isSuccess(exchange)
        ? `yes, with ${audienceInWords(exchange)}`
        : `yes, but its code is refused: ${summary(exchange)}`;
    },
  }),
);

const audienceOfOtherCase = check({
  id: "RES-24/audience-of-upper-case-uuid",
  claim:
    "Where the agent URN with its UUID in upper case is accepted, the `aud` of the access token is the requested value, byte for byte.",
  needs: ["human"],
  async act(target) {
    const asked = (await inboxOf(target)).toUpperCase();
    const sent = (prefix: string): string => prefix + asked;
    return { asked, ...(await attemptSpelling(target, { slug: "", words: "", sent })) };
  },
  assert({ asked, exchange }): Warning | undefined {
    if (exchange === undefined || !isSuccess(exchange)) return undefined;
    const audiences = audiencesOf(exchange);
    if (audiences.length === 1 && audiences[0]?.endsWith(asked)) return undefined;
    const isOtherCase = audiences.every((audience) => audience.toUpperCase().endsWith(asked));
    // A UUID is read without case (RFC 9562 §4), and the document compares no audience with what is not canonical.
    if (isOtherCase) return warning(`${audienceInWords(exchange)} for a resource in upper case`);
    throw new Violation("aud of the requested inbox", audienceInWords(exchange), {
      exchange,
      explainedBy: "RES-03",
    });
  },
});

interface UnownedOutcome extends Outcome {
  readonly value: string;
  /** What a token got that was issued nevertheless. */
  readonly uses: readonly Exchange[];
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

/** The UUID of an agent's inbox, which its capability may carry; the id of its mail account otherwise. */
async function agentsInbox(target: Target): Promise<string> {
  // The first agent may be one of the profile's, whose inbox the person owns.
  const capability = await freshCapability(target.setup, "second");
  const { accountId } = await mailSession(target.setup, capability);
  const { sub } = claimsOf(capability) ?? {};
  return [accountId, sub].find((id): id is string => typeof id === "string" && uuid.test(id)) ?? accountId;
}

const notOwned: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  accountId: (target: Target) => Promise<string>;
}[] = [
  {
    slug: "other-person",
    words: "another person's inbox",
    needs: ["human", "second-human"],
    accountId: foreignInbox,
  },
  {
    slug: "agent",
    words: "an agent's inbox",
    needs: ["human"],
    accountId: agentsInbox,
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
    claim: `A person's approval yields no usable token for the resource of ${words}.`,
    needs,
    async act(target): Promise<UnownedOutcome> {
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

const grantedBefore = check({
  id: "RES-25/granted-before",
  claim:
    "When the owner of an inbox has approved it for a confidential client, another person's approval yields the client no usable token for it.",
  needs: ["human", "second-human"],
  async act(target): Promise<UnownedOutcome> {
    const wanted = await inboxOf(target);
    const value = agentResource(target, wanted);
    await freshGrant(target, { client: "confidential", resource: value });
    const outcome = await attemptChanged(target, {
      client: "confidential",
      human: "second",
      resource: jmapResource(target),
      change: (parameters) => replacing(parameters, "resource", value),
    });
    return { ...outcome, value, uses: await usesOf(target, outcome, wanted, "second") };
  },
  assert: (outcome) => explained("RES-25/other-person", () => expectNoUse(outcome)),
});

// Meanwhile nobody else may need the inbox.
const lost = check({
  id: "RES-25/lost-inbox",
  claim: "The approval of a person who has lost an inbox yields no usable token for its resource.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target): Promise<UnownedOutcome> {
    const accountId = await inboxOf(target.setup);
    const value = agentResource(target, accountId);
    const { access_token: token } = (await freshGrant(target)).tokens;
    await authorizingClient(target, "public", { resource: value });
    return whileUnlinked(target, { token, accountId }, async () => {
      // JMAP knows of it; the authorization server may learn of it later.
      await target.pause(target.profile.revocation_propagation_seconds * 1000);
      const outcome = await request(target, value);
      return { ...outcome, value, uses: await usesOfLost(target, outcome, accountId) };
    });
  },
  assert: (outcome) => expectNoUse(outcome),
});

async function usesOfLost(target: Target, { exchange }: Outcome, accountId: string): Promise<Exchange[]> {
  if (exchange === undefined || !isSuccess(exchange)) return [];
  const { access_token: token } = requireTokens(
    exchange,
    "the exchange of a code for an inbox that was lost",
  );
  return [await jmapAs(target, token, accountId, inboxQuery), await getAgents(target, [bearer(token)])];
}

async function usesOf(
  target: Target,
  { exchange }: Outcome,
  accountId: string,
  human: WhichHuman = "first",
): Promise<Exchange[]> {
  if (exchange === undefined || !isSuccess(exchange)) return [];
  const { access_token: token } = requireTokens(
    exchange,
    "the exchange of a code for an inbox that is not owned",
  );
  const own = await inboxOf(target, human);
  await requireJmapToken(target, own, inboxQuery, human);
  return [
    await jmapAs(target, token, accountId, inboxQuery),
    await jmapAs(target, token, own, inboxQuery),
    await getAgents(target, [bearer(token)]),
  ];
}

function expectNoUse({ seen, exchange, value, uses }: UnownedOutcome): Warning | undefined {
  const { end } = seen;
  if (codeIn(end) === undefined) {
    expectRefused(seen);
    return undefined;
  }
  if (exchange === undefined || !isSuccess(exchange)) {
    expectThat(
      exchange !== undefined && isRefusal(exchange),
      "the code to be refused",
      summary(exchange ?? end.exchange),
      exchange ?? end.exchange,
    );
    return warning("a code is issued, and refused at the token endpoint");
  }
  const audiences = audiencesOf(exchange);
  if (!audiences.every((audience) => audience === value))
    throw new Violation("no token for anything but what was asked for", `aud ${shown(audiences)}`, {
      exchange,
    });
  for (const use of uses) expectNotServed(use);
  return warning("a token is issued for an inbox that is not owned; it serves nowhere");
}

export const agentResourceChecks = [
  ...refused,
  errorCode,
  ...otherCase,
  audienceOfOtherCase,
  ...unowned,
  grantedBefore,
  lost,
];
