import { createBrowserDriver } from "./chromium/browser-driver.ts";
import { createCommandDriver } from "./consent/command-driver.ts";
import type { ConsentDriver } from "./consent/consent-driver.ts";
import { createFormDriver } from "./consent/form-driver.ts";
import { createManualDriver } from "./consent/manual-driver.ts";
import { unguessable } from "./oauth-client.ts";
import type { HumanProfile, Profile } from "../target/profile.ts";
import { readOnlyReason } from "../target/origins.ts";
import type { Target } from "../target/target.ts";
import { BlockedError } from "../verdict.ts";

/** The profile's humans by position: isolation checks need two. */
export type WhichHuman = "first" | "second";

/** A person in a browser: one session for the whole run, so that they sign in once. */
export interface HumanSession extends ConsentDriver {
  readonly name: string;
  /** For messages. */
  readonly driver: HumanProfile["consent"]["driver"];
}

/** @throws {BlockedError} when the profile has no such human, or the run is to make nothing: signing in makes a session */
export async function humanSession(target: Target, which: WhichHuman): Promise<HumanSession> {
  if (target.isReadOnly) throw new BlockedError(readOnlyReason);
  return target.once(`human:${which}`, async () => newHumanSession(target, which));
}

/**
 * The same person in a browser of its own, where nobody has signed in yet.
 *
 * @throws {BlockedError} as {@link humanSession}
 */
export function newHumanSession(target: Target, which: WhichHuman): HumanSession {
  if (target.isReadOnly) throw new BlockedError(readOnlyReason);
  const human = humanOf(target, which);
  const { name, consent } = human;
  return { name, driver: consent.driver, ...driverFor(target.profile, human) };
}

/**
 * Somebody who knows the person's name and types another password, once: providers lock accounts after a few.
 *
 * @throws {BlockedError} as {@link humanSession}, and where the person's driver is another than form
 */
export function guesserSession(target: Target, which: WhichHuman): HumanSession {
  if (target.isReadOnly) throw new BlockedError(readOnlyReason);
  const { name, consent } = humanOf(target, which);
  if (consent.driver !== "form")
    throw new BlockedError(
      `needs the consent driver form to type a wrong password; that of ${name} is ${consent.driver}`,
    );
  const person = { ...consent, password: `wrong-${unguessable()}` };
  return { name, driver: consent.driver, ...createFormDriver(target.profile, { name }, person, 1) };
}

function humanOf({ profile }: Target, which: WhichHuman): HumanProfile {
  const human = profile.humans[which === "first" ? 0 : 1];
  if (human === undefined) throw new BlockedError(`needs a ${which} human; add one to humans in the profile`);
  return human;
}

function driverFor(profile: Profile, human: HumanProfile): ConsentDriver {
  const { consent } = human;
  switch (consent.driver) {
    case "form":
      return createFormDriver(profile, human, consent);
    case "browser":
      return createBrowserDriver(profile, human, consent);
    case "command":
      return createCommandDriver(human, consent);
    case "manual":
      return createManualDriver(human, consent);
  }
}
