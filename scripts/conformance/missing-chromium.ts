import { findChromium } from "../../suites/support/actors/chromium/find-chromium.ts";
import { BlockedError } from "../../suites/support/verdict.ts";

/** @returns why tests that need a browser cannot run on this machine, undefined where they can */
export function missingChromium(): string | undefined {
  try {
    findChromium({});
    return undefined;
  } catch (error) {
    if (error instanceof BlockedError) return "Chromium is not installed";
    throw error;
  }
}
