import { type Attempt, attempt, endedClients, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { isAccepted, type TokenUse, useAccessToken } from "../support/judging/access-token-use.ts";
import { check, observe } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { clientFor, givenBy } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { type GrantSpec, grantTo, mostCodeAgeMs, requireCodeKept } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { disable, type DisabledKind, pollUntilRefused } from "./disabling.ts";

const atAuthorize = check({
  id: "AUTHZ-07/authorize",
  claim:
    "The authorization request of a disabled client is refused with `invalid_client` and without a redirect.",
  unlockedBy: "disabled_client",
  async act(target) {
    await authorizingClient(target);
    const client = givenBy(target.profile.clients.disabled);
    if (client === undefined) throw new BlockedError("needs clients.disabled in the profile");
    const { parameters } = authorizationRequest(target, client);
    return attempt(target, { client: { redirect_uris: [] }, parameters });
  },
  assert: (seen) => expectAuthorizationRefused(seen, ["invalid_client"]),
});

/** What a client that was disabled a moment ago gets for what it was given before. */
interface DisabledClient {
  /** Of an authorization request like those that it was given a code for. */
  readonly authorization: Attempt;
  readonly code: Exchange;
  readonly codeAgeMs: number;
  readonly refresh: Exchange;
  readonly use: TokenUse;
}

/** Disables a client that has a code and a grant, and lets it try both. */
function disabledClient(target: Target, kind: DisabledKind = "public"): Promise<DisabledClient> {
  return target.once(`authorize:disabled-client:${kind}`, async (recording) => {
    const { setup } = recording;
    // When this is tried again after a lost answer, the last client may have been disabled already.
    const client = await clientFor(setup, kind, `to-be-disabled:${unguessable()}`);
    const { tokens } = await grantTo(setup, client);
    const code = await obtainCode(setup, authorizationRequest(setup, client));
    const issuedAtMs = performance.now();
    setup.note(endedClients, client.client_id);
    await disable(setup, kind, client);
    await pollUntilRefused(setup, client);
    const authorization = await attempt(recording, authorizationRequest(recording, client));
    const codeAgeMs = performance.now() - issuedAtMs;
    return {
      authorization,
      code: await postToken(recording, codeExchange(code)),
      codeAgeMs,
      refresh: await postToken(recording, refreshExchange(client, tokens.refresh_token)),
      use: await useAccessToken(recording, tokens.access_token),
    };
  });
}

const disabledLater = check({
  id: "AUTHZ-07/disabled-later",
  claim:
    "The authorization request of a client that was disabled after it got a code is refused with `invalid_client` and without a redirect.",
  needs: ["human"],
  unlockedBy: "disable_client_hook",
  async act(target) {
    await authorizingClient(target);
    return (await disabledClient(target)).authorization;
  },
  assert: (seen) => expectAuthorizationRefused(seen, ["invalid_client"]),
});

interface OtherKind {
  readonly kind: DisabledKind;
  readonly words: string;
  readonly whose: string;
  readonly unlockedBy: Unlock;
  readonly last?: true;
}

const otherKinds: readonly OtherKind[] = [
  {
    kind: "confidential",
    words: "a confidential client that was disabled after it got a code",
    whose: "A confidential client",
    unlockedBy: "disable_client_hook",
  },
  // Last, for what a target may disable with it: AUTHZ-07/beside-document.
  {
    kind: "document",
    words: "a client with a URL as `client_id` that was disabled",
    whose: "A client with a URL as `client_id`",
    unlockedBy: "disable_document_client",
    last: true,
  },
];

const disabledOtherKinds = otherKinds.map(({ kind, words, unlockedBy, last }) =>
  check({
    id: `AUTHZ-07/disabled-${kind}`,
    claim: `The authorization request of ${words} is refused with \`invalid_client\` and without a redirect.`,
    needs: ["human"],
    unlockedBy,
    ...(last && { last }),
    async act(target) {
      await authorizingClient(target, kind);
      return (await disabledClient(target, kind)).authorization;
    },
    assert: (seen) =>
      explained("AUTHZ-07/disabled-later", () => expectAuthorizationRefused(seen, ["invalid_client"])),
  }),
);

/** What a client tries at the token endpoint. */
interface Use {
  readonly slug: string;
  readonly got: string;
  readonly refused: string;
  control(target: Target, spec: GrantSpec): Promise<unknown>;
  /** The answer to it, when it says something about the client. */
  exchange(target: Target, seen: DisabledClient): Promise<Exchange>;
}

const uses: readonly Use[] = [
  {
    slug: "code",
    got: "a code",
    refused: "the exchange",
    control: redeemableCode,
    async exchange(_target, { code, codeAgeMs }) {
      if (isInvalidGrant(code) && codeAgeMs > mostCodeAgeMs)
        throw new InconclusiveError("precondition-missing", "the code may have expired meanwhile");
      return code;
    },
  },
  {
    slug: "refresh",
    got: "a grant",
    refused: "a refresh",
    control: refreshableGrant,
    async exchange(target, { refresh }) {
      await requireCodeKept(target, refresh);
      return refresh;
    },
  },
];

function isInvalidGrant(exchange: Exchange): boolean {
  return jsonMembers(exchange)["error"] === "invalid_grant";
}

const atTokenEndpoint = uses.map(({ slug, got, refused, control, exchange }) =>
  check({
    id: `AUTHZ-07/${slug}`,
    claim: `A client that was disabled after it got ${got} is refused ${refused} with \`invalid_client\`.`,
    needs: ["human"],
    unlockedBy: "disable_client_hook",
    async act(target) {
      await control(target, {});
      return exchange(target, await disabledClient(target));
    },
    assert(seen): Warning | undefined {
      expectTokenRefused(seen, ["invalid_client"]);
      // RFC 6749 §5.2 has it for clients that fail to authenticate; the document's table has 400 for this one (ERR-04).
      return seen.response.status === 401 ? warning("a disabled client is refused with 401") : undefined;
    },
  }),
);

const otherKindsAtTokenEndpoint = otherKinds.flatMap(({ kind, whose, unlockedBy, last }) =>
  uses.map(({ slug, got, refused, control, exchange }) =>
    check({
      id: `AUTHZ-07/${slug}-of-${kind}`,
      claim: `${whose} that was disabled after it got ${got} is refused ${refused} with \`invalid_client\`.`,
      needs: ["human"],
      unlockedBy,
      ...(last && { last }),
      async act(target) {
        await control(target, { client: kind });
        return exchange(target, await disabledClient(target, kind));
      },
      assert: (seen) => explained(`AUTHZ-07/${slug}`, () => expectTokenRefused(seen, ["invalid_client"])),
    }),
  ),
);

const accessToken = observe({
  id: "AUTHZ-07/access-token",
  question: "Are access tokens still served when their client has been disabled?",
  needs: ["human"],
  unlockedBy: "disable_client_hook",
  act: async (target) => (await disabledClient(target)).use,
  answer: (use) =>
    isAccepted(use) ? "yes" : `no: ${summary(use.jmap)} at JMAP, ${summary(use.agents)} at the inbox list`,
});

export const disabledClientChecks = [
  atAuthorize,
  disabledLater,
  ...disabledOtherKinds,
  ...atTokenEndpoint,
  ...otherKindsAtTokenEndpoint,
  accessToken,
];
