import { postRevoke } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { freshGrant, refreshed } from "../support/material/grants.ts";
import {
  expectRefreshTokenRejected,
  present,
  refreshableGrant,
  rotatableGrant,
  rotatedGrant,
} from "./rotated-grants.ts";

const hours = 3600;
const days = 24 * hours;
const accessTokenSeconds = 900;
const lifetimeSeconds = 90 * days;
// What clocks may differ by; the rows leave the size of it open.
const leewaySeconds = hours;

const pastAccessToken = check({
  id: "REFRESH-16",
  claim: "A refresh succeeds a minute after the access token has expired.",
  needs: ["human"],
  waitSeconds: accessTokenSeconds + 60,
  async act(target) {
    const grant = await freshGrant(target);
    await target.wait(accessTokenSeconds + 60);
    return present(target, grant, grant.tokens);
  },
  assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
});

const unused = check({
  id: "REFRESH-17/unused-89-days",
  claim: "A refresh token that was not used for 89 days and 23 hours still works.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds - hours,
  async act(target) {
    const { grant, newest } = await rotatedGrant(target, 1);
    await target.wait(lifetimeSeconds - hours);
    return present(target, grant, newest);
  },
  assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
});

const sliding = check({
  id: "REFRESH-17/sliding",
  claim: "A refresh token works 89 days after its rotation, though the grant is 178 days old.",
  needs: ["human"],
  waitSeconds: 2 * 89 * days,
  async act(target) {
    const first = await freshGrant(target);
    await target.wait(89 * days);
    const second = await refreshed(target, first);
    await target.wait(89 * days);
    return present(target, second, second.tokens);
  },
  assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
});

const expired = check({
  id: "REFRESH-17/90-days",
  claim: "A refresh token that was not used for 90 days and an hour is refused with 400 invalid_grant.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds + leewaySeconds,
  async act(target) {
    const { grant, newest } = await rotatableGrant(target, 1);
    await target.wait(lifetimeSeconds + leewaySeconds);
    return present(target, grant, newest);
  },
  assert: expectRefreshTokenRejected,
});

const idleGrant = check({
  id: "REFRESH-18",
  claim: "A grant that was idle for 90 days and an hour has ended, and a new authorization gives a new one.",
  needs: ["human"],
  waitSeconds: lifetimeSeconds + leewaySeconds,
  async act(target) {
    const grant = await refreshableGrant(target);
    await target.wait(lifetimeSeconds + leewaySeconds);
    const idle = await present(target, grant, grant.tokens);
    const renewed = await freshGrant(target);
    return { idle, next: await present(target, renewed, renewed.tokens) };
  },
  assert({ idle, next }) {
    expectRefreshTokenRejected(idle);
    expectThat(next.response.status === 200, "200 for the refresh of the new grant", summary(next));
  },
});

const revoked = check({
  id: "REFRESH-19",
  claim: "A refresh of a grant whose access token was revoked is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await rotatableGrant(target, 1);
    await postRevoke(target, [
      ["client_id", grant.client.client_id],
      ["token", newest.access_token],
    ]);
    return present(target, grant, newest);
  },
  assert: expectRefreshTokenRejected,
});

export const lifetimeChecks = [pastAccessToken, unused, sliding, expired, idleGrant, revoked];
