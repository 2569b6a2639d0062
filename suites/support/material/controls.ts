import {
  type AuthorizationCode,
  authorizationRequest,
  authorizationUrl,
  type Client,
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
} from "../actors/oauth-client.ts";
import type { WhichHuman } from "../actors/human.ts";
import { obtainCode, showsSignIn } from "../actors/authorization.ts";
import { type ClientKind, sharedClient } from "./clients.ts";
import { freshCode, freshGrant, type Grant, type GrantSpec, mostCodeAgeMs } from "./grants.ts";
import { usedInTime } from "../wire/disturbance.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";

/**
 * A client for which the valid request, with nothing wrong in it, was authorized in this run: the control of every
 * refusal at the authorization endpoint. With a human it was driven to a code; without one, to the sign-in page.
 *
 * @param choice - what the refused request will have in common with the control
 * @throws {InconclusiveError} control-refused, when the valid request is refused too
 */
export async function authorizingClient(
  target: Target,
  kind: ClientKind = "public",
  choice: { redirect_uri?: string; resource?: string; scope?: string } = {},
  human: WhichHuman = "first",
): Promise<Client> {
  const client = await sharedClient(target, kind);
  const key = `control:authorize:${kind}:${JSON.stringify(choice)}${human === "first" ? "" : `:${human}`}`;
  await target.control.once(key, async (recording) => {
    const request = authorizationRequest(recording, client, choice);
    if (recording.profile.humans.length > 0) return obtainCode(recording, request, { human });
    const first = await recording.send({
      method: "GET",
      url: authorizationUrl(recording, request.parameters),
    });
    if (!showsSignIn(first, client.redirect_uris)) {
      throw new InconclusiveError(
        "control-refused",
        `a valid authorization request: expected sign-in or consent, got ${first.response.status}`,
      );
    }
    return undefined;
  });
  return client;
}

/**
 * A fresh code of a kind that was redeemed in this run with nothing wrong in the exchange: the control of every refusal
 * of a code exchange.
 *
 * @throws {InconclusiveError} control-refused, when the valid exchange is refused too
 */
export async function redeemableCode(target: Target, spec: GrantSpec = {}): Promise<AuthorizationCode> {
  await requireRedeemable(target, spec);
  return freshCode(target, spec);
}

/** Only the control of {@link redeemableCode}, for a refused code that this kind of grant did not issue. */
export async function requireRedeemable(target: Target, spec: GrantSpec = {}): Promise<void> {
  await target.control.once(
    `control:redeem:${JSON.stringify(Object.entries(spec).toSorted())}`,
    async (recording) => {
      const { exchange } = await usedInTime(mostCodeAgeMs, async () => {
        const code = await freshCode(recording, spec);
        const readyAtMs = performance.now();
        return { readyAtMs, exchange: await postToken(recording, codeExchange(code)) };
      });
      return requireTokens(exchange, "a valid code exchange");
    },
  );
}

/**
 * A grant of its own, of a kind that was refreshed twice in this run: the control of every refused refresh, with the first
 * refresh token of a grant as well as with a rotated one.
 *
 * @throws {InconclusiveError} control-refused, when a valid refresh is refused too
 */
export async function refreshableGrant(target: Target, spec: GrantSpec = {}): Promise<Grant> {
  await target.control.once(
    `control:refresh:${JSON.stringify(Object.entries(spec).toSorted())}`,
    async (recording) => {
      const { client, tokens } = await freshGrant(recording, spec);
      const refresh = async (token: string) =>
        requireTokens(
          await postToken(recording, refreshExchange(client, token)),
          "a valid refresh",
          "REFRESH-01",
        );
      const { refresh_token: rotated } = await refresh(tokens.refresh_token);
      return refresh(rotated);
    },
  );
  return freshGrant(target, spec);
}
