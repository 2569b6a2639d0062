import type { Exchange } from "../support/wire/exchange.ts";

/** Where an answer came from, without the query, which may carry secrets. */
export function placeOf({ number, request }: Exchange): string {
  return `exchange ${number}, ${request.method} ${request.url.split("?", 1)[0]}`;
}
