import type { SecretMask } from "../wire/secrets.ts";
import { passwordOf } from "./consent-settings.ts";
import type { Profile } from "./profile.ts";
import { savedSecrets } from "./saved-state.ts";

/** Teaches a mask the secrets of a profile: what its file only refers to. */
export function learnProfile(
  mask: SecretMask,
  { humans, clients, headers, hooks, pow, start }: Profile,
): void {
  for (const { consent } of humans) {
    mask.add("password", passwordOf(consent) ?? "");
    if (consent.driver !== "browser") continue;
    mask.add("totp", consent.totp ?? "");
    // No answer of this run sets what an earlier one has saved.
    for (const value of consent.state_file === undefined ? [] : savedSecrets(consent.state_file))
      mask.add("cookie", value);
  }
  for (const client of [clients.confidential, clients.operator, clients.disabled])
    if (client?.client_secret !== undefined) mask.add("client_secret", client.client_secret);
  for (const hook of Object.values(hooks))
    if (hook?.authorization !== undefined) mask.add("authorization", hook.authorization);
  for (const lines of Object.values(headers))
    for (const { text, isSecret } of Object.values(lines)) if (isSecret) mask.add("header", text);
  for (const { text, isSecret } of Object.values(start?.environment ?? {}))
    if (isSecret) mask.add("environment", text);
  if (pow.api_key !== undefined) mask.add("apiKey", pow.api_key);
}
