import { isOwnOrigin } from "../../target/origins.ts";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Topic } from "../../target/notes.ts";
import type { Target } from "../../target/target.ts";
import { InconclusiveError } from "../../verdict.ts";

/** Where passwords were typed in this run. */
export const passwordOrigins: Topic<string> = { name: "origins that were given a password" };

/** The origins where one person's password may be typed, and to which it may be sent. */
export interface SignInOrigins {
  /** The first origin that the target sends this person to is taken for their identity provider. */
  learn(navigation: { readonly from: string; readonly url: string }): void;
  /** @throws {InconclusiveError} consent-stuck, when nobody is known to sign in there */
  require(url: string): void;
  /** Notes that a password was given. */
  note(target: Target, url: string): void;
}

export function createSignInOrigins(profile: Profile, { name }: Pick<HumanProfile, "name">): SignInOrigins {
  let firstForeign: string | undefined;

  function expectedOrigin(): string {
    const isLearnt = profile.sign_in_origins === undefined && firstForeign !== undefined;
    return isLearnt ? ` (the target first sent the browser to ${firstForeign})` : "";
  }

  return {
    learn({ from, url }) {
      const leavesTarget = isOwnOrigin(profile, from) && !isOwnOrigin(profile, url);
      if (leavesTarget) firstForeign ??= new URL(url).origin;
    },
    require(url) {
      const { origin } = new URL(url);
      const isKnown =
        profile.sign_in_origins?.includes(origin) ??
        (isOwnOrigin(profile, origin) || origin === firstForeign);
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
    },
    note(target, url) {
      const { origin } = new URL(url);
      if (!target.noted(passwordOrigins).includes(origin)) target.note(passwordOrigins, origin);
    },
  };
}
