import { type Client } from "../support/actors/oauth-client.ts";
import { postRegister } from "../support/actors/registration.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { requireDynamicRegistration } from "../support/material/clients.ts";
import { registrationMetadata } from "../support/material/registrations.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { jsonMembers } from "../support/wire/exchange.ts";

/** Of a scheme that an app claims for itself (RFC 8252 §7.1). */
export const privateUse = "com.example.mailproof:/cb";

/**
 * A client with that redirect_uri last in its list; a registration may refuse or change it (RFC 7591 §3.2.1).
 *
 * @param more - further metadata
 * @returns the client with that redirect_uri alone
 * @throws {BlockedError} without dynamic registration
 * @throws {NotApplicableError} when the registration refuses or changes it
 */
export async function clientWith(
  target: Target,
  redirectUri: string,
  others: readonly string[] = [],
  more: object = {},
): Promise<Client> {
  requireDynamicRegistration(target);
  const metadata = { redirect_uris: [...others, redirectUri], token_endpoint_auth_method: "none" } as const;
  const registration = await postRegister(target.setup, { ...registrationMetadata(metadata), ...more });
  const { client_id: clientId, redirect_uris: registered } = jsonMembers(registration);
  if (isRefusal(registration))
    throw new NotApplicableError(
      `the registration refuses ${others.length > 0 ? `${others.length + 1} redirect_uris` : spelled(redirectUri)}`,
    );
  if (typeof clientId !== "string")
    throw controlRefused("registering a client", "201 or a refusal with 4xx", registration, "DCR-01");
  const isRespelled = Array.isArray(registered) && !registered.includes(redirectUri);
  if (isRespelled)
    throw new NotApplicableError(`the registration leaves out or changes ${spelled(redirectUri)}`);
  return { client_id: clientId, redirect_uris: [redirectUri] };
}

/** In a message: a long one by its length. */
function spelled(redirectUri: string): string {
  return redirectUri.length > 100 ? `a redirect_uri of ${redirectUri.length} characters` : redirectUri;
}
