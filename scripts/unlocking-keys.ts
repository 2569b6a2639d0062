import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfiguration } from "../fixtures/service/configuration.ts";
import type { ConfigurationOverride } from "../fixtures/service/configuration-override.ts";

/** What unlocks every check against a reference service. */
export interface UnlockingKeys {
  /** Settings of the service. */
  readonly configuration: ConfigurationOverride;
  /** The same as options of its command line. */
  readonly flags: readonly string[];
  /** Keys of the profile. */
  profileFor(addresses: { auth_url: string; api_url: string }): UnlockingProfile;
  /** Removes the files that they name. */
  remove(): void;
}

interface UnlockingProfile {
  readonly clients: object;
  readonly hooks: object;
  readonly [key: string]: unknown;
}

/** Secrets do not stand in a profile. */
function secretIn(folder: string, name: string, secret: string): string {
  const path = join(folder, name);
  writeFileSync(path, secret);
  return `file:${path}`;
}

export function createUnlockingKeys(): UnlockingKeys {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
  const caFile = join(folder, "client-metadata-ca.pem");
  const { operatorClients, registration } = defaultConfiguration;
  const clientThat = (isDisabled: boolean): object | undefined => {
    const found = operatorClients.find(({ disabled }) => disabled === isDisabled);
    if (found === undefined) return undefined;
    const { clientId, clientSecret, redirectUris } = found;
    return {
      client_id: clientId,
      redirect_uris: redirectUris,
      ...(clientSecret !== null && { client_secret: secretIn(folder, clientId, clientSecret) }),
    };
  };
  return {
    configuration: { clientMetadataDocuments: { loopbackCaFile: caFile }, operatorEndpoints: true },
    flags: ["--client-metadata-ca", caFile, "--operator-endpoints"],
    profileFor({ auth_url: authUrl, api_url: apiUrl }) {
      const hook = (action: string): object => ({ url: `${authUrl}/test/operator/${action}` });
      return {
        client_metadata: { publish: "listener", ca_file: caFile },
        clients: { operator: clientThat(false), disabled: clientThat(true) },
        hooks: {
          revoke_grants: hook("revoke-grants"),
          disable_client: hook("disable-client"),
          unlink_inbox: hook("unlink-inbox"),
          link_inbox: hook("link-inbox"),
          foreign_token: hook("foreign-token"),
        },
        internal_urls: [`${apiUrl}/internal/capability`, `${authUrl}/internal/capability`],
        registration_limit: registration.limit + 1,
      };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
