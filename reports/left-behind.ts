import { counted } from "./format.ts";
import type { RunLeftBehind } from "./run-format.ts";

/** What stays on a target, in words that read after "left behind:". */
export function leftBehindWords({ clients, grants, agents, emails, submissions }: RunLeftBehind): string {
  const staying = clients.filter(({ isDeleted }) => !isDeleted).length;
  return [
    `${staying} of ${clients.length} clients`,
    grantWords(grants),
    counted(agents.length, "agent"),
    `${emails} drafts and messages put into inboxes`,
    `${submissions} submitted`,
  ].join(", ");
}

function grantWords(grants: RunLeftBehind["grants"]): string {
  const { made, revoked, ofDisabledClients = 0, refusedWith } = grants;
  if (made === 0) return "no grants";
  if (revoked === made) return `no grants (${made} made, all revoked)`;
  const staying = made - revoked;
  const whose = `${ofDisabledClients === staying ? "" : `${ofDisabledClients} `}of clients that the run disabled`;
  const notes = [
    ...(ofDisabledClients === 0 ? [] : [whose]),
    ...(refusedWith === undefined ? [] : [`revocation answered with ${refusedWith}`]),
    revoked === 0 ? "none revoked" : "the others revoked",
  ];
  return `${staying} of ${made} grants (${notes.join("; ")})`;
}
