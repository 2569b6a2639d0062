import { getPublicSuffix } from "tough-cookie";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { type Exchange, isRedirect } from "../../wire/exchange.ts";
import { isLoopback } from "../../wire/proxy-settings.ts";
import { type CookieJar, createCookieJar } from "./cookie-jar.ts";
import { defaultReferrerPolicy, refererFor, type ReferrerPolicy, referrerPolicyOf } from "./referrer.ts";
import { createSignInOrigins } from "./sign-in-origins.ts";

/** What a browser sends when a person opens an address, follows a link or submits a form. */
export interface Navigation {
  readonly url: string;
  /** Undefined for a GET. */
  readonly form?: { readonly contentType: string; readonly body: string } | undefined;
  /** The form, or the address, holds the person's password. */
  readonly hasPassword: boolean;
  /** Called when it is sent once more. */
  readonly onRepeated?: () => void;
  /** The page that led here; undefined for an address that the person opens. */
  readonly from?: string;
}

/**
 * The browser session of a person whose pages are followed over HTTP. It leaves the target's origins, to identity providers,
 * and sends the password to sign-in origins alone.
 */
export interface Browser {
  readonly jar: CookieJar;
  /** @throws {InconclusiveError} consent-stuck, when a password would go to an origin where nobody is known to sign in */
  go(target: Target, navigation: Navigation): Promise<Exchange>;
}

export function createBrowser(profile: Profile, human: Pick<HumanProfile, "name">): Browser {
  const jar = createCookieJar();
  const origins = createSignInOrigins(profile, human);
  /** Of the pages that the person has seen, by their addresses. */
  const referrerPolicies = new Map<string, ReferrerPolicy>();

  return {
    jar,
    async go(target, navigation) {
      const { url, form, hasPassword, from = url, onRepeated } = navigation;
      origins.learn({ from, url });
      if (hasPassword) {
        origins.require(from);
        origins.require(url);
        origins.note(target, url);
      }
      const cookies = jar.headerFor(url);
      // An address that the person opens has none, also where they have seen it before.
      const policy = navigation.from === undefined ? undefined : referrerPolicies.get(navigation.from);
      const referer = policy && refererFor(policy, from, url);
      const exchange = await target.send({
        method: form === undefined ? "GET" : "POST",
        url,
        beyondTarget: true,
        headers: [
          ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
          ...fetchMetadata(navigation.from, url),
          // What a browser tells of a top-level navigation; servers that check it against cross-site posts accept it.
          ...(form === undefined
            ? []
            : [["Content-Type", form.contentType] as const, ["Origin", new URL(from).origin] as const]),
          ...(referer === undefined ? [] : [["Referer", referer] as const]),
          ...(cookies === undefined ? [] : [["Cookie", cookies] as const]),
        ],
        ...(form !== undefined && { body: form.body }),
        ...(onRepeated !== undefined && { onRepeated }),
      });
      jar.store(exchange);
      if (!isRedirect(exchange))
        referrerPolicies.set(url, referrerPolicyOf(exchange) ?? defaultReferrerPolicy);
      return exchange;
    },
  };
}

/**
 * Fetch Metadata of a top-level navigation, which browsers send to origins that nobody can listen to. W3C Fetch Metadata §2.
 *
 * @param from - the page that led there; undefined where the person opened the address
 */
function fetchMetadata(from: string | undefined, url: string): (readonly [string, string])[] {
  const next = new URL(url);
  if (next.protocol !== "https:" && !isLoopback(next.hostname.replaceAll(/[[\]]/gu, ""))) return [];
  return [
    ["Sec-Fetch-Site", from === undefined ? "none" : relation(new URL(from), next)],
    ["Sec-Fetch-Mode", "navigate"],
    ["Sec-Fetch-User", "?1"],
    ["Sec-Fetch-Dest", "document"],
  ];
}

function relation(from: URL, to: URL): string {
  if (from.origin === to.origin) return "same-origin";
  const siteOf = ({ protocol, hostname }: URL): string =>
    `${protocol}//${getPublicSuffix(hostname, { allowSpecialUseDomain: true, ignoreError: true }) ?? hostname}`;
  return siteOf(from) === siteOf(to) ? "same-site" : "cross-site";
}
