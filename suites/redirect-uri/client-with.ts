import { type Client, postRegister } from "../support/actors/oauth-client.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { registrationMetadata } from "../support/material/clients.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { jsonMembers } from "../support/wire/exchange.ts";

/**
 * A client of that redirect_uri; undefined where the registration refuses or respells it (RFC 7591 §3.2.1).
 *
 * @throws {BlockedError} without dynamic registration
 */
export async function clientWith(target: Target, redirectUri: string): Promise<Client | undefined> {
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError("needs dynamic registration (clients.registration in the profile)");
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" } as const;
  const registration = await postRegister(target.setup, registrationMetadata(metadata));
  const { client_id: clientId, redirect_uris: registered } = jsonMembers(registration);
  if (isRefusalStatus(registration.response.status)) return undefined;
  if (typeof clientId !== "string")
    throw controlRefused("registering a client", "201 or a refusal with 4xx", registration, "DCR-01");
  const isRespelled = Array.isArray(registered) && !registered.includes(redirectUri);
  return isRespelled ? undefined : { client_id: clientId, redirect_uris: [redirectUri] };
}
