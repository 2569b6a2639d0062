import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import type { BrowserConsent, BrowserStep } from "../../target/consent-settings.ts";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError, InconclusiveError, interrupted } from "../../verdict.ts";
import { summary } from "../../wire/exchange.ts";
import type { ConsentDriver, ConsentRequest, Journey } from "../consent/consent-driver.ts";
import { createSignInOrigins } from "../consent/sign-in-origins.ts";
import { closePages } from "./close-pages.ts";
import { launchChromium } from "./launch-chromium.ts";
import { keepPage } from "./mismatch.ts";
import { describeStep, elementNamedBy, elementOf } from "./page-elements.ts";
import { candidates, type PlannedStep, planOf } from "./step-plan.ts";
import { totpCode, totpCounter, totpSettings } from "./totp.ts";
import { allowWatchedPages, type WatchedPage, watchPage } from "./watched-page.ts";

const pollMs = 25;
// An error page is not waited on for as long as a page that may still change.
const errorPageMs = 500;

/** Takes the steps of the profile in a Chromium of this machine: one for the run, with a session for each person. */
export function createBrowserDriver(
  profile: Profile,
  human: Pick<HumanProfile, "name">,
  consent: BrowserConsent,
): ConsentDriver {
  const origins = createSignInOrigins(profile, human);
  const timeoutMs = consent.timeout_seconds * 1000;
  let session: Promise<BrowserContext> | undefined;
  let lastCounter = -1;

  async function openSession(target: Target): Promise<BrowserContext> {
    const { executable_path: path, channel } = consent;
    const browser = await target.opened(`chromium:${path ?? channel ?? ""}`, () =>
      launchChromium(consent, { resolve: profile.resolve }),
    );
    const { state_file: state } = consent;
    const options = { serviceWorkers: "block", acceptDownloads: false } as const;
    const context =
      state === undefined || !existsSync(state)
        ? await browser.newContext(options)
        : await browser.newContext({ ...options, storageState: state }).catch((cause: unknown) => {
            throw new BlockedError(
              `the state_file ${state} of ${human.name} cannot be used; remove it, and they sign in anew`,
              { cause },
            );
          });
    await allowWatchedPages(context);
    return context;
  }

  /** Providers renew the session at each sign-in, and an older state would have to sign in again. */
  async function saveState(context: BrowserContext): Promise<void> {
    const { state_file: path } = consent;
    if (path === undefined) return;
    writeFileSync(path, JSON.stringify(await context.storageState()), { mode: 0o600 });
    chmodSync(path, 0o600);
  }

  /** @throws {InconclusiveError} consent-stuck, when a secret would be typed where nobody is known to sign in */
  async function valueOf(target: Target, page: Page, { value = "" }: BrowserStep): Promise<string> {
    if (/\{(?:password|totp)\}/u.test(value)) origins.require(page.url());
    const totp = value.includes("{totp}") ? await nextTotpCode(target) : "";
    return value
      .replaceAll("{username}", () => consent.username)
      .replaceAll("{password}", () => consent.password ?? "")
      .replaceAll("{totp}", () => totp)
      .replaceAll("{new_inbox}", () => `mailproof-${randomBytes(5).toString("hex")}`);
  }

  /** RFC 6238 §5.2: a code is accepted once. */
  async function nextTotpCode(target: Target): Promise<string> {
    const settings = totpSettings(consent.totp ?? "");
    while (totpCounter(settings, Date.now()) <= lastCounter) await target.pause(500);
    lastCounter = totpCounter(settings, Date.now());
    return totpCode(settings, lastCounter);
  }

  async function take(target: Target, page: Page, step: BrowserStep): Promise<void> {
    if (step.goto !== undefined) return void (await page.goto(step.goto, { waitUntil: "commit" }));
    const named = elementNamedBy(step);
    if (named === undefined) return undefined;
    const element = elementOf(page, named);
    const options = { timeout: timeoutMs };
    if (step.click) return element.click(options);
    if (step.fill) return element.fill(await valueOf(target, page, step), options);
    if (step.check) return element.check(options);
    if (step.uncheck) return element.uncheck(options);
    if (step.select) return void (await element.selectOption(await valueOf(target, page, step), options));
    return undefined;
  }

  /** Waits until one of the steps that may be next can be taken; undefined when the way has ended. */
  async function nextStep(
    target: Target,
    { page, watched, plan }: Visit,
    { at, hasBegun }: Past,
  ): Promise<{ readonly planned: PlannedStep; readonly index: number } | undefined> {
    const startedAt = performance.now();
    for (;;) {
      await target.pause(pollMs);
      watched.requireSound();
      if (watched.departure !== undefined) return undefined;
      const waitedMs = performance.now() - startedAt;
      if (!watched.isLoading) {
        for (const candidate of candidates(plan, at, { hasBegun, url: page.url() })) {
          const named = elementNamedBy(candidate.planned.step);
          if (named === undefined || (await elementOf(page, named).isVisible())) return candidate;
        }
        const isError = (watched.last?.response.status ?? 0) >= 400;
        if (isError && waitedMs > errorPageMs) return undefined;
      }
      if (waitedMs > timeoutMs) return undefined;
    }
  }

  interface Visit {
    readonly page: Page;
    readonly watched: WatchedPage;
    readonly plan: readonly PlannedStep[];
  }

  async function walk(target: Target, visit: Visit, request: ConsentRequest): Promise<Journey> {
    const { page, watched } = visit;
    const past: Past = { at: 0, hasBegun: false, decided: false };
    for (;;) {
      const next = await nextStep(target, visit, past);
      if (next === undefined) break;
      try {
        await take(target, page, next.planned.step);
      } catch (error) {
        watched.requireSound();
        past.at = next.index;
        if (watched.departure === undefined) return await mismatch(target, visit, request, past, error);
      }
      past.at = next.index + 1;
      past.hasBegun ||= next.planned.section === "sign_in";
      past.decided ||= next.planned.section !== "sign_in";
    }
    return departed(watched, past, request) ?? (await mismatch(target, visit, request, past));
  }

  /** What stands in the way of the step, or of the end behind the last one. */
  async function mismatch(
    target: Target,
    { page, watched, plan }: Visit,
    { decision }: ConsentRequest,
    past: Past,
    error?: unknown,
  ): Promise<Journey> {
    const { last } = watched;
    if (last === undefined) throw error;
    const next = plan[past.at];
    const isAtSignIn = answersSignIn(past);
    // The document describes no answer to a denial: it may end on a page.
    const isOver = next === undefined && decision === "deny" && !watched.isLoading;
    const isStuck = last.response.status < 400 && !isOver;
    if (!isStuck) return { kind: "ended", last, reason: summary(last), isStuck, isAtSignIn };
    const there = await keepPage(target, page, { human: human.name, last });
    const problem =
      next === undefined
        ? "all steps were taken, and the browser was not sent back to the client"
        : `step ${next.number} of ${next.section}, ${describeStep(next.step)}: ${whyNot(error)}`;
    return { kind: "ended", last, reason: `${problem}; instead there is ${there}`, isStuck, isAtSignIn };
  }

  function whyNot(error: unknown): string {
    if (error === undefined) return `not found within ${consent.timeout_seconds} s`;
    return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "failed";
  }

  async function visited(
    target: Target,
    page: Page,
    request: ConsentRequest,
    plan: readonly PlannedStep[],
  ): Promise<Journey> {
    const { leaves, url } = request;
    const watched = await watchPage(target, page, { leaves, origins, password: consent.password });
    try {
      await page.goto(url, { waitUntil: "commit", timeout: timeoutMs });
    } catch (error) {
      watched.requireSound();
      // The first answer may lead to the client already.
      if (watched.departure === undefined) throw error;
    }
    return walk(target, { page, watched, plan }, request);
  }

  /** Such as a selector that is none, or a browser that was closed. */
  function stuckBy(cause: Error): InconclusiveError {
    const [reason = ""] = cause.message.split("\n", 1);
    return new InconclusiveError("consent-stuck", `the browser driver of ${human.name}: ${reason}`, {
      cause,
    });
  }

  return {
    async authorize(target, request) {
      const planned = planOf(consent, request.decision);
      if ("missing" in planned)
        throw new BlockedError(
          `needs the steps with which ${human.name} decides so; add humans[].consent.${planned.missing} to the profile`,
        );
      session ??= openSession(target);
      const context = await session;
      const stop = (): void => {
        // They are closed once more, and waited for, when the journey has ended of it.
        closePages(context).catch(() => {});
      };
      target.signal.addEventListener("abort", stop);
      try {
        target.signal.throwIfAborted();
        const journey = await visited(target, await context.newPage(), request, planned.plan);
        if (journey.kind === "left") await saveState(context);
        return journey;
      } catch (cause) {
        if (target.signal.aborted) throw interrupted(cause);
        throw isBrowserError(cause) ? stuckBy(cause) : cause;
      } finally {
        target.signal.removeEventListener("abort", stop);
        await closePages(context);
      }
    },
    async cookiesFor(url) {
      const cookies = await (await session)?.cookies(url);
      return cookies?.map(({ name, value }) => `${name}=${value}`).join("; ") || undefined;
    },
  };
}

/** How far the person came. */
interface Past {
  /** The step that may be next. */
  at: number;
  hasBegun: boolean;
  decided: boolean;
}

function answersSignIn({ hasBegun, decided }: Past): boolean {
  return hasBegun && !decided;
}

function departed(
  { departure, last }: WatchedPage,
  past: Past,
  { decision }: ConsentRequest,
): Journey | undefined {
  if (departure === undefined) return undefined;
  const { location, exchange, objection } = departure;
  if (objection !== undefined && last !== undefined)
    return {
      kind: "ended",
      last,
      reason: `no redirect, but ${objection}`,
      isStuck: false,
      isAtSignIn: answersSignIn(past),
    };
  const { decided } = past;
  return {
    kind: "left",
    location,
    last: exchange,
    decided,
    narrowed: decided && decision === "approve read-only",
    createdInbox: decided && decision === "approve with a new inbox",
  };
}

/** Those of Playwright have a name that tells nothing, or of a timeout. */
function isBrowserError(error: unknown): error is Error {
  return error instanceof Error && ["Error", "TimeoutError"].includes(error.name);
}
