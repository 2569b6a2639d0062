import { accountHeader, methodResponses } from "../support/actors/jmap.ts";
import { mailSession } from "../support/actors/mail-session.ts";
import { mcpResource } from "../support/actors/oauth-client.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectNotServed, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { freshCapability } from "../support/material/agents.ts";
import { agentsApiUrl } from "../support/material/agents-api-url.ts";
import { foreignInbox } from "../support/material/inboxes.ts";
import { otherMethods, otherPaths } from "../support/material/other-paths.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { foreignDenied } from "./denied.ts";
import { selecting, servedSelection } from "./selection.ts";

/** What is refused at the address of the document. */
interface Refused {
  readonly requirement: string;
  /** Reads after "A request". */
  readonly words: string;
  readonly needs: readonly Need[];
  readonly credential: (target: Target) => Promise<{ token: string; accountId: string }>;
  /** The check that fails too where it is not refused at the address of the document either. */
  readonly judgedBy: string;
}

const refused: readonly Refused[] = [
  {
    requirement: "HDR-11",
    words: "for another person's inbox",
    needs: ["human", "second-human"],
    async credential(target) {
      const { token } = await servedSelection(target);
      return { token, accountId: await foreignInbox(target) };
    },
    judgedBy: "HDR-11/mailbox-query",
  },
  {
    requirement: "RES-29",
    words: "with a token for the MCP resource",
    needs: ["human"],
    async credential(target) {
      const { accountId } = await servedSelection(target);
      return { token: await sharedAccessToken(target, { resource: mcpResource(target) }), accountId };
    },
    judgedBy: "RES-29/mailbox-query",
  },
];

function expectNoneServed(exchanges: readonly Exchange[], judgedBy: string): void {
  for (const exchange of exchanges)
    explained(judgedBy, () =>
      expectThat(methodResponses(exchange) === undefined, "no method responses", summary(exchange), exchange),
    );
}

const elsewhere = refused.map(({ requirement, words, needs, credential, judgedBy }) =>
  check({
    id: `${requirement}/other-paths`,
    claim: `A request ${words} is served at no other spelling of the path \`/jmap\`.`,
    needs,
    async act(target) {
      const { token, accountId } = await credential(target);
      const exchanges: Exchange[] = [];
      for (const { path } of otherPaths)
        exchanges.push(
          await selecting(target, token, [accountHeader(target, accountId)], {
            url: `${target.apiUrl}${path}`,
          }),
        );
      return exchanges;
    },
    assert: (exchanges) => expectNoneServed(exchanges, judgedBy),
  }),
);

const otherwise = refused.map(({ requirement, words, needs, credential, judgedBy }) =>
  check({
    id: `${requirement}/other-methods`,
    claim: `A request ${words} is not served with the methods ${otherMethods.join(", ")}.`,
    needs,
    async act(target) {
      const { token, accountId } = await credential(target);
      const exchanges: Exchange[] = [];
      for (const method of otherMethods)
        exchanges.push(await selecting(target, token, [accountHeader(target, accountId)], { method }));
      return exchanges;
    },
    assert: (exchanges) => expectNoneServed(exchanges, judgedBy),
  }),
);

const atAgentsAddress = check({
  id: "HDR-11/api-url",
  claim:
    "Where agents have an `apiUrl` of their own, an access token with the account header of another person's inbox is not served there.",
  needs: ["human", "second-human"],
  async act(target) {
    const url = await agentsApiUrl(target);
    const { token, accountId } = await servedSelection(target);
    const ask = (asking: Target, value: string): Promise<Exchange> =>
      selecting(asking, token, [accountHeader(asking, value)], { url });
    const own = await ask(target.control, accountId);
    const foreign = await ask(target, await foreignInbox(target));
    if (![own, foreign].some((exchange) => methodResponses(exchange) !== undefined))
      throw new NotApplicableError("`apiUrl` serves no access token");
    return [foreign];
  },
  assert: (exchanges) => expectNoneServed(exchanges, foreignDenied),
});

// Fails too where a request without the header is served for an inbox that was selected before.
const servedFromMemory = "HDR-06";

const withoutHeader = otherPaths.map(({ slug, path }) =>
  check({
    id: `HDR-23/${slug}`,
    claim: `A request to \`${path}\` with a valid token and no account header is not served.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selecting(target, token, [], { url: `${target.apiUrl}${path}` });
    },
    // What is nowhere may be answered with a page of an application.
    assert: (exchange) =>
      explained(servedFromMemory, () =>
        expectThat(
          methodResponses(exchange) === undefined,
          "no method responses",
          summary(exchange),
          exchange,
        ),
      ),
  }),
);

const sessionUrl = check({
  id: "HDR-23/session-api-url",
  claim:
    "A request to `apiUrl` of the JMAP session document with an OAuth token and no account header is not served.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    const { apiUrl } = await mailSession(target.setup, await freshCapability(target));
    return selecting(target, token, [], { url: apiUrl });
  },
  assert: (exchange) => explained(servedFromMemory, () => expectNotServed(exchange)),
});

/** No spelling of the address and no method opens what `POST /jmap` does not. Document, "Authentication", OAuth 2.0 path 6 and 9. */
export const otherPathChecks = [...elsewhere, ...otherwise, atAgentsAddress, ...withoutHeader, sessionUrl];
