import type { LoadStep } from "../load-step.ts";
import { agentInboxesIfAffordable } from "./agent-inboxes.ts";
import { humanInboxes } from "./human-inboxes.ts";
import { pairedReads } from "./inbox-reads.ts";

/**
 * Two JMAP reads at the same moment, each for another inbox: of two people with their access tokens, and of two agents with
 * their capabilities, session documents included. No answer shows anything of an inbox that was not asked.
 */
export const jmapRead: LoadStep = {
  name: "jmap-read",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "api",
  async supply(target) {
    const inboxes = [...(await humanInboxes(target)), ...(await agentInboxesIfAffordable(target))];
    return {
      next: pairedReads(inboxes),
      close: () => inboxes.forEach((inbox) => inbox.close?.()),
    };
  },
};
