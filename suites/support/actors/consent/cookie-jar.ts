import { CookieJar as ToughCookieJar, MemoryCookieStore } from "tough-cookie";
import { type Exchange, headerValues } from "../../wire/exchange.ts";

/** The cookies of one browser session (RFC 6265): ports of one host share them, as in a browser. */
export interface CookieJar {
  store(exchange: Exchange): void;
  /** The `Cookie` header value for a request to `url`, or undefined when there is nothing to send. */
  headerFor(url: string): string | undefined;
}

// What a browser must be able to keep of one host (RFC 6265 §6.1). A run opens hundreds of authorizations in one session,
// and a target that sets a cookie for each would be sent more than its server reads.
const mostCookiesOfHost = 50;

export function createCookieJar(): CookieJar {
  const kept = new MemoryCookieStore();
  // Local names such as auth.localhost are no public suffixes to a browser either.
  const jar = new ToughCookieJar(kept, { allowSpecialUseDomain: true });
  return {
    store(exchange) {
      for (const line of headerValues(exchange, "set-cookie"))
        // What a browser would not keep is not kept: a foreign domain, a public suffix, a malformed line.
        jar.setCookieSync(line, exchange.request.url, { ignoreError: true });
      removeOldest(kept, new URL(exchange.request.url).hostname);
    },
    headerFor: (url) => jar.getCookieStringSync(url) || undefined,
  };
}

/** A cookie that is set again keeps its age, as in a browser, unless it was removed meanwhile. */
function removeOldest(kept: MemoryCookieStore, host: string): void {
  kept.findCookies(host, "", true, (_error, cookies = []) => {
    const byAge = cookies.toSorted((a, b) => a.creationIndex - b.creationIndex);
    for (const { domain, path, key } of byAge.slice(0, -mostCookiesOfHost))
      kept.removeCookie(domain ?? host, path ?? "/", key, () => undefined);
  });
}
