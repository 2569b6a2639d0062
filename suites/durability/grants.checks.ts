import { attempt, codeIn } from "../support/actors/authorization.ts";
import { bearer, getAgents } from "../support/actors/jmap.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import type { Check } from "../support/judging/check.ts";
import {
  expectInvalidToken,
  expectStatus,
  expectThat,
  expectTokenRefused,
  isRefusal,
} from "../support/judging/expect.ts";
import { expectRefreshRefused, pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { inBothLives } from "./acknowledged.ts";
import type { GrantsBefore } from "./before.ts";
import { type Life, requireKnownClient } from "./lives.ts";

const knownClient = (target: Target, life: Life, { client }: GrantsBefore): Promise<unknown> =>
  requireKnownClient(target, life, client);

const clients = inBothLives("grants", {
  requirement: "DCR-04",
  claim: "A client that was registered before LIFE is still given a code.",
  itemsOf: ({ newClients }) => newClients,
  use(target, client) {
    target.spend("grants");
    return attempt(target, authorizationRequest(target, client));
  },
  expect({ end }) {
    expectThat(codeIn(end) !== undefined, "a redirect with a code", summary(end.exchange), end.exchange);
  },
});

const codes = inBothLives("grants", {
  requirement: "CODE-03",
  claim: "A code that was redeemed before LIFE is still refused, with `invalid_grant`.",
  itemsOf: ({ spentCodes }) => spentCodes,
  control: knownClient,
  use: (target, code) => postToken(target, codeExchange(code)),
  expect: (answer) => expectTokenRefused(answer, ["invalid_grant"]),
});

const superseded = inBothLives("grants", {
  requirement: "REFRESH-03",
  claim: "A refresh token that was superseded before LIFE is still refused.",
  itemsOf: ({ rotated }) => rotated,
  control: knownClient,
  use: (target, { client, superseded: token }) => postToken(target, refreshExchange(client, token)),
  expect: (answer) => expectRefreshRefused(answer),
});

const reused = inBothLives("grants", {
  requirement: "REFRESH-04",
  claim: "The reuse of a refresh token that was superseded before LIFE still ends its grant.",
  itemsOf: ({ rotated }) => rotated,
  control: knownClient,
  async use(target, { client, tokens, superseded: token }) {
    await postToken(target.setup, refreshExchange(client, token));
    return pollUntilRefreshRefused(target, { client }, tokens);
  },
  expect: (answer) => expectRefreshRefused(answer),
});

const current = inBothLives("grants", {
  requirement: "REFRESH-17",
  claim: "A refresh token that was current before LIFE still refreshes its grant.",
  itemsOf: ({ current: grants }) => grants,
  control: knownClient,
  use: (target, { client, tokens }) => postToken(target, refreshExchange(client, tokens.refresh_token)),
  expect: (answer) => expectStatus(answer, 200),
});

const revokedRefresh = inBothLives("grants", {
  requirement: "REFRESH-19",
  claim: "The refresh token of a grant that was revoked before LIFE is still refused, with `invalid_grant`.",
  itemsOf: ({ revoked }) => revoked,
  control: knownClient,
  use: (target, { client, tokens }) => postToken(target, refreshExchange(client, tokens.refresh_token)),
  expect: (answer) => expectTokenRefused(answer, ["invalid_grant"]),
});

const revokedAccess = inBothLives("grants", {
  requirement: "BEARER-11",
  claim: "The access token of a grant that was revoked before LIFE is still refused, with `invalid_token`.",
  itemsOf: ({ revoked }) => revoked,
  async control(target, life, { client }) {
    const { tokens } = await requireKnownClient(target, life, client);
    const use = await getAgents(target.control, [bearer(tokens.access_token)]);
    if (!isSuccess(use)) throw controlRefused("a fresh access token", "200", use, "BEARER-01");
  },
  use: (target, { tokens }) => getAgents(target, [bearer(tokens.access_token)]),
  expect(answer) {
    if (!isRefusal(answer))
      throw new Violation("the access token to be refused with 401", summary(answer), { exchange: answer });
    expectInvalidToken(answer);
  },
});

const dashboard = inBothLives("grants", {
  requirement: "REVOKE-14",
  claim:
    "The refresh token of a grant that the person revoked on the dashboard before LIFE is still refused.",
  unlockedBy: "restart_with_dashboard",
  itemsOf: ({ revokedOnDashboard }) => revokedOnDashboard,
  // The client of each is known: it gets another grant.
  async use(target, { client, tokens }, { life }) {
    await requireKnownClient(target, life, client);
    return postToken(target, refreshExchange(client, tokens.refresh_token));
  },
  expect: (answer) => expectRefreshRefused(answer, "REFRESH-19"),
});

export const grantChecks: readonly Check[] = [
  ...clients,
  ...codes,
  ...superseded,
  ...reused,
  ...current,
  ...revokedRefresh,
  ...revokedAccess,
  ...dashboard,
];
