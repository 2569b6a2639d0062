import type { SecretMask } from "../wire/secrets.ts";
import type { Profile } from "./profile.ts";

/** Teaches a mask the secrets of a profile: what its file only refers to. */
export function learnProfile(mask: SecretMask, { humans, clients, pow }: Profile): void {
  for (const human of humans) mask.add("password", human.consent.password);
  if (clients.confidential !== undefined) mask.add("client_secret", clients.confidential.client_secret);
  if (pow.api_key !== undefined) mask.add("apiKey", pow.api_key);
}
