import type { HookName } from "../target/operator-settings.ts";
import { runProgram } from "../target/run-program.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { isSuccess, summary } from "../wire/exchange.ts";
import type { Client } from "./oauth-client.ts";

/**
 * Lets the operator do what a hook of the profile is for.
 *
 * @returns what the hook answered
 * @throws {BlockedError} when the profile has no such hook
 * @throws {InconclusiveError} precondition-missing, when the hook failed
 */
export async function callHook(
  target: Target,
  name: HookName,
  details: Readonly<Record<string, string>>,
): Promise<string> {
  const key = `hooks.${name}`;
  const { url, authorization, command } = target.profile.hooks[name] ?? {};
  const body = JSON.stringify(details);
  if (command !== undefined) return runProgram(key, command, body);
  if (url === undefined) throw new BlockedError(`needs ${key} in the profile`);
  const exchange = await target.setup.send({
    method: "POST",
    url,
    headers: [
      ["Content-Type", "application/json"],
      ...(authorization === undefined ? [] : [["Authorization", authorization] as const]),
    ],
    body,
  });
  if (isSuccess(exchange)) return exchange.response.body;
  throw new InconclusiveError("precondition-missing", `${key}: expected 2xx, got ${summary(exchange)}`, {
    exchange,
  });
}

/** Revokes on the dashboard everything that the first person has granted the client. */
export async function revokeOnDashboard(
  target: Target,
  { client_id }: Pick<Client, "client_id">,
): Promise<void> {
  await callHook(target, "revoke_grants", { username: firstUsername(target), client_id });
}

/** The name by which the first human of the profile signs in, and by which hooks know them. */
export function firstUsername({ profile }: Target): string {
  const username = profile.humans[0]?.consent.username;
  if (username === undefined) throw new BlockedError("needs a human; add one to humans in the profile");
  return username;
}
