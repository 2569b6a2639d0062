import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { type Check, type Need, recommend } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability } from "../support/material/agents.ts";
import { eventAddress, filled } from "../support/material/blob-addresses.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { foreignInbox, inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, type HeaderLines, isSuccess, mediaType, summary } from "../support/wire/exchange.ts";

// What a target sends of its answer may wait for the first event, such as the ping that is asked for.
const mostMs = 3000;

function openEvents(target: Target, template: string, headers: HeaderLines): Promise<Exchange> {
  const url = filled(template, { types: "*", closeafter: "state", ping: "1" });
  return target.send({ method: "GET", url, headers, leavesEventsUnread: true, mayBeLost: true, mostMs });
}

function isOpened(exchange: Exchange): boolean {
  return isSuccess(exchange) && mediaType(exchange) === "text/event-stream";
}

async function opensEvents(target: Target, template: string, headers: HeaderLines): Promise<boolean> {
  try {
    return isOpened(await openEvents(target, template, headers));
  } catch (error) {
    // A target may begin its answer with the first change of the mail, and a gateway may keep it back until it ends.
    if (error instanceof InconclusiveError && error.code === "target-silent") return false;
    throw error;
  }
}

type Caller = "person" | "agent";

/**
 * The template of an event source that opens for a caller with all that JMAP asks for; found out once, since it may take its
 * time.
 *
 * @throws {NotApplicableError} when there is none: the document promises no event source
 */
async function eventSourceFor(target: Target, caller: Caller): Promise<string> {
  const template = await target.control.once(`event-source:${caller}`, async (recording) => {
    const capability = await freshCapability(recording.setup, "second");
    const address = await eventAddress(recording.setup, capability);
    if (address === undefined) return undefined;
    const headers = caller === "agent" ? [bearer(capability)] : await ownHeaders(recording);
    return (await opensEvents(recording, address, headers)) ? address : undefined;
  });
  if (template !== undefined) return template;
  throw new NotApplicableError("the target opens no event stream with a valid credential");
}

async function ownHeaders(target: Target): Promise<HeaderLines> {
  return [bearer(await sharedAccessToken(target)), accountHeader(target, await inboxOf(target))];
}

const flaws: readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  lines: (target: Target) => Promise<HeaderLines>;
  /** The check of the same request to JMAP. */
  judgedBy: string;
}[] = [
  {
    slug: "foreign-inbox",
    words: "an access token and the account header of another person's inbox",
    needs: ["human", "second-human"],
    lines: async (target) => [
      bearer(await sharedAccessToken(target)),
      accountHeader(target, await foreignInbox(target)),
    ],
    judgedBy: "HDR-11/mailbox-query",
  },
  {
    slug: "no-header",
    words: "an access token and no account header",
    needs: ["human"],
    lines: async (target) => [bearer(await sharedAccessToken(target))],
    judgedBy: "HDR-02",
  },
  {
    slug: "mcp-token",
    words: "a token for the MCP resource",
    needs: ["human"],
    lines: async (target) => [
      bearer(await sharedAccessToken(target, { resource: mcpResource(target) })),
      accountHeader(target, await inboxOf(target)),
    ],
    judgedBy: "RES-29/mailbox-query",
  },
];

const withAccessToken = flaws.map(({ slug, words, needs, lines, judgedBy }) =>
  recommend({
    id: `B-JMAP-34/event-source-${slug}`,
    claim: `No event stream is opened at \`eventSourceUrl\` with ${words}.`,
    needs,
    async act(target) {
      const template = await eventSourceFor(target, "person");
      return openEvents(target, template, await lines(target));
    },
    assert: (exchange) =>
      explained(judgedBy, () => expectThat(!isOpened(exchange), "a refusal", summary(exchange), exchange)),
  }),
);

const withoutCredential = recommend({
  id: "B-JMAP-34/event-source-no-credential",
  claim: "No event stream is opened at `eventSourceUrl` without a credential.",
  async act(target) {
    const template = await eventSourceFor(target, "agent");
    return openEvents(target, template, []);
  },
  assert: (exchange) =>
    explained("BEARER-02/jmap-no-header", () =>
      expectThat(!isOpened(exchange), "a refusal", summary(exchange), exchange),
    ),
});

/** Events come for the credential and the inbox that JMAP would take (RFC 8620 §7.3); the document shows none. */
export const eventSourceChecks: readonly Check[] = [...withAccessToken, withoutCredential];
