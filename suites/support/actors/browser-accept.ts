import type { Exchange } from "../wire/exchange.ts";

/** What a browser sends that opens an address: HTML first, and everything else as well. */
export const browserAccept = [
  "Accept",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
] as const;

/** Whether a request was sent with {@link browserAccept}. */
export function isAskedByBrowser({ request }: Pick<Exchange, "request">): boolean {
  return request.headers.some(
    ([name, value]) => name.toLowerCase() === "accept" && value === browserAccept[1],
  );
}
