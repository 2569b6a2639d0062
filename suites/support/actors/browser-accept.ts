/** What a browser sends that opens an address: HTML first, and everything else as well. */
export const browserAccept = [
  "Accept",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
] as const;
