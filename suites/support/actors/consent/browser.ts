import type { HumanProfile, Profile } from "../../target/profile.ts";
import { isOwnOrigin } from "../../target/origins.ts";
import type { Target, Topic } from "../../target/target.ts";
import { InconclusiveError } from "../../verdict.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type CookieJar, createCookieJar } from "./cookie-jar.ts";

/** What a browser sends when a person opens an address, follows a link or submits a form. */
export interface Navigation {
  readonly url: string;
  /** Undefined for a GET. */
  readonly form?: { readonly contentType: string; readonly body: string } | undefined;
  /** The form, or the address, holds the person's password. */
  readonly hasPassword: boolean;
  /** The page that led here; undefined for an address that the person opens. */
  readonly from?: string;
}

/**
 * A person's browser session. The only thing in the suites that leaves the target's origins, to identity providers, and the
 * only one that knows a password: it types it at sign-in origins and nowhere else.
 */
export interface Browser {
  readonly jar: CookieJar;
  /** @throws {InconclusiveError} consent-stuck, when a password would go to an origin where nobody is known to sign in */
  go(target: Target, navigation: Navigation): Promise<Exchange>;
}

/** Where passwords were typed in this run. */
export const passwordOrigins: Topic<string> = { name: "origins that were given a password" };

export function createBrowser(profile: Profile, { name }: Pick<HumanProfile, "name">): Browser {
  const jar = createCookieJar();
  let firstForeign: string | undefined;

  /** The first origin that the target sends this person to is taken for their identity provider. */
  function learn({ url, from }: Navigation): void {
    const leavesTarget = from !== undefined && isOwnOrigin(profile, from) && !isOwnOrigin(profile, url);
    if (leavesTarget) firstForeign ??= new URL(url).origin;
  }

  function requireSignInOrigin(origin: string, url: string): void {
    const isKnown =
      profile.sign_in_origins?.includes(origin) ?? (isOwnOrigin(profile, origin) || origin === firstForeign);
    const isDowngrade = profile.auth_url.startsWith("https:") && !origin.startsWith("https:");
    if (isKnown && !isDowngrade) return;
    const address = url.split(/[?#]/u, 1)[0];
    const reason = isDowngrade
      ? "which is plain http, while the target is at https"
      : `which is not known as a place to sign in; if people sign in there, list ${JSON.stringify(origin)} in sign_in_origins of the profile${expectedOrigin()}`;
    throw new InconclusiveError(
      "consent-stuck",
      `the password of ${name} was not sent to ${address}, ${reason}`,
    );
  }

  function expectedOrigin(): string {
    const isLearnt = profile.sign_in_origins === undefined && firstForeign !== undefined;
    return isLearnt ? ` (the target first sent the browser to ${firstForeign})` : "";
  }

  return {
    jar,
    async go(target, navigation) {
      learn(navigation);
      const { url, form, hasPassword, from = url } = navigation;
      const { origin } = new URL(url);
      if (hasPassword) {
        requireSignInOrigin(new URL(from).origin, from);
        requireSignInOrigin(origin, url);
        if (!target.noted(passwordOrigins).includes(origin)) target.note(passwordOrigins, origin);
      }
      const cookies = jar.headerFor(url);
      const exchange = await target.send({
        method: form === undefined ? "GET" : "POST",
        url,
        beyondTarget: true,
        headers: [
          ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
          // What a browser tells of a top-level navigation; servers that check it against cross-site posts accept it.
          ...(form === undefined
            ? []
            : [["Content-Type", form.contentType] as const, ["Origin", new URL(from).origin] as const]),
          ...(cookies === undefined ? [] : [["Cookie", cookies] as const]),
        ],
        ...(form !== undefined && { body: form.body }),
      });
      jar.store(exchange);
      return exchange;
    },
  };
}
