import { humanSession } from "../support/actors/human.ts";
import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import type { HeaderLines } from "../support/wire/exchange.ts";
import { acceptedToken, expectUnauthorized, present, protectedEndpoints } from "./endpoints.ts";

/** What the first person's browser, which has signed in, sends to an address; a service may give it nothing to send there. */
async function browserCookies(target: Target, url: string): Promise<HeaderLines> {
  await sharedAccessToken(target);
  const { cookiesFor } = await humanSession(target, "first");
  const cookies = await cookiesFor(url);
  return cookies === undefined ? [] : [["Cookie", cookies]];
}

const alone = protectedEndpoints.map((endpoint) =>
  check({
    id: `BEARER-12/${endpoint.slug}-sign-in-cookies`,
    claim: `A request without a token, with the cookies of a browser that is signed in, is refused with 401 by ${endpoint.words}.`,
    needs: ["human", "pages"],
    async act(target) {
      await acceptedToken(target, endpoint);
      return present(target, endpoint, await browserCookies(target, endpoint.address(target)));
    },
    assert: (exchange) =>
      explained(`BEARER-02/${endpoint.slug}-no-header`, () => expectUnauthorized(exchange)),
  }),
);

const besideToken = check({
  id: "AGENTS-11/sign-in-cookies",
  claim:
    "The inbox list of one person's token shows no inbox of the person whose browser's cookies are sent along.",
  needs: ["human", "second-human", "pages"],
  async act(target) {
    const token = await sharedAccessToken(target, { human: "second" });
    const cookies = await browserCookies(target, `${target.authUrl}/api/v1/agents`);
    const own = new Set((await listedInboxes(target, "second")).map(({ accountId }) => accountId));
    const others = (await inboxesOf(target)).map(({ accountId }) => accountId);
    const exchange = await getAgents(target, [bearer(token), ...cookies]);
    return { exchange, foreign: others.filter((accountId) => !own.has(accountId)) };
  },
  assert({ exchange, foreign }) {
    const listed = inboxEntries(exchange).filter(({ accountId }) => foreign.includes(accountId));
    explained("AGENTS-11", () =>
      expectThat(listed.length === 0, "no inbox of the other person", shown(listed), exchange),
    );
  },
});

/** The bearer token alone says who asks. Document, "Endpoints", GET /api/v1/agents. */
export const signInCookieChecks = [...alone, besideToken];
