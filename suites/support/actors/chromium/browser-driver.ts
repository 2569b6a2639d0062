import type { BrowserContext, Page } from "playwright-core";
import type { BrowserConsent } from "../../target/consent-settings.ts";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError, InconclusiveError, interrupted } from "../../verdict.ts";
import type { ConsentDriver, ConsentRequest, Journey } from "../consent/consent-driver.ts";
import { createSignInOrigins } from "../consent/sign-in-origins.ts";
import { closePages } from "./close-pages.ts";
import { openSession, saveState } from "./signed-in-session.ts";
import { type PlannedStep, planOf } from "./step-plan.ts";
import { createTypedValues } from "./typed-values.ts";
import { walkSteps } from "./walk-steps.ts";
import { watchPage } from "./watched-page.ts";

/** Takes the steps of the profile in a Chromium of this machine: one for the run, with a session for each person. */
export function createBrowserDriver(
  profile: Profile,
  human: Pick<HumanProfile, "name">,
  consent: BrowserConsent,
): ConsentDriver {
  const { name } = human;
  const { password, timeout_seconds: timeoutSeconds } = consent;
  const origins = createSignInOrigins(profile, human);
  const values = createTypedValues(consent, origins);
  let session: Promise<BrowserContext> | undefined;

  async function visited(
    target: Target,
    page: Page,
    request: ConsentRequest,
    plan: readonly PlannedStep[],
  ): Promise<Journey> {
    const { leaves, url } = request;
    const watched = await watchPage(target, page, { leaves, origins, password });
    try {
      await page.goto(url, { waitUntil: "commit", timeout: timeoutSeconds * 1000 });
    } catch (error) {
      watched.requireSound();
      // The first answer may lead to the client already.
      if (watched.departure === undefined) throw error;
    }
    return walkSteps(target, { page, watched, plan, values, name, timeoutSeconds }, request);
  }

  return {
    async authorize(target, request) {
      const planned = planOf(consent, request.decision);
      if ("missing" in planned)
        throw new BlockedError(
          `needs the steps with which ${name} decides so; add humans[].consent.${planned.missing} to the profile`,
        );
      session ??= openSession(target, profile, human, consent);
      const context = await session;
      const stop = (): void => {
        // They are closed once more, and waited for, when the journey has ended of it.
        closePages(context).catch(() => {});
      };
      target.signal.addEventListener("abort", stop);
      try {
        target.signal.throwIfAborted();
        const journey = await visited(target, await context.newPage(), request, planned.plan);
        if (journey.kind === "left") await saveState(context, consent);
        return journey;
      } catch (cause) {
        if (target.signal.aborted) throw interrupted(cause);
        throw isBrowserError(cause) ? stuckBy(name, cause) : cause;
      } finally {
        target.signal.removeEventListener("abort", stop);
        await closePages(context);
      }
    },
    async cookiesFor(url) {
      const cookies = await (await session)?.cookies(url);
      return cookies?.map((cookie) => `${cookie.name}=${cookie.value}`).join("; ") || undefined;
    },
  };
}

/** Those of Playwright have a name that tells nothing, or of a timeout. */
function isBrowserError(error: unknown): error is Error {
  return error instanceof Error && ["Error", "TimeoutError"].includes(error.name);
}

/** Such as a selector that is none, or a browser that was closed. */
function stuckBy(name: string, cause: Error): InconclusiveError {
  const [reason = ""] = cause.message.split("\n", 1);
  return new InconclusiveError("consent-stuck", `the browser driver of ${name}: ${reason}`, { cause });
}
