import { type Cookie, CookieJar as ToughCookieJar, MemoryCookieStore } from "tough-cookie";
import { type Exchange, headerValues } from "../../wire/exchange.ts";

/** The cookies of one browser session (RFC 6265): ports of one host share them, as in a browser. */
export interface CookieJar {
  store(exchange: Exchange): void;
  /**
   * The `Cookie` header value for a request to `url`, or undefined when there is nothing to send.
   *
   * @param by - how another site makes the browser send the request; left out for the site's own pages
   */
  headerFor(url: string, by?: FromOtherSite): string | undefined;
}

/** How another site makes a browser send a request that it stays on: with a link, or with a form that it posts. */
export type FromOtherSite = "link" | "form";

// RFC 6265bis §5.2: "lax" cookies come with a link. Not every browser takes a cookie without SameSite for one of those.
const sameSiteContexts = { link: "lax", form: "none" } as const;

// What a browser must be able to keep of one host (RFC 6265 §6.1). A run opens hundreds of authorizations in one session,
// and a target that sets a cookie for each would be sent more than its server reads.
const mostCookiesOfHost = 50;

export function createCookieJar(): CookieJar {
  const kept = new MemoryCookieStore();
  // Local names such as auth.localhost are not public suffixes to a browser either.
  const jar = new ToughCookieJar(kept, { allowSpecialUseDomain: true });
  return {
    store(exchange) {
      for (const line of headerValues(exchange, "set-cookie"))
        // What a browser would not keep is not kept: a foreign domain, a public suffix, a malformed line.
        jar.setCookieSync(line, exchange.request.url, { ignoreError: true });
      removeExcess(kept, new URL(exchange.request.url).hostname);
    },
    headerFor: (url, by) =>
      jar.getCookieStringSync(url, by === undefined ? {} : { sameSiteContext: sameSiteContexts[by] }) ||
      undefined,
  };
}

// The cookies of the authorizations that are under way, a dozen at a time with a few each.
const newestSpared = mostCookiesOfHost / 2;

/**
 * Of the older half, what has most cookies named like it goes first, then what ends soonest: a target that sets a cookie
 * for each authorization would otherwise push out that of the sign-in, in the middle of the next one. A cookie that is set
 * again keeps its age, as in a browser, unless it was removed meanwhile.
 */
function removeExcess(kept: MemoryCookieStore, host: string): void {
  kept.findCookies(host, "", true, (_error, cookies = []) => {
    const older = cookies.toSorted((a, b) => a.creationIndex - b.creationIndex).slice(0, -newestSpared);
    const excess = Math.max(0, cookies.length - mostCookiesOfHost);
    const named = Map.groupBy(cookies, ({ key }) => beginningOf(key));
    const alike = ({ key }: Cookie) => named.get(beginningOf(key))?.length ?? 0;
    // The sort is stable: what ends at the same time, or with the session, goes by age.
    const going = older.toSorted((a, b) => alike(b) - alike(a) || endOf(a) - endOf(b)).slice(0, excess);
    for (const { domain, path, key } of going)
      kept.removeCookie(domain ?? host, path ?? "/", key, () => undefined);
  });
}

/** What the names of a cookie for each authorization have in common: `txn` of `__Host-txn_7Jk2`. */
function beginningOf(name: string): string {
  return name.replace(/^__(?:Host|Secure)-/i, "").slice(0, 3);
}

/** In milliseconds since 1970; a cookie without an end lasts as long as the session of the browser. */
function endOf(cookie: Cookie): number {
  return cookie.expiryTime() ?? Number.MAX_VALUE;
}
