import { bearer, getAgents, inboxQuery, jmapAs } from "../support/actors/jmap.ts";
import { requireTokens } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectOAuthError, expectStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { clientBeside } from "../support/material/clients.ts";
import { freshGrant, requireCodeKept } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { whileUnlinked } from "../support/judging/lost-inbox.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { expectRefusedWith } from "./selection.ts";

const laterSeconds = 300;

const staysRefused = check({
  id: "HDR-14/five-minutes-later",
  claim:
    "Five minutes after a person has lost an inbox, a request for it is refused with 403 `access_denied`.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  waitSeconds: laterSeconds,
  last: true,
  async act(target) {
    const accountId = await inboxOf(target.setup);
    const { access_token: token } = (await freshGrant(target)).tokens;
    return whileUnlinked(target, { token, accountId }, async () => {
      await target.wait(laterSeconds);
      const list = await getAgents(target.control, [bearer(token)]);
      if (!isSuccess(list))
        throw controlRefused("the access token at the inbox list", "200", list, "TOKEN-19");
      return jmapAs(target, token, accountId, inboxQuery);
    });
  },
  assert: (exchange) =>
    explained("HDR-14/refused", () => {
      expectRefusedWith(exchange, [403]);
      expectOAuthError(exchange, ["access_denied"]);
    }),
});

// Of the states of a grant none depends on an inbox; one for that inbox alone may end with it.
const refreshes = check({
  id: "REFRESH-01/lost-inbox",
  claim:
    "When a person has lost an inbox, a grant of theirs for JMAP is still refreshed; one that is ended passes with a warning.",
  needs: ["human"],
  unlockedBy: "link_inbox_hooks",
  last: true,
  async act(target) {
    const accountId = await inboxOf(target.setup);
    const { access_token: token } = (await freshGrant(target)).tokens;
    const grant = await freshGrant(target, { client: clientBeside(target) });
    const before = await presentRefreshToken(target.control, grant, grant.tokens);
    const tokens = requireTokens(before, "a refresh before the inbox is lost", "REFRESH-01");
    const refresh = await whileUnlinked(target, { token, accountId }, () =>
      presentRefreshToken(target, grant, tokens),
    );
    await requireCodeKept(target, refresh);
    return refresh;
  },
  assert(refresh): Warning | undefined {
    // Whoever takes an inbox away may mean the grants that it was chosen for, too.
    if (refresh.response.status === 400 && jsonMembers(refresh)["error"] === "invalid_grant")
      return warning("the grant ended with the inbox");
    expectStatus(refresh, 200);
    return undefined;
  },
});

/** What the loss of an inbox does later, and to the grants of its person. Document, "States", and OAuth 2.0 path 9. */
export const afterLossChecks = [staysRefused, refreshes];
