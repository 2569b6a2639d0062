import type { RunLeftBehind } from "./run-format.ts";

/** What stays on a target, in words that read after "left behind:". */
export function leftBehindWords({ clients, grants, agents, emails, submissions }: RunLeftBehind): string {
  const staying = clients.filter(({ isDeleted }) => !isDeleted).length;
  return [
    `${staying} of ${clients.length} clients`,
    grantWords(grants),
    `${agents.length} ${agents.length === 1 ? "agent" : "agents"}`,
    `${emails} drafts and messages put into inboxes`,
    `${submissions} submitted`,
  ].join(", ");
}

function grantWords({ made, revoked, refusedWith }: RunLeftBehind["grants"]): string {
  if (made === 0) return "no grants";
  if (revoked === made) return `no grants (${made} made, all revoked)`;
  const notes = [
    ...(refusedWith === undefined ? [] : [`revocation answered with ${refusedWith}`]),
    revoked === 0 ? "none revoked" : "the others revoked",
  ];
  return `${made - revoked} of ${made} grants (${notes.join("; ")})`;
}
