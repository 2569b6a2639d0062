import {
  jmapResource,
  postRevoke,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectOAuthError, expectStatus, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters } from "../support/wire/parameters.ts";
import { idleGrantErrors, renewedGrant } from "./idle-grants.ts";
import { rotatedGrant } from "./rotated-grants.ts";

const hours = 3600;
const days = 24 * hours;
const accessTokenSeconds = 900;
const lifetimeSeconds = 90 * days;
// What clocks may differ by; the rows leave the size of it open.
const leewaySeconds = hours;

const pastAccessToken = check({
  id: "REFRESH-16",
  claim: "A refresh a minute after the access token has expired is answered 200.",
  needs: ["human"],
  waitSeconds: accessTokenSeconds + 60,
  async act(target) {
    const grant = await freshGrant(target);
    await target.wait(accessTokenSeconds + 60);
    return presentRefreshToken(target, grant, grant.tokens);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

const unused = check({
  id: "REFRESH-17/unused-89-days",
  claim: "A refresh token that was not used for 89 days and 23 hours still works.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds - hours,
  async act(target) {
    const { grant, newest } = await rotatedGrant(target, 1);
    await target.wait(lifetimeSeconds - hours);
    return presentRefreshToken(target, grant, newest);
  },
  assert(exchange) {
    if (exchange.response.status !== 200)
      throw new Violation("status 200", summary(exchange), { exchange, explainedBy: "REFRESH-16" });
  },
});

const unusedAfterNarrowing = check({
  id: "REFRESH-17/unused-89-days-narrowed",
  claim:
    "The refresh token of a refresh with `scope` `mail.read` still works when it was not used for 89 days and 23 hours; a target may refuse such a refresh.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds - hours,
  async act(target) {
    const { client, tokens } = await refreshableGrant(target);
    const fields = adding(refreshExchange(client, tokens.refresh_token), ["scope", "mail.read"]);
    const refresh = await postToken(target.setup, fields);
    // The document shows no `scope` in a refresh.
    if (isRefusal(refresh)) throw new NotApplicableError("the target refuses a refresh that names a scope");
    const narrowed = requireTokens(refresh, "a refresh that asks for `mail.read`", "B-TOK-16/narrowed");
    await target.wait(lifetimeSeconds - hours);
    return presentRefreshToken(target, { client }, narrowed);
  },
  assert(exchange) {
    explained("REFRESH-17/unused-89-days", () => expectStatus(exchange, 200));
  },
});

const sliding = check({
  id: "REFRESH-17/sliding",
  claim: "A refresh token works 89 days after its rotation, though the grant is 178 days old.",
  needs: ["human"],
  waitSeconds: 2 * 89 * days,
  async act(target) {
    const grant = await freshGrant(target);
    await target.wait(89 * days);
    const rotation = await presentRefreshToken(target.control, grant, grant.tokens);
    const tokens = requireTokens(rotation, "a refresh after 89 days", "REFRESH-17/unused-89-days");
    await target.wait(89 * days);
    return presentRefreshToken(target, grant, tokens);
  },
  assert: (exchange) => expectStatus(exchange, 200),
});

/** A refresh that names what it had anyway prolongs the grant like any other; a target may refuse such a refresh. */
const slidingNaming = [
  {
    slug: "resource",
    named: (target: Target): Parameters[number] => ["resource", jmapResource(target)],
  },
  { slug: "scope", named: (): Parameters[number] => ["scope", "mail.read mail.send"] },
].map(({ slug, named }) =>
  check({
    id: `REFRESH-17/sliding-naming-${slug}`,
    claim: `A refresh token works 89 days after a rotation that named the grant's \`${slug}\`, though the grant is 178 days old.`,
    needs: ["human"],
    waitSeconds: 2 * 89 * days,
    async act(target) {
      const grant = await refreshableGrant(target, { resource: jmapResource(target) });
      await target.wait(89 * days);
      const fields = adding(refreshExchange(grant.client, grant.tokens.refresh_token), named(target));
      const rotation = await postToken(target.control, fields);
      if (isRefusal(rotation))
        throw new NotApplicableError(`the target refuses a refresh that names a ${slug}`);
      const tokens = requireTokens(rotation, "a refresh after 89 days", "REFRESH-17/unused-89-days");
      await target.wait(89 * days);
      return presentRefreshToken(target, grant, tokens);
    },
    assert: (exchange) => explained("REFRESH-17/sliding", () => expectStatus(exchange, 200)),
  }),
);

const unusedForTooLong = [
  { id: "REFRESH-17/90-days", words: "A refresh token", rotations: 1 },
  { id: "REFRESH-17/third-rotation", words: "The refresh token of a third rotation", rotations: 3 },
].map(({ id, words, rotations }) =>
  check({
    id,
    claim: `${words} that was not used for 90 days and an hour is refused with ${codeSpans(idleGrantErrors)}.`,
    needs: ["human"],
    waitSeconds: lifetimeSeconds + leewaySeconds,
    async act(target) {
      const { grant, newest } = await rotatedGrant(target, rotations);
      await target.wait(lifetimeSeconds + leewaySeconds);
      return presentRefreshToken(target, grant, newest);
    },
    assert(exchange) {
      explained(rotations > 1 ? "REFRESH-17/90-days" : undefined, () => expectRefreshRefused(exchange));
      expectOAuthError(exchange, idleGrantErrors);
    },
  }),
);

const idleGrant = check({
  id: "REFRESH-18",
  claim:
    "A grant that was idle for 90 days and an hour has ended, also at later refreshes, and a new authorization gives another.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds + leewaySeconds,
  async act(target) {
    const grant = await refreshableGrant(target);
    await target.wait(lifetimeSeconds + leewaySeconds);
    const idle = await presentRefreshToken(target, grant, grant.tokens);
    const again = await presentRefreshToken(target, grant, grant.tokens);
    const renewed = await renewedGrant(target, idle);
    const next = await presentRefreshToken(target, renewed, renewed.tokens);
    // Last, since where a person has one grant for each client it is a superseded token of the new one.
    return { idle, again, next, afterwards: await presentRefreshToken(target, grant, grant.tokens) };
  },
  assert({ idle, again, next, afterwards }) {
    if (isSuccess(idle))
      throw new Violation("the idle grant to have ended", summary(idle), {
        exchange: idle,
        explainedBy: "REFRESH-17/90-days",
      });
    for (const exchange of [again, afterwards]) expectRefreshRefused(exchange);
    expectStatus(next, 200);
  },
});

const revoked = check({
  id: "REFRESH-19",
  claim: "A refresh of a grant whose access token was revoked is refused with `invalid_grant`.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await rotatedGrant(target, 1);
    await postRevoke(target, [
      ["client_id", grant.client.client_id],
      ["token", newest.access_token],
    ]);
    return pollUntilRefreshRefused(target, grant, newest);
  },
  assert(exchange) {
    expectRefreshRefused(exchange, "REVOKE-02");
    expectOAuthError(exchange, ["invalid_grant"]);
  },
});

export const lifetimeChecks = [
  pastAccessToken,
  unused,
  unusedAfterNarrowing,
  sliding,
  ...slidingNaming,
  ...unusedForTooLong,
  idleGrant,
  revoked,
];
