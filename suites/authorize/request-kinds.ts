import { agentResource, mcpResource } from "../support/actors/oauth-client.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";

/** Authorization requests between which the document does not distinguish. */
export interface RequestKind {
  readonly slug: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly client: ClientKind;
  readonly choice: (target: Target) => Promise<{ resource?: string; scope?: string }>;
}

export const publicRequest: RequestKind = {
  slug: "public",
  words: "of a public client",
  client: "public",
  choice: async () => ({}),
};

export const confidentialRequest: RequestKind = {
  slug: "confidential",
  words: "of a confidential client",
  client: "confidential",
  choice: async () => ({}),
};

export const mcpRequest: RequestKind = {
  slug: "mcp",
  words: "for the MCP resource",
  client: "public",
  choice: async (target) => ({ resource: mcpResource(target) }),
};

/** Needs a human: an inbox is known from their list. */
export const singleInboxRequest: RequestKind = {
  slug: "single-inbox",
  words: "for a single inbox",
  client: "public",
  choice: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
};

export const readOnlyRequest: RequestKind = {
  slug: "read-only",
  words: "for `mail.read` alone",
  client: "public",
  choice: async () => ({ scope: "mail.read" }),
};
