import type { Exchange, HeaderLines } from "./exchange.ts";

const namesOfHosts: readonly string[] = ["host", "x-forwarded-host", "x-forwarded-proto", "forwarded"];

/**
 * Whether a request was refused that says to be for another host, which nobody need serve: what refuses it may stand before
 * the service and know nothing of its errors. RFC 9110 §7.4, §15.5.20.
 *
 * @param usual - header lines that every request to the address has, which say nothing about this one
 */
export function isMisdirectedRefusal(
  { request, response: { status } }: Pick<Exchange, "request" | "response">,
  usual: HeaderLines,
): boolean {
  if (status === 421) return true;
  const isUsual = (name: string, value: string): boolean =>
    usual.some(([other, text]) => other.toLowerCase() === name.toLowerCase() && text === value);
  return (
    status >= 400 &&
    status < 500 &&
    request.headers.some(
      ([name, value]) => namesOfHosts.includes(name.toLowerCase()) && !isUsual(name, value),
    )
  );
}
