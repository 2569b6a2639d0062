import type { LoadStep } from "../load-step.ts";
import { agentInboxesIfAvailable } from "./agent-inboxes.ts";
import { humanInboxes } from "./human-inboxes.ts";
import { pairedReads } from "./inbox-reads.ts";

/**
 * Pairs of concurrent JMAP reads of different inboxes: those of two humans with access tokens, and those of two agents with
 * capabilities, session documents included. No response may contain data of another inbox.
 */
export const jmapRead: LoadStep = {
  name: "jmap-read",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "api",
  async supply(target) {
    const inboxes = [...(await humanInboxes(target)), ...(await agentInboxesIfAvailable(target))];
    return {
      next: pairedReads(inboxes),
      close: () => inboxes.forEach((inbox) => inbox.close?.()),
    };
  },
};
