import { chmodSync, existsSync, writeFileSync } from "node:fs";
import type { BrowserContext } from "playwright-core";
import type { BrowserConsent } from "../../target/consent-settings.ts";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError } from "../../verdict.ts";
import { launchChromium } from "./launch-chromium.ts";
import { allowWatchedPages } from "./watched-page.ts";

/**
 * A person's own session in the browser of the run, with what an earlier run kept of it.
 *
 * @throws {BlockedError} when there is no browser, or the state of the earlier run cannot be used
 */
export async function openSession(
  target: Target,
  { resolve }: Pick<Profile, "resolve">,
  human: Pick<HumanProfile, "name">,
  consent: BrowserConsent,
): Promise<BrowserContext> {
  const { executable_path: path, channel, state_file: state } = consent;
  const browser = await target.opened(`chromium:${path ?? channel ?? ""}`, () =>
    launchChromium(consent, { resolve }),
  );
  const options = { serviceWorkers: "block", acceptDownloads: false } as const;
  const context =
    state === undefined || !existsSync(state)
      ? await browser.newContext(options)
      : await browser.newContext({ ...options, storageState: state }).catch((cause: unknown) => {
          throw new BlockedError(
            `the state_file ${state} of ${human.name} cannot be used; remove it, and they sign in again`,
            { cause },
          );
        });
  await allowWatchedPages(context);
  return context;
}

/** Providers renew the session at each sign-in, and an older state would have to sign in again. */
export async function saveState(
  context: BrowserContext,
  { state_file: path }: Pick<BrowserConsent, "state_file">,
): Promise<void> {
  if (path === undefined) return;
  writeFileSync(path, JSON.stringify(await context.storageState()), { mode: 0o600 });
  chmodSync(path, 0o600);
}
