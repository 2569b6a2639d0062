import { CookieJar as ToughCookieJar } from "tough-cookie";
import { type Exchange, headerValues } from "../../wire/exchange.ts";

/** The cookies of one browser session (RFC 6265): ports of one host share them, as in a browser. */
export interface CookieJar {
  store(exchange: Exchange): void;
  /** The `Cookie` header value for a request to `url`, or undefined when there is nothing to send. */
  headerFor(url: string): string | undefined;
}

export function createCookieJar(): CookieJar {
  // Local names such as auth.localhost are no public suffixes to a browser either.
  const jar = new ToughCookieJar(undefined, { allowSpecialUseDomain: true });
  return {
    store(exchange) {
      for (const line of headerValues(exchange, "set-cookie"))
        // What a browser would not keep is not kept: a foreign domain, a public suffix, a malformed line.
        jar.setCookieSync(line, exchange.request.url, { ignoreError: true });
    },
    headerFor: (url) => jar.getCookieStringSync(url) || undefined,
  };
}
