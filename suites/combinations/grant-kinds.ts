import { agentResource, jmapResource, mcpResource } from "../support/actors/oauth-client.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import type { Need } from "../support/judging/check.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import type { GrantSpec } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { otherClients } from "../support/material/other-clients.ts";
import type { Target } from "../support/target/target.ts";
import { type Factors, pairwise } from "./pairs.ts";

/** What the document's promises to a grant do not depend on. */
export interface Choice extends Readonly<Record<string, string>> {
  readonly client: "public" | "confidential" | "document" | "operator";
  readonly resource: "jmap" | "mcp" | "inbox";
  readonly scope: "read" | "send" | "both";
  readonly human: WhichHuman;
}

/** A kind of grant: one combination of client, resource, scopes and person. */
export interface GrantKind {
  readonly choice: Choice;
  /** `<client>-<resource>-<scope>-<human>`. */
  readonly slug: string;
  /** Reads after "a grant of" or "a code of". */
  readonly words: string;
  /** What a check of it needs, and the key of the profile that unlocks its client. */
  readonly conditions: { readonly needs: readonly Need[]; readonly unlockedBy?: Unlock };
  /** How to obtain it. */
  spec(target: Target): Promise<GrantSpec>;
}

const clientWords = {
  public: "a public client",
  confidential: "a confidential client",
  document: "a metadata-document client",
  operator: "an operator-registered client",
};
const resourceWords = { jmap: "JMAP resource", mcp: "MCP resource", inbox: "single inbox" };
const scopes = { read: "mail.read", send: "mail.send", both: "mail.read mail.send" };
const scopeWords = { read: "`mail.read`", send: "`mail.send`", both: "both scopes" };

async function resourceOf(target: Target, { resource, human }: Choice): Promise<string> {
  switch (resource) {
    case "jmap":
      return jmapResource(target);
    case "mcp":
      return mcpResource(target);
    case "inbox":
      return agentResource(target, await inboxOf(target, human));
  }
}

export function grantKind(choice: Choice): GrantKind {
  const { client, resource, scope, human } = choice;
  const unlockedBy = otherClients.find((other) => other.client === client)?.unlockedBy;
  return {
    choice,
    slug: `${client}-${resource}-${scope}-${human}`,
    words: `${clientWords[client]} (${resourceWords[resource]}, ${scopeWords[scope]}, ${human} person)`,
    conditions: {
      needs: human === "second" ? ["human", "second-human"] : ["human"],
      ...(unlockedBy !== undefined && { unlockedBy }),
    },
    spec: async (target) => ({
      client,
      human,
      scope: scopes[scope],
      resource: await resourceOf(target, choice),
    }),
  };
}

export const grantFactors: Factors<Pick<Choice, "client" | "resource" | "scope" | "human">> = {
  client: ["public", "confidential"],
  resource: ["jmap", "mcp", "inbox"],
  scope: ["both", "read", "send"],
  human: ["first", "second"],
};

/** Of clients that did not register themselves: each resource, scope and person at least once. */
const ofOtherClients: readonly GrantKind[] = otherClients.flatMap(({ client }) =>
  (
    [
      { resource: "jmap", scope: "both", human: "first" },
      { resource: "mcp", scope: "read", human: "second" },
      { resource: "inbox", scope: "send", human: "first" },
    ] as const
  ).map((choice) => grantKind({ client, ...choice })),
);

/** Kinds of grant in which every two choices meet: a promise that holds for each of them holds for every pair. */
export const grantKinds: readonly GrantKind[] = [
  ...pairwise<Choice>(grantFactors).map(grantKind),
  ...ofOtherClients,
];

const sampled: readonly string[] = [
  "public-mcp-read-second",
  "confidential-jmap-send-second",
  "confidential-inbox-read-first",
  "document-jmap-both-first",
  "operator-jmap-both-first",
];

/**
 * The fewest kinds that have every choice but those of the other suites, which judge these rules for a public client, the
 * JMAP resource, both scopes and the first person.
 */
export const sampledKinds: readonly GrantKind[] = grantKinds.filter(({ slug }) => sampled.includes(slug));

/** The check that judges by itself whether a used code is refused to such a client. */
export function usedCode({ client }: Pick<Choice, "client">): string {
  return client === "confidential" ? "CODE-01/confidential" : "CODE-01/public";
}
