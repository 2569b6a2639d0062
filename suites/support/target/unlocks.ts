import type { Profile } from "./profile.ts";
import { namesTarget } from "./start-settings.ts";

interface ProfileKey {
  /** Where it stands in a profile. */
  readonly key: string;
  /** What it gives. Reads after the key and a colon. */
  readonly gives: string;
  isGiven(profile: Profile): boolean;
}

/** Keys of a profile that unlock checks: without them no request could show anything, so the checks are left out of a run. */
export const unlocks = {
  client_metadata: {
    key: "client_metadata",
    gives: "a place to publish client-id metadata documents",
    isGiven: ({ client_metadata: settings }) => settings !== undefined,
  },
  client_metadata_listener: {
    key: "client_metadata.publish",
    gives: "an https listener of mailproof's own, which sees what the target fetches",
    isGiven: ({ client_metadata: settings }) => settings?.publish === "listener",
  },
  operator_client: {
    key: "clients.operator",
    gives: "a client that the operator registered",
    isGiven: ({ clients }) => clients.operator !== undefined,
  },
  operator_secret: {
    key: "clients.operator.client_secret",
    gives: "a confidential client that the operator registered",
    isGiven: ({ clients }) => clients.operator?.client_secret !== undefined,
  },
  disabled_client: {
    key: "clients.disabled",
    gives: "a client that the operator has disabled",
    isGiven: ({ clients }) => clients.disabled !== undefined,
  },
  disable_client_hook: {
    key: "hooks.disable_client",
    gives: "with dynamic registration, a way to disable a client",
    isGiven: ({ hooks, clients }) => hooks.disable_client !== undefined && clients.registration === "dynamic",
  },
  disable_document_client: {
    key: "hooks.disable_client",
    gives: "with client_metadata, a way to disable a client that has a URL for its id",
    isGiven: ({ hooks, client_metadata: documents }) =>
      hooks.disable_client !== undefined && documents !== undefined,
  },
  revoke_grants_hook: {
    key: "hooks.revoke_grants",
    gives: "a way to end a grant as the dashboard does",
    isGiven: ({ hooks }) => hooks.revoke_grants !== undefined,
  },
  revoke_document_grants: {
    key: "hooks.revoke_grants",
    gives: "with client_metadata, a way to end a grant of a client that has a URL for its id",
    isGiven: ({ hooks, client_metadata: documents }) =>
      hooks.revoke_grants !== undefined && documents !== undefined,
  },
  kill_node_hook: {
    key: "hooks.kill_node",
    gives: "with several nodes, a way to kill one of them",
    isGiven: ({ hooks }) => hooks.kill_node !== undefined,
  },
  link_inbox_hooks: {
    key: "hooks.unlink_inbox",
    gives: "with hooks.link_inbox, a way to take an inbox away and to give it back",
    isGiven: ({ hooks }) => hooks.unlink_inbox !== undefined && hooks.link_inbox !== undefined,
  },
  foreign_token_hook: {
    key: "hooks.foreign_token",
    gives: "access tokens of another issuer whose keys the target can read",
    isGiven: ({ hooks }) => hooks.foreign_token !== undefined,
  },
  internal_urls: {
    key: "internal_urls",
    gives: "the addresses of the internal mint endpoints",
    isGiven: ({ internal_urls: urls }) => urls !== undefined,
  },
  new_inbox: {
    key: "humans[].consent.new_inbox",
    gives: "how to create an inbox on the consent page, for the first human",
    isGiven: ({ humans: [first] }) =>
      first !== undefined && "new_inbox" in first.consent && first.consent.new_inbox !== undefined,
  },
  registration_limit: {
    key: "registration_limit",
    gives: "permission to use up the registrations of this address",
    isGiven: ({ registration_limit: limit }) => limit !== undefined,
  },
  restart: {
    key: "start.restart",
    gives: "with a command or an image that starts the target, permission to restart and kill it",
    isGiven: ({ start }) => namesTarget(start) && start.restart,
  },
  restart_with_dashboard: {
    key: "hooks.revoke_grants",
    gives: "with start.restart, a way to end a grant as the dashboard does",
    isGiven: ({ start, hooks }) => namesTarget(start) && start.restart && hooks.revoke_grants !== undefined,
  },
} as const satisfies Record<string, ProfileKey>;

export type Unlock = keyof typeof unlocks;

/** The key and what it gives. Reads after "needs". */
export function unlockWords(unlock: Unlock): string {
  const { key, gives } = unlocks[unlock];
  return `${key}: ${gives}`;
}
