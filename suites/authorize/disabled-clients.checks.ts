import { type Attempt, attempt, codeIn, endedClients, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { callHook } from "../support/actors/operator.ts";
import { isAccepted, type TokenUse, useAccessToken } from "../support/judging/access-token-use.ts";
import { check, observe } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { clientFor, givenBy } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import {
  BlockedError,
  InconclusiveError,
  NotApplicableError,
  type Warning,
  warning,
} from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { pollUntil } from "../support/judging/propagation.ts";

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
  readonly refresh: Exchange;
  readonly use: TokenUse;
}

/** Disables a client that has a code and a grant, and lets it try both. */
function disabledClient(target: Target): Promise<DisabledClient> {
  return target.once("authorize:disabled-client", async (recording) => {
    const { setup } = recording;
    const client = await clientFor(setup, "public", "to-be-disabled");
    const redeemed = await obtainCode(setup, authorizationRequest(setup, client));
    const response = await postToken(setup, codeExchange(redeemed));
    const tokens = requireTokens(response, "a valid code exchange");
    const code = await obtainCode(setup, authorizationRequest(setup, client));
    setup.note(endedClients, client.client_id);
    await callHook(setup, "disable_client", { client_id: client.client_id });
    await pollUntilRefused(setup, client);
    return {
      authorization: await attempt(recording, authorizationRequest(recording, client)),
      code: await postToken(recording, codeExchange(code)),
      refresh: await postToken(recording, refreshExchange(client, tokens.refresh_token)),
      use: await useAccessToken(recording, tokens.access_token),
    };
  });
}

/** Gives the target as long as a revocation may take to learn of it. */
async function pollUntilRefused(target: Target, client: Client): Promise<void> {
  await pollUntil(
    target,
    () => attempt(target, authorizationRequest(target, client)),
    ({ end }) => codeIn(end) === undefined,
  );
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

const disabledDocument = check({
  id: "AUTHZ-07/disabled-document",
  claim:
    "The authorization request of a client with a URL as `client_id` that was disabled is refused with `invalid_client` and without a redirect.",
  needs: ["human"],
  unlockedBy: "disable_document_client",
  async act(target) {
    await authorizingClient(target, "document");
    const { setup } = target;
    const client = await clientFor(setup, "document", "to-be-disabled");
    await obtainCode(setup, authorizationRequest(setup, client));
    setup.note(endedClients, client.client_id);
    try {
      await callHook(setup, "disable_client", { client_id: client.client_id });
    } catch (error) {
      if (!(error instanceof InconclusiveError)) throw error;
      throw new NotApplicableError(`no client with a URL for its id was disabled: ${error.message}`);
    }
    await pollUntilRefused(setup, client);
    return attempt(target, authorizationRequest(target, client));
  },
  assert: (seen) =>
    explained("AUTHZ-07/disabled-later", () => expectAuthorizationRefused(seen, ["invalid_client"])),
});

const atTokenEndpoint = [
  {
    slug: "code",
    claim: "A client that was disabled after it got a code is refused the exchange with `invalid_client`.",
    control: redeemableCode,
    exchange: ({ code }: DisabledClient) => code,
  },
  {
    slug: "refresh",
    claim: "A client that was disabled after it got a grant is refused a refresh with `invalid_client`.",
    control: refreshableGrant,
    exchange: ({ refresh }: DisabledClient) => refresh,
  },
].map(({ slug, claim, control, exchange }) =>
  check({
    id: `AUTHZ-07/${slug}`,
    claim,
    needs: ["human"],
    unlockedBy: "disable_client_hook",
    async act(target) {
      await control(target);
      return exchange(await disabledClient(target));
    },
    assert(seen): Warning | undefined {
      expectTokenRefused(seen, ["invalid_client"]);
      // RFC 6749 §5.2 has it for clients that fail to authenticate; the document's table has 400 for this one (ERR-04).
      return seen.response.status === 401 ? warning("a disabled client is refused with 401") : undefined;
    },
  }),
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
  disabledDocument,
  ...atTokenEndpoint,
  accessToken,
];
