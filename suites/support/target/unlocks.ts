import type { Profile } from "./profile.ts";

interface ProfileKey {
  /** Where it stands in a profile. */
  readonly key: string;
  /** What it gives. Reads after the key and a colon. */
  readonly gives: string;
  isGiven(profile: Profile): boolean;
}

const clientMetadata: ProfileKey = {
  key: "client_metadata",
  gives: "a place to publish client-id metadata documents",
  isGiven: ({ client_metadata: settings }) => settings !== undefined,
};

/** Keys of a profile that unlock checks: without them no request could show anything, so the checks are left out of a run. */
export const unlocks = {
  client_metadata: clientMetadata,
  client_metadata_listener: {
    key: "client_metadata.publish",
    gives: "an https listener of mailproof's own, which sees what the target fetches",
    isGiven: ({ client_metadata: settings }) => settings?.publish === "listener",
  },
} as const satisfies Record<string, ProfileKey>;

export type Unlock = keyof typeof unlocks;

/** The key and what it gives. Reads after "needs". */
export function unlockWords(unlock: Unlock): string {
  const { key, gives } = unlocks[unlock];
  return `${key}: ${gives}`;
}
