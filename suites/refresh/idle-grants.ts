import { unguessable } from "../support/actors/oauth-client.ts";
import { clientFor } from "../support/material/clients.ts";
import { freshGrant, type Grant, grantTo } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";

/**
 * What a refresh after 90 idle days may get. The document says that the grant has expired, names no code, and says nothing
 * of how long a registration lasts that nobody uses.
 */
export const idleGrantErrors: readonly string[] = ["invalid_grant", "invalid_client"];

/** A grant after an idle one, of a new client where the registration of the old one has lapsed too. */
export async function renewedGrant(
  target: Target,
  idle: Exchange,
): Promise<Pick<Grant, "client" | "tokens">> {
  if (jsonMembers(idle)["error"] !== "invalid_client") return freshGrant(target);
  const client = await clientFor(target, "public", unguessable());
  return grantTo(target.setup, client);
}
