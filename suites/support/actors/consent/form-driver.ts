import type { FormConsent } from "../../target/profile.ts";
import { isOwnOrigin } from "../../target/origins.ts";
import type { Target } from "../../target/target.ts";
import { type Exchange, header, isRedirect, mediaType, summary } from "../../wire/exchange.ts";
import type { Browser, Navigation } from "./browser.ts";
import { resolved, submissionRequest } from "./form-request.ts";
import { nextStep } from "./form-steps.ts";
import { type Page, parseRefresh, readPage } from "./html-page.ts";
import { describePage } from "./page-description.ts";
import type { Decision, Step } from "./step.ts";

/** Where a journey through sign-in and consent ended. */
export type Journey =
  /** The browser is led to the client, and was stopped there; `location` as it crossed the wire. */
  | {
      readonly kind: "left";
      readonly location: string;
      readonly last: Exchange;
      /** The person was asked and decided; some targets remember an earlier decision. */
      readonly decided: boolean;
    }
  /** An answer that leads nowhere. */
  | {
      readonly kind: "ended";
      readonly last: Exchange;
      readonly reason: string;
      /** A person might know how to go on; that the driver does not says nothing of the target. */
      readonly isStuck: boolean;
    };

const maxHops = 30;
const maxPasswords = 2;
const maxVisits = 3;

/** The person's way through sign-in and consent. */
export interface Walk {
  readonly browser: Browser;
  readonly person: FormConsent;
  readonly decision: Decision;
  /** Whether an address is the client's, or where an attacker would be: nothing is ever sent there. */
  readonly leaves: (location: string) => boolean;
}

/** Whether an answer is a page that a person can read and act on. */
export function isPage(exchange: Exchange): boolean {
  return ["text/html", "application/xhtml+xml"].includes(mediaType(exchange));
}

/**
 * Walks from an answer of the authorization endpoint through sign-in and consent: follows redirects, fills and submits
 * HTML forms as the person would, until the browser is led to the client or the way ends.
 */
export async function walkForms(target: Target, start: Exchange, walk: Walk): Promise<Journey> {
  const { browser, person, decision } = walk;
  const visits = new Map<string, number>();
  let current = start;
  let from: Navigation = { url: start.request.url, hasPassword: false };
  let decided = false;
  let passwords = 0;
  let progress = { hasNarrowed: false, hasChosenProvider: false };

  for (let hop = 0; hop < maxHops; hop += 1) {
    // Beside a page of its own that the driver does not understand, what is not 200 is the target's refusal.
    const ended = (reason: string, isStuck = current.response.status === 200): Journey => ({
      kind: "ended",
      last: current,
      reason,
      isStuck,
    });
    const left = (location: string): Journey => ({ kind: "left", location, last: current, decided });
    const url = current.request.url;

    if (isRedirect(current)) {
      const location = header(current, "location") ?? "";
      if (walk.leaves(location) || leaksCode(target, location, url)) return left(location);
      const next = redirected(current, location, from);
      if (next === undefined) return ended(`the redirect to ${shortened(location)} cannot be followed`);
      from = next;
      current = await browser.go(target, next);
      continue;
    }
    if (!isPage(current)) return ended(`got ${summary(current)}`, false);

    const page = readAnswer(current);
    const responseLink = (name: "code" | "error"): string | undefined =>
      page.links
        .map(({ href }) => resolved(href, { url, base: page.base }) ?? href)
        .find((href) => walk.leaves(href) && carries(name, href));
    const code = responseLink("code");
    if (code !== undefined) return left(code);

    const step = nextStep(page, person, decision, progress);
    if (step.kind === "stuck") {
      const error = decided ? responseLink("error") : undefined;
      if (error !== undefined) return left(error);
      return ended(`${current.response.status}: looked for ${step.sought} on ${describePage(page, url)}`);
    }
    // An error page may offer a way back; taking it would leave the refusal behind.
    const isRefusal = current.response.status >= 400;
    if (isRefusal && (step.kind === "follow" || step.purpose === "continue"))
      return ended(`got ${summary(current)}`);

    const next = await navigationOf(step, page, url, person);
    decided ||= step.purpose === "decision";
    if (walk.leaves(next.url) || leaksCode(target, next.url, url)) {
      // Without a response it is the way back from an error page, say.
      const isResponse =
        "isRefresh" in step || carries("code", next.url) || (decided && carries("error", next.url));
      if ("form" in next && next.form !== undefined) return ended(postsToClient(page, url), false);
      return isResponse ? left(next.url) : ended(linksToClient(page, url), false);
    }
    if ("problem" in next) return ended(`${next.problem}, on ${describePage(page, url)}`);

    const visit = JSON.stringify([url.split("?", 1)[0], next.url.split("?", 1)[0], step.kind, page.title]);
    visits.set(visit, (visits.get(visit) ?? 0) + 1);
    passwords += next.hasPassword ? 1 : 0;
    if (passwords > maxPasswords)
      return ended(
        `signing in as ${person.username} was refused; are the credentials in the profile right? The last answer was ${describePage(page, url)}`,
        true,
      );
    if ((visits.get(visit) ?? 0) > maxVisits)
      return ended(`it came again after ${maxVisits} tries: ${describePage(page, url)}`);

    progress = {
      hasNarrowed: progress.hasNarrowed || "narrows" in step,
      hasChosenProvider: progress.hasChosenProvider || "choosesProvider" in step,
    };
    from = next;
    current = await browser.go(target, next);
  }
  return {
    kind: "ended",
    last: current,
    reason: `still neither done nor refused after ${maxHops} steps`,
    isStuck: true,
  };
}

