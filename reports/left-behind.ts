import type { RunLeftBehind } from "./run-format.ts";

/** What stays on a target, in words that read after "left behind:". */
export function leftBehindWords({ clients, grants, agents, emails, submissions }: RunLeftBehind): string {
  const staying = clients.filter(({ isDeleted }) => !isDeleted).length;
  return [
    `${staying} of ${clients.length} clients`,
    `${grants.made - grants.revoked} of ${grants.made} grants (the others revoked)`,
    `${agents.length} ${agents.length === 1 ? "agent" : "agents"}`,
    `${emails} drafts and messages put into inboxes`,
    `${submissions} submitted`,
  ].join(", ");
}
