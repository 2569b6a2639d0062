/** The suites by area: the faults of each area are proved in a process of their own. */
export const areas = {
  access: ["bearer", "account-header", "agents", "jmap"],
  authorization: [
    "metadata",
    "registration",
    "client-metadata",
    "authorize",
    "pkce",
    "redirect-uri",
    "resource",
    "errors",
  ],
  proofs: ["pow"],
  sessions: ["sessions", "token-confusion"],
  tokens: ["token", "code", "combinations", "refresh", "revocation", "scope", "histories"],
} as const satisfies Record<string, readonly string[]>;

export type Area = keyof typeof areas;
