const day = 86_400;
// The most that the profile's token_leeway_seconds can say: these rules know no profile. TOKEN-19 judges the rest.
const mostLeewaySeconds = 300;

/** From when on something may have expired, and when it has: "Limits", with what clocks may differ by (C-28, C-39). */
export const lifetimes = {
  code: { mayHaveEnded: 10, hasEnded: 660 },
  accessToken: { mayHaveEnded: 900 - 120, hasEnded: 900 + mostLeewaySeconds },
  refreshToken: { mayHaveEnded: 90 * day - 3600, hasEnded: 90 * day + 3600 },
} as const;
