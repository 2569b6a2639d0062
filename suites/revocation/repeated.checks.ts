import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { revocableGrant, type RevocableGrant, revoke } from "./revoked-grants.ts";

/** What ends a grant, before it is revoked once more. */
const endings: readonly {
  slug: string;
  /** Reads after "A grant that". */
  words: string;
  end: (target: Target, ended: RevocableGrant) => Promise<unknown>;
  explainedBy: string;
}[] = [
  {
    slug: "twice",
    words: "was revoked",
    end: (target, { grant, newest }) => revoke(target, grant.client, newest.refresh_token),
    explainedBy: "REVOKE-04",
  },
  {
    slug: "after-reuse",
    words: "a reuse ended",
    end: (target, { grant, older }) => presentRefreshToken(target, grant, older),
    explainedBy: "REFRESH-05/new-access-token",
  },
];

const staysEnded = endings.map(({ slug, words, end, explainedBy }) =>
  check({
    id: `REVOKE-07/${slug}`,
    claim: `A grant that ${words} stays ended when its refresh token is revoked: both of its newest tokens are refused.`,
    needs: ["human"],
    async act(target) {
      const ended = await revocableGrant(target);
      const { grant, newest } = ended;
      await end(target.setup, ended);
      const before = await pollUntilRejected(target.setup, newest.access_token);
      await revoke(target, grant.client, newest.refresh_token);
      const use = await pollUntilRejected(target, newest.access_token);
      return { before, use, refresh: await pollUntilRefreshRefused(target, grant, newest) };
    },
    assert({ before, use, refresh }) {
      expectAccessTokenRejected(before, explainedBy);
      expectAccessTokenRejected(use);
      expectRefreshRefused(refresh);
    },
  }),
);

// Most grants that a person takes back were never refreshed.
const unrefreshed = (["access_token", "refresh_token"] as const).map((kind) =>
  check({
    id: `REVOKE-01/unrefreshed-by-${kind.replace("_", "-")}`,
    claim: `Revoking the ${kind.replace("_", " ")} of a grant that was never refreshed ends both of its tokens.`,
    needs: ["human"],
    async act(target) {
      const grant = await refreshableGrant(target);
      await requireAccepted(target, grant.tokens.access_token);
      await revoke(target, grant.client, grant.tokens[kind]);
      const use = await pollUntilRejected(target, grant.tokens.access_token);
      return { use, refresh: await pollUntilRefreshRefused(target, grant, grant.tokens) };
    },
    assert({ use, refresh }) {
      const [ofUse, ofRefresh] =
        kind === "access_token" ? ["REVOKE-01", "REVOKE-02"] : ["REVOKE-04", "REVOKE-05"];
      expectAccessTokenRejected(use, ofUse);
      expectRefreshRefused(refresh, ofRefresh);
    },
  }),
);

/** A grant ends however often it was refreshed, and never comes back. Document, "States", grant. */
export const repeatedChecks = [...staysEnded, ...unrefreshed];
