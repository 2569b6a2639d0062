import { pollUntilRejected, expectAccessTokenRejected } from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectInvalidToken, expectStatus } from "../support/judging/expect.ts";
import { expectRefreshTokenRejected, livingGrant, refreshWith, revoke } from "./revoked-grants.ts";

const accessToken = check({
  id: "REVOKE-01",
  claim:
    "Revoking an access token is answered 200, and the token 401 invalid_token at JMAP and by the inbox list.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    const revocation = await revoke(target, grant.client, newest.access_token);
    return { revocation, use: await pollUntilRejected(target, newest.access_token) };
  },
  assert({ revocation, use }) {
    expectStatus(revocation, 200);
    expectAccessTokenRejected(use);
  },
});

const refreshTokenOfAccessToken = check({
  id: "REVOKE-02",
  claim: "After an access token was revoked, the grant's refresh token is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    await revoke(target, grant.client, newest.access_token);
    await pollUntilRejected(target, newest.access_token);
    return refreshWith(target, grant, newest);
  },
  assert: expectRefreshTokenRejected,
});

const siblings = check({
  id: "REVOKE-03",
  claim: "Revoking the newest access token ends the grant's older one at JMAP and at the inbox list too.",
  needs: ["human"],
  async act(target) {
    const { grant, oldest, newest } = await livingGrant(target);
    await revoke(target, grant.client, newest.access_token);
    return pollUntilRejected(target, oldest.access_token);
  },
  assert: expectAccessTokenRejected,
});

const accessTokensOfRefreshToken = (["older", "newest"] as const).map((which) =>
  check({
    id: `REVOKE-04/${which}-access-token`,
    claim: `Revoking a refresh token is answered 200, and the grant's ${which} access token 401 invalid_token.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await livingGrant(target);
      const revocation = await revoke(target, grant.client, newest.refresh_token);
      const { access_token: token } = which === "older" ? oldest : newest;
      return { revocation, use: await pollUntilRejected(target, token) };
    },
    assert({ revocation, use }) {
      expectStatus(revocation, 200);
      expectAccessTokenRejected(use);
    },
  }),
);

const refreshToken = check({
  id: "REVOKE-05",
  claim: "A revoked refresh token is refused with 400 invalid_grant.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target);
    await revoke(target, grant.client, newest.refresh_token);
    await pollUntilRejected(target, newest.access_token);
    return refreshWith(target, grant, newest);
  },
  assert: expectRefreshTokenRejected,
});

const twice = (["access_token", "refresh_token"] as const).map((kind) =>
  check({
    id: `REVOKE-07/${kind.replace("_", "-")}`,
    claim: `Revoking the same ${kind} twice is answered 200 both times.`,
    needs: ["human"],
    async act(target) {
      const { grant, newest } = await livingGrant(target);
      return [
        await revoke(target, grant.client, newest[kind]),
        await revoke(target, grant.client, newest[kind]),
      ];
    },
    assert(revocations) {
      for (const revocation of revocations) expectStatus(revocation, 200);
    },
  }),
);

const twoFields = check({
  id: "REVOKE-08",
  claim:
    "A public client's form of client_id and token alone is answered 200 and ends the grant: its refresh token is refused.",
  needs: ["human"],
  async act(target) {
    const { grant, newest } = await livingGrant(target, { client: "other" });
    const revocation = await revoke(target, grant.client, newest.refresh_token);
    await pollUntilRejected(target, newest.access_token);
    return { revocation, refresh: await refreshWith(target, grant, newest) };
  },
  assert({ revocation, refresh }) {
    expectStatus(revocation, 200);
    expectRefreshTokenRejected(refresh);
  },
});

const answers = (["jmap", "agents"] as const).map((place) =>
  check({
    id: `REVOKE-11/${place}`,
    claim: `A revoked access token gets 401 with a body of error invalid_token and error_description from ${place === "jmap" ? "JMAP" : "the inbox list"}.`,
    needs: ["human"],
    async act(target) {
      const { grant, newest } = await livingGrant(target);
      await revoke(target, grant.client, newest.access_token);
      return (await pollUntilRejected(target, newest.access_token))[place];
    },
    assert: expectInvalidToken,
  }),
);

export const effectChecks = [
  accessToken,
  refreshTokenOfAccessToken,
  siblings,
  ...accessTokensOfRefreshToken,
  refreshToken,
  ...twice,
  twoFields,
  ...answers,
];
