import { redirectUris } from "../support/material/registrations.ts";
import type { NearMiss } from "./near-miss.ts";

const confidential = { client: "confidential" } as const;

/** Near misses of clients other than the ordinary one: comparisons must be exact for each of them. */
export const clientNearMisses: readonly NearMiss[] = [
  {
    ...confidential,
    requirement: "REDIR-03",
    slug: "confidential",
    words: "of a confidential client with `/x` added",
    sent: ({ whole }) => `${whole}/x`,
  },
  {
    ...confidential,
    requirement: "REDIR-05",
    slug: "confidential",
    words: "of a confidential client with another path at the registered origin",
    sent: ({ scheme, host, port }) => `${scheme}://${host}${port}/attacker`,
  },
  {
    ...confidential,
    requirement: "REDIR-13",
    slug: "confidential",
    words: "of a confidential client with `?x=1` added",
    sent: ({ whole }) => `${whole}?x=1`,
  },
  {
    requirement: "REDIR-14",
    slug: "parameters-reordered",
    words: "with the parameters of its query in another order",
    client: "spellings",
    registered: redirectUris.twoParameters,
    sent: ({ whole }) => whole.replace(/\?.*$/u, "?b=2&a=1"),
  },
];
