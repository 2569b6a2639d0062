import { type Browser, createBrowser } from "./consent/browser.ts";
import type { CookieJar } from "./consent/cookie-jar.ts";
import type { FormConsent } from "../target/profile.ts";
import type { Target } from "../target/target.ts";
import { BlockedError } from "../verdict.ts";

/** The profile's humans by position: isolation checks need two. */
export type WhichHuman = "first" | "second";

/** A person in a browser: one session for the whole run, so that they sign in once. */
export interface HumanSession {
  readonly name: string;
  readonly consent: FormConsent;
  readonly browser: Browser;
  readonly jar: CookieJar;
}

/** @throws {BlockedError} when the profile has no such human */
export function humanSession(target: Target, which: WhichHuman): Promise<HumanSession> {
  return target.once(`human:${which}`, async () => {
    const human = target.profile.humans[which === "first" ? 0 : 1];
    if (human === undefined)
      throw new BlockedError(`needs a ${which} human; add one to humans in the profile`);
    const browser = createBrowser(target.profile, human);
    return { name: human.name, consent: human.consent, browser, jar: browser.jar };
  });
}
