import type { Page } from "playwright-core";
import type { BrowserStep } from "../../target/consent-settings.ts";
import type { Target } from "../../target/target.ts";
import { summary } from "../../wire/exchange.ts";
import type { ConsentRequest, Journey } from "../consent/consent-driver.ts";
import { keepPage } from "./unexpected-page.ts";
import { describeStep, elementNamedBy, elementOf } from "./page-elements.ts";
import { candidates, type PlannedStep } from "./step-plan.ts";
import type { TypedValues } from "./typed-values.ts";
import type { WatchedPage } from "./watched-page.ts";

const pollMs = 25;
// An error page is not waited on for as long as a page that may still change.
const errorPageMs = 500;

/** A page where a person takes the steps of the profile. */
export interface Visit {
  readonly page: Page;
  readonly watched: WatchedPage;
  readonly plan: readonly PlannedStep[];
  readonly values: TypedValues;
  /** Of the person. */
  readonly name: string;
  /** For each step. */
  readonly timeoutSeconds: number;
}

/** How far the person came. */
interface Past {
  /** The step that may be next. */
  at: number;
  hasBegun: boolean;
  decided: boolean;
}

/** Takes the steps, until the browser is led to the client or the way ends. */
export async function walkSteps(
  target: Target,
  visit: Visit,
  { decision }: Pick<ConsentRequest, "decision">,
): Promise<Journey> {
  const { watched } = visit;
  const past: Past = { at: 0, hasBegun: false, decided: false };
  for (;;) {
    const next = await nextStep(target, visit, past);
    if (next === undefined) break;
    try {
      await take(target, visit, next.planned.step);
    } catch (error) {
      watched.requireSound();
      past.at = next.index;
      if (watched.departure === undefined) return await mismatch(target, visit, decision, past, error);
    }
    past.at = next.index + 1;
    past.hasBegun ||= next.planned.section === "sign_in";
    past.decided ||= next.planned.section !== "sign_in";
  }
  return departed(watched, decision, past) ?? (await mismatch(target, visit, decision, past));
}

/** Waits until one of the steps that may be next can be taken; undefined when the way has ended. */
async function nextStep(
  target: Target,
  { page, watched, plan, timeoutSeconds }: Visit,
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
    if (waitedMs > timeoutSeconds * 1000) return undefined;
  }
}

async function take(
  target: Target,
  { page, values, timeoutSeconds }: Visit,
  step: BrowserStep,
): Promise<void> {
  if (step.goto !== undefined) return void (await page.goto(step.goto, { waitUntil: "commit" }));
  const named = elementNamedBy(step);
  if (named === undefined) return undefined;
  const element = elementOf(page, named);
  const options = { timeout: timeoutSeconds * 1000 };
  const value = (): Promise<string> => values.of(target, step, page.url());
  if (step.click) return element.click(options);
  if (step.fill) return element.fill(await value(), options);
  if (step.check) return element.check(options);
  if (step.uncheck) return element.uncheck(options);
  if (step.select) return void (await element.selectOption(await value(), options));
  return undefined;
}

/** What stands in the way of the step, or of the end behind the last one. */
async function mismatch(
  target: Target,
  { page, watched, plan, name, timeoutSeconds }: Visit,
  decision: ConsentRequest["decision"],
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
  const there = await keepPage(target, page, { human: name, last });
  const why = error === undefined ? `not found within ${timeoutSeconds} s` : firstLine(error);
  const problem =
    next === undefined
      ? "all steps were taken, and the browser was not sent back to the client"
      : `step ${next.number} of ${next.section}, ${describeStep(next.step)}: ${why}`;
  return { kind: "ended", last, reason: `${problem}; instead there is ${there}`, isStuck, isAtSignIn };
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "failed";
}

function departed(
  { departure, last }: WatchedPage,
  decision: ConsentRequest["decision"],
  past: Past,
): Journey | undefined {
  if (departure === undefined) return undefined;
  const { location, exchange, objection } = departure;
  if (objection !== undefined && last !== undefined) {
    const reason = `no redirect, but ${objection}`;
    return { kind: "ended", last, reason, isStuck: false, isAtSignIn: answersSignIn(past) };
  }
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

function answersSignIn({ hasBegun, decided }: Past): boolean {
  return hasBegun && !decided;
}
