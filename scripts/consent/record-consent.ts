import type { Page } from "playwright-core";
import { launchChromium } from "../../suites/support/actors/chromium/launch-chromium.ts";
import { allowWatchedPages, watchPage } from "../../suites/support/actors/chromium/watched-page.ts";
import { leavesForClient } from "../../suites/support/actors/client-redirects.ts";
import { createSignInOrigins } from "../../suites/support/actors/consent/sign-in-origins.ts";
import { authorizationRequest, authorizationUrl } from "../../suites/support/actors/oauth-client.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import type { HumanProfile } from "../../suites/support/target/profile.ts";
import type { Target } from "../../suites/support/target/target.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { recordedAction, type RecordedAction, type RecordedConsent, stepsOf } from "./recorded-steps.ts";
import { recorderBinding, recorderScript } from "./recorder-script.ts";

interface Recording {
  readonly headless: boolean;
  /** What is done in the browser; nothing where a person sits there. */
  readonly perform?: (page: Page) => Promise<void>;
}

/**
 * Watches a person go through sign-in and consent once, up to the redirect to the client, which is not followed.
 *
 * @throws {InconclusiveError} consent-stuck, when the browser is closed before
 */
export async function recordConsent(
  target: Target,
  human: HumanProfile,
  { headless, perform = async () => {} }: Recording,
): Promise<RecordedConsent> {
  const { consent } = human;
  const client = await sharedClient(target, "public");
  const url = authorizationUrl(target, authorizationRequest(target, client).parameters);
  const browser = await launchChromium(consent.driver === "browser" ? consent : {}, { headless });
  try {
    const context = await browser.newContext({ serviceWorkers: "block", viewport: null });
    await allowWatchedPages(context);
    const actions: RecordedAction[] = [];
    await context.exposeBinding(recorderBinding, (_source, told: unknown) => {
      actions.push(recordedAction.parse(JSON.parse(String(told))));
    });
    await context.addInitScript(recorderScript);
    const page = await context.newPage();
    const origins = createSignInOrigins(target.profile, human);
    const leaves = leavesForClient(client.redirect_uris);
    const watched = await watchPage(target, page, { leaves, origins, password: undefined });
    await page.goto(url, { waitUntil: "commit" });
    await perform(page);
    while (watched.departure === undefined) {
      watched.requireSound();
      if (page.isClosed())
        throw new InconclusiveError(
          "consent-stuck",
          "the browser was closed before it was sent back to the client; nothing was recorded",
        );
      await target.pause(100);
    }
    return stepsOf(actions, consent.username);
  } finally {
    await browser.close();
  }
}
