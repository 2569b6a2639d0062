import type { Exchange } from "./exchange.ts";

const namesOfHosts: readonly string[] = ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded"];

/**
 * Whether a request was refused that says to be for another host, which nobody need serve: what refuses it may stand before
 * the service and know nothing of its errors. RFC 9110 §7.4, §15.5.20.
 */
export function isMisdirectedRefusal({
  request,
  response: { status },
}: Pick<Exchange, "request" | "response">): boolean {
  if (status === 421) return true;
  return (
    status >= 400 &&
    status < 500 &&
    request.headers.some(([name]) => namesOfHosts.includes(name.toLowerCase()))
  );
}
