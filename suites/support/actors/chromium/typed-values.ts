import { randomBytes } from "node:crypto";
import type { BrowserConsent, BrowserStep } from "../../target/consent-settings.ts";
import type { Target } from "../../target/target.ts";
import type { SignInOrigins } from "../consent/sign-in-origins.ts";
import { totpCode, totpCounter, totpSettings } from "./totp.ts";

/** What a person types or selects, with the placeholders of the profile filled in. */
export interface TypedValues {
  /**
   * @param url - of the page
   * @throws {InconclusiveError} consent-stuck, when a secret would be typed where nobody is known to sign in
   */
  of(target: Target, step: BrowserStep, url: string): Promise<string>;
}

export function createTypedValues(consent: BrowserConsent, origins: SignInOrigins): TypedValues {
  let lastCounter = -1;

  /** RFC 6238 §5.2: a code is accepted once. */
  async function nextTotpCode(target: Target): Promise<string> {
    const settings = totpSettings(consent.totp ?? "");
    while (totpCounter(settings, Date.now()) <= lastCounter) await target.pause(500);
    lastCounter = totpCounter(settings, Date.now());
    return totpCode(settings, lastCounter);
  }

  return {
    async of(target, { value = "" }, url) {
      if (/\{(?:password|totp)\}/u.test(value)) origins.require(url);
      const totp = value.includes("{totp}") ? await nextTotpCode(target) : "";
      return value
        .replaceAll("{username}", () => consent.username)
        .replaceAll("{password}", () => consent.password ?? "")
        .replaceAll("{totp}", () => totp)
        .replaceAll("{new_inbox}", () => `mailproof-${randomBytes(5).toString("hex")}`);
    },
  };
}
