import { setTimeout as delay } from "node:timers/promises";
import { codeExchange, postToken, requireTokens } from "../support/actors/oauth-client.ts";
import {
  pollUntilRejected,
  expectAccessTokenRejected,
  requireAccepted,
  useAccessToken,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { freshCode, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import {
  expectRefreshTokenRejected,
  expectReuseRefused,
  present,
  rotatableGrant,
  rotatedGrant,
} from "./rotated-grants.ts";

const refused = (["public", "confidential"] as const).map((client) =>
  check({
    id: `REFRESH-03/${client}`,
    claim: `A superseded refresh token of a ${client} client is refused.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest } = await rotatableGrant(target, 1, { client });
      return present(target, grant, oldest);
    },
    assert: expectReuseRefused,
  }),
);

const newestDies = (["public", "confidential"] as const).map((client) =>
  check({
    id: `REFRESH-04/${client}`,
    claim: `After the reuse of a superseded refresh token of a ${client} client, the newest one is refused with 400 invalid_grant.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await rotatableGrant(target, 1, { client });
      await present(target, grant, oldest);
      return present(target, grant, newest);
    },
    assert: expectRefreshTokenRejected,
  }),
);

const accessTokensDie = (["old", "new"] as const).map((which) =>
  check({
    id: `REFRESH-05/${which}-access-token`,
    claim: `After the reuse of a superseded refresh token, the ${which} access token is answered 401 invalid_token at JMAP and by the inbox list.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1);
      const token = (which === "old" ? oldest : newest).access_token;
      // The old one may be dead since the refresh (REFRESH-20): then there is nothing left to kill.
      if (which === "new") await requireAccepted(target, token);
      else await requireAccepted(target, newest.access_token);
      await present(target, grant, oldest);
      return pollUntilRejected(target, token);
    },
    assert: expectAccessTokenRejected,
  }),
);

const olderGenerations = [
  { slug: "first", words: "the first of four generations", at: 0 },
  { slug: "second", words: "the second of four generations", at: 1 },
].map(({ slug, words, at }) =>
  check({
    id: `REFRESH-06/${slug}`,
    claim: `A refresh token of ${words} is refused, and ends the newest access token and refresh token.`,
    needs: ["human"],
    async act(target) {
      const { grant, generations, newest } = await rotatableGrant(target, 3);
      await requireAccepted(target, newest.access_token);
      const reuse = await present(target, grant, generations[at] ?? newest);
      const use = await pollUntilRejected(target, newest.access_token);
      return { reuse, use, next: await present(target, grant, newest) };
    },
    assert({ reuse, use, next }) {
      const finding = expectReuseRefused(reuse);
      expectAccessTokenRejected(use);
      expectRefreshTokenRejected(next);
      return finding;
    },
  }),
);

interface Pause {
  readonly slug: string;
  readonly words: string;
  readonly seconds: number;
}

const pauses: readonly Pause[] = [
  { slug: "at-once", words: "at once", seconds: 0 },
  { slug: "1-second", words: "1 s", seconds: 1 },
];

const longPauses: readonly Pause[] = [
  { slug: "10-seconds", words: "10 s", seconds: 10 },
  { slug: "30-seconds", words: "30 s", seconds: 30 },
];

function noGrace({ slug, words }: Pause, pause: (target: Target) => Promise<void>, waitSeconds?: number) {
  return check({
    id: `REFRESH-07/${slug}`,
    claim: `A refresh token that comes again ${words} after its rotation is refused and ends the grant.`,
    needs: ["human"],
    ...(waitSeconds !== undefined && { waitSeconds }),
    async act(target) {
      const { grant, oldest, newest } = await rotatableGrant(target, 1);
      await pause(target);
      const reuse = await present(target, grant, oldest);
      return { reuse, next: await present(target, grant, newest) };
    },
    assert({ reuse, next }) {
      const finding = expectReuseRefused(reuse);
      expectRefreshTokenRejected(next);
      return finding;
    },
  });
}

const graceless = [
  ...pauses.map((pause) => noGrace(pause, () => delay(pause.seconds * 1000))),
  ...longPauses.map((pause) => noGrace(pause, (target) => target.wait(pause.seconds), pause.seconds)),
];

const afterAQuarterOfAnHour = 900;

const remembered = check({
  id: "REFRESH-09",
  claim: "A refresh token that comes again 15 minutes after its rotation is refused and ends the grant.",
  needs: ["human"],
  waitSeconds: afterAQuarterOfAnHour,
  async act(target) {
    const { grant, oldest, newest } = await rotatedGrant(target, 1);
    const witness = await rotatedGrant(target, 1);
    await target.wait(afterAQuarterOfAnHour);
    // The control: without the reuse, a refresh token of that age works.
    await refreshed(target, witness.grant);
    const reuse = await present(target, grant, oldest);
    return { reuse, next: await present(target, grant, newest) };
  },
  assert({ reuse, next }) {
    const finding = expectReuseRefused(reuse);
    expectRefreshTokenRejected(next);
    return finding;
  },
});

const aMinute = 60;

const forGood = check({
  id: "REFRESH-22",
  claim:
    "A minute after a reuse, neither refresh token, nor the code, nor an access token of the grant works.",
  needs: ["human"],
  waitSeconds: aMinute,
  async act(target) {
    const code = await freshCode(target);
    const first = requireTokens(await postToken(target, codeExchange(code)), "a valid code exchange");
    const second = requireTokens(await present(target, code, first), "a valid refresh");
    await requireAccepted(target, second.access_token);
    await present(target, code, first);
    await pollUntilRejected(target, second.access_token);
    await target.wait(aMinute);
    return {
      refreshes: [await present(target, code, first), await present(target, code, second)],
      redemption: await postToken(target, codeExchange(code)),
      uses: [
        await useAccessToken(target, first.access_token),
        await useAccessToken(target, second.access_token),
      ],
    };
  },
  assert({ refreshes, redemption, uses }) {
    for (const refresh of refreshes) expectRefreshTokenRejected(refresh);
    expectTokenRefused(redemption, ["invalid_grant"]);
    for (const use of uses) expectAccessTokenRejected(use);
  },
});

export const reuseChecks = [
  ...refused,
  ...newestDies,
  ...accessTokensDie,
  ...olderGenerations,
  ...graceless,
  remembered,
  forGood,
];
