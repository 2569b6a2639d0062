import type { ConsentRequest, Journey } from "./consent-driver.ts";
import { carries } from "./responses.ts";

/** Whether an address can be where the browser was sent back to: it is trusted no more than a page. */
export function isCallback(address: string, { redirectUris }: Pick<ConsentRequest, "redirectUris">): boolean {
  return redirectUris.some((uri) => {
    const rest = address.startsWith(uri) ? address.slice(uri.length) : undefined;
    return rest !== undefined && /^[?&#]/u.test(rest);
  });
}

/**
 * The journey of a person whose pages were not seen: what they were asked to decide counts as decided, but a code after a
 * denial shows that the target did not ask.
 */
export function unseenJourney(location: string, { decision }: Pick<ConsentRequest, "decision">): Journey {
  return {
    kind: "left",
    location,
    last: undefined,
    decided: !(decision === "deny" && carries("code", location)),
    narrowed: decision === "approve read-only",
    createdInbox: decision === "approve with a new inbox",
  };
}

/** The scopes that the person grants. */
export function decidedScopes({ decision, scopes }: Pick<ConsentRequest, "decision" | "scopes">): string[] {
  if (decision === "deny") return [];
  return scopes.filter((scope) => decision !== "approve read-only" || scope !== "mail.send");
}
