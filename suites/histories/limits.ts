const day = 86_400;

/** From when on something may have expired, and when it has: "Limits", with what clocks may differ by (C-28, C-39). */
export const lifetimes = {
  code: { mayHaveEnded: 10, hasEnded: 660 },
  accessToken: { mayHaveEnded: 900 - 120, hasEnded: 900 + 60 },
  refreshToken: { mayHaveEnded: 90 * day - 3600, hasEnded: 90 * day + 3600 },
} as const;
