import { isOwnOrigin } from "../../target/origins.ts";
import type { Target } from "../../target/target.ts";
import { type Exchange, isHtml } from "../../wire/exchange.ts";

/** Whether an answer is a page that a person can read and act on. */
export function isPage(exchange: Exchange): boolean {
  return isHtml(exchange);
}

/** A code of the target on its way to a stranger: to be judged, not to be delivered. */
export function leaksCode(target: Target, location: string, from: string): boolean {
  const url = URL.parse(location, from);
  return (
    url !== null &&
    isOwnOrigin(target.profile, from) &&
    !isOwnOrigin(target.profile, url.href) &&
    url.searchParams.has("code")
  );
}

/** Whether an address carries an authorization response in its query. */
export function carries(name: "code" | "error", url: string): boolean {
  return new RegExp(`[?&]${name}=`, "u").test(url.split("#", 1)[0] ?? "");
}