function readAnswer(exchange: Exchange): Page {
  const page = readPage(exchange.response.body, {
    isXhtml: mediaType(exchange) === "application/xhtml+xml",
  });
  const refresh = header(exchange, "refresh");
  return { ...page, refresh: page.refresh ?? (refresh === undefined ? undefined : parseRefresh(refresh)) };
}

/** The next request of a redirect; 307 and 308 repeat the form (RFC 9110 §15.4.8). */
function redirected(exchange: Exchange, location: string, before: Navigation): Navigation | undefined {
  const { url: from } = exchange.request;
  const url = resolved(location, { url: from, base: undefined });
  const repeats = [307, 308].includes(exchange.response.status);
  return url === undefined
    ? undefined
    : {
        url,
        from,
        ...(repeats ? { form: before.form, hasPassword: before.hasPassword } : { hasPassword: false }),
      };
}

type Unsendable = { readonly url: string; readonly problem: string; readonly hasPassword: false };

async function navigationOf(
  step: Exclude<Step, { kind: "stuck" }>,
  page: Page,
  url: string,
  person: FormConsent,
): Promise<Navigation | Unsendable> {
  const { base } = page;
  if (step.kind === "submit") {
    const request = await submissionRequest(step, { url, base }, person.password);
    return "problem" in request ? { ...request, url: step.form.action, hasPassword: false } : request;
  }
  const next = resolved(step.href, { url, base });
  if (next !== undefined) return { url: next, from: url, hasPassword: false };
  return {
    url: step.href,
    problem: `the way leads to ${shortened(step.href)}, which cannot be followed`,
    hasPassword: false,
  };
}

/** A code of the target on its way to a stranger: to be judged, not to be delivered. */
function leaksCode(target: Target, location: string, from: string): boolean {
  const url = URL.parse(location, from);
  return (
    url !== null &&
    isOwnOrigin(target.profile, from) &&
    !isOwnOrigin(target.profile, url.href) &&
    url.searchParams.has("code")
  );
}

function carries(name: "code" | "error", url: string): boolean {
  return new RegExp(`[?&]${name}=`, "u").test(url.split("#", 1)[0] ?? "");
}

function postsToClient(page: Page, url: string): string {
  return `no redirect, but a form that posts to the client's redirect_uri, on ${describePage(page, url)}`;
}

function linksToClient(page: Page, url: string): string {
  return `no redirect, but a link to the client's redirect_uri, on ${describePage(page, url)}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
