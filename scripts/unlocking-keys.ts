import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigurationOverride } from "../fixtures/service/configuration-override.ts";

/** What unlocks every check against a reference service. */
export interface UnlockingKeys {
  /** Settings of the service. */
  readonly configuration: ConfigurationOverride;
  /** The same as options of its command line. */
  readonly flags: readonly string[];
  /** Keys of the profile. */
  readonly profile: Readonly<Record<string, unknown>>;
  /** Removes the files that they name. */
  remove(): void;
}

export function createUnlockingKeys(): UnlockingKeys {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-"));
  const caFile = join(folder, "client-metadata-ca.pem");
  return {
    configuration: { clientMetadataDocuments: { loopbackCaFile: caFile } },
    flags: ["--client-metadata-ca", caFile],
    profile: { client_metadata: { publish: "listener", ca_file: caFile } },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
