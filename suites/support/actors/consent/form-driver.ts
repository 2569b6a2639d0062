import type { FormConsent } from "../../target/consent-settings.ts";
import type { HumanProfile, Profile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { type Exchange, header, isRedirect, mediaType, summary } from "../../wire/exchange.ts";
import { withoutAsides } from "./asides.ts";
import { type Browser, createBrowser, type Navigation } from "./browser.ts";
import { carries, isPage, leaksCode } from "./responses.ts";
import type { ConsentDriver, ConsentRequest, Journey } from "./consent-driver.ts";
import { resolved, submissionRequest } from "./form-request.ts";
import { nextStep } from "./form-steps.ts";
import { parseRefresh, readPage } from "./html-page.ts";
import type { Page } from "./page.ts";
import { describePage } from "./page-description.ts";
import type { Progress, Step } from "./step.ts";

const maxHops = 30;
const usualPasswords = 2;
const maxVisits = 3;
const beforeRepetitionMs = 1_100;
const mostWords = 160;
const mostPausesInVain = 2;

/** The person's way through sign-in and consent. */
interface Walk extends Pick<ConsentRequest, "decision" | "leaves" | "secondTab" | "forged"> {
  readonly browser: Browser;
  readonly person: FormConsent;
  readonly mostPasswords: number;
  readonly pauses: Pauses;
}

/** What came of the pauses before a page was answered again, on all ways of the person. */
interface Pauses {
  haveHelped: boolean;
  inVain: number;
}

/**
 * Fills HTML forms over HTTP.
 *
 * @param mostPasswords - how often a password is typed on the way to one decision
 */
export function createFormDriver(
  profile: Profile,
  human: Pick<HumanProfile, "name">,
  person: FormConsent,
  mostPasswords = usualPasswords,
): ConsentDriver {
  const browser = createBrowser(profile, human);
  const pauses: Pauses = { haveHelped: false, inVain: 0 };
  return {
    async authorize(target, { url, abandoned, decision, leaves, secondTab, forged }) {
      const walk = { browser, person, mostPasswords, pauses, decision, leaves, secondTab, forged };
      if (abandoned !== undefined) await openPage(target, walk, abandoned);
      const from = async (): Promise<Journey & { wasRepeated: boolean }> =>
        walkForms(target, await browser.go(target, { url, hasPassword: false }), walk);
      const journey = await from();
      // What a form holds may be good for one request, which the limit has used up.
      const isSpent = journey.kind === "ended" && !journey.isStuck && journey.wasRepeated;
      return isSpent && secondTab === undefined ? from() : journey;
    },
    cookiesFor: (url) => Promise.resolve(browser.jar.headerFor(url)),
    cookiesFromOtherSite: (url, by) => browser.jar.headerFor(url, by),
  };
}

/** What happened on the way so far. */
interface Past {
  /** What led to the answer that is looked at. */
  navigation: Navigation;
  decided: boolean;
  progress: Progress;
  passwords: number;
  /** A form was sent once more after a limit, or after its answer was lost. */
  wasRepeated: boolean;
  /** A page that had come again was answered after a pause. */
  hasPaused: boolean;
  /** How often the same was done on the same page. */
  readonly visits: Map<string, number>;
}

type Left = Extract<Journey, { kind: "left" }>;
type Ended = Omit<Extract<Journey, { kind: "ended" }>, "isAtSignIn">;
type Next = Left | Ended | { readonly kind: "go"; readonly navigation: Navigation };

/**
 * Walks from an answer of the authorization endpoint through sign-in and consent: follows redirects, fills and submits
 * HTML forms as the person would, until the browser is led to the client or the way ends.
 */
async function walkForms(
  target: Target,
  start: Exchange,
  walk: Walk,
): Promise<Journey & { wasRepeated: boolean }> {
  const past: Past = {
    navigation: { url: start.request.url, hasPassword: false },
    decided: false,
    progress: { hasNarrowed: false, hasCreatedInbox: false, hasChosenProvider: false },
    passwords: 0,
    wasRepeated: false,
    hasPaused: false,
    visits: new Map(),
  };
  let current = start;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const next = isRedirect(current)
      ? afterRedirect(target, walk, current, past)
      : await onAnswer(target, walk, current, past);
    const { wasRepeated } = past;
    if (next.kind !== "go" && past.hasPaused) learn(walk.pauses, next.kind === "left");
    if (next.kind === "left") return { ...next, wasRepeated };
    if (next.kind === "ended")
      return { ...next, isAtSignIn: past.passwords > 0 && !past.decided, wasRepeated };
    past.navigation = next.navigation;
    current = await walk.browser.go(target, {
      ...next.navigation,
      onRepeated: () => {
        past.wasRepeated ||= past.navigation.form !== undefined;
      },
    });
  }
  const endless = ended(current, `still neither done nor refused after ${maxHops} steps`, true);
  return { ...endless, isAtSignIn: false, wasRepeated: past.wasRepeated };
}

/** Beside a page of its own that the driver does not understand, what is not 200 is the target's refusal. */
function ended(last: Exchange, reason: string, isStuck = last.response.status === 200): Ended {
  return { kind: "ended", last, reason, isStuck };
}

function left(last: Exchange, location: string, { decided, progress }: Past): Left {
  const { hasNarrowed: narrowed, hasCreatedInbox: createdInbox } = progress;
  return { kind: "left", location, last, decided, narrowed, createdInbox };
}

function afterRedirect(target: Target, walk: Walk, current: Exchange, past: Past): Next {
  const location = header(current, "location") ?? "";
  if (walk.leaves(location) || leaksCode(target, location, current.request.url))
    return left(current, location, past);
  const navigation = redirected(current, location, past.navigation);
  return navigation === undefined
    ? ended(current, `the redirect to ${shortened(location)} cannot be followed`)
    : { kind: "go", navigation };
}

async function onAnswer(target: Target, walk: Walk, current: Exchange, past: Past): Promise<Next> {
  if (!isPage(current)) return ended(current, summary(current), false);
  const { url } = current.request;
  const { status } = current.response;
  const page = readAnswer(current);
  const code = responseLink("code", page, url, walk);
  if (code !== undefined) return left(current, code, past);

  const step = nextStep(page, walk.person, walk.decision, past.progress);
  if (step.kind === "stuck") {
    const error = past.decided ? responseLink("error", page, url, walk) : undefined;
    if (error !== undefined) return left(current, error, past);
    if (isOver(walk, page, past)) return ended(current, `${status}: ${describePage(page, url)}`, false);
    return ended(current, `${status}: looked for ${step.sought} on ${describePage(page, url)}`);
  }
  // An error page may offer a way back; taking it would leave the refusal behind.
  if (status >= 400 && (step.kind === "follow" || step.purpose === "continue" || step.form.isUnseen))
    return ended(current, summary(current));

  if (walk.secondTab !== undefined && step.purpose === "decision") {
    // The page may be that of the second tab, which the person does not answer.
    if (past.decided) return ended(current, "asked for another decision", false);
    await openPage(target, walk, walk.secondTab);
  }
  past.decided ||= step.purpose === "decision";
  const navigation = navigationOf(step, page, url, walk.person);
  if (walk.leaves(navigation.url) || leaksCode(target, navigation.url, url)) {
    if ("form" in navigation) return ended(current, leadsToClient("a form that posts", page, url), false);
    // Without a response it is the way back from an error page, say.
    const isResponse =
      "isRefresh" in step ||
      carries("code", navigation.url) ||
      (past.decided && carries("error", navigation.url));
    return isResponse
      ? left(current, navigation.url, past)
      : ended(current, leadsToClient("a link", page, url), false);
  }
  if ("problem" in navigation) return ended(current, `${navigation.problem}, on ${describePage(page, url)}`);
  const again = repeatedPage(walk, current, page, navigation, past);
  if (again.ended !== undefined) return again.ended;
  if (again.isRepeated && mayHelp(walk)) {
    past.hasPaused = true;
    await target.pause(beforeRepetitionMs);
  }
  return taken(step, navigation, past);
}

/**
 * Some pages take no answer in their first moments, which nobody could have read them in. Most come again for another reason:
 * where the answer was changed on its way, for that.
 */
function mayHelp({ pauses: { haveHelped, inVain }, forged }: Walk): boolean {
  return haveHelped || (!forged && inVain < mostPausesInVain);
}

function learn(pauses: Pauses, hasHelped: boolean): void {
  pauses.haveHelped ||= hasHelped;
  pauses.inVain += hasHelped ? 0 : 1;
}

/**
 * Whether a page is the end of a denial, or of a request that a newer one may have replaced: the document describes no answer
 * to either, so that it may be a page in words alone. Behind an approval it is one that the driver does not understand.
 */
function isOver({ decision, secondTab }: Walk, page: Page, { decided }: Past): boolean {
  const mayEndHere = decision === "deny" || secondTab !== undefined;
  return mayEndHere && decided && page.limit === undefined && withoutAsides(page).forms.length === 0;
}

/** Opens an address that is left as it is, as far as its first page of its own. */
async function openPage(target: Target, { browser, leaves }: Walk, url: string): Promise<void> {
  let next: Navigation | undefined = { url, hasPassword: false };
  for (let hop = 0; hop < maxHops && next !== undefined; hop += 1) {
    const current: Exchange = await browser.go(target, next);
    const location = isRedirect(current) ? (header(current, "location") ?? "") : "";
    const isOver = location === "" || leaves(location) || leaksCode(target, location, current.request.url);
    next = isOver ? undefined : redirected(current, location, next);
  }
}

/** Whether the same page has come again, and why there is no use in going on where it comes again and again. */
function repeatedPage(
  { person, mostPasswords }: Walk,
  current: Exchange,
  page: Page,
  navigation: Navigation,
  past: Past,
): { readonly isRepeated: boolean; readonly ended?: Ended } {
  const { url } = current.request;
  // A consent may be confirmed with the password.
  past.passwords += navigation.hasPassword && !past.decided ? 1 : 0;
  if (past.passwords > mostPasswords) {
    const told = JSON.stringify(page.text.slice(0, mostWords));
    const reason = `signing in as ${person.username} was refused; are the credentials in the profile right? The last answer was ${describePage(page, url)}, which says ${told}`;
    return { isRepeated: true, ended: ended(current, reason, true) };
  }
  // All pages may have one address and one title.
  const visit = JSON.stringify([describePage(page, url), page.headings, navigation.url.split("?", 1)[0]]);
  const visits = (past.visits.get(visit) ?? 0) + 1;
  past.visits.set(visit, visits);
  if (visits <= maxVisits) return { isRepeated: visits > 1 };
  const reason = `it came again after ${maxVisits} tries: ${describePage(page, url)}`;
  return { isRepeated: true, ended: ended(current, reason) };
}

function taken(step: Exclude<Step, { kind: "stuck" }>, navigation: Navigation, past: Past): Next {
  past.progress = {
    hasNarrowed: past.progress.hasNarrowed || "narrows" in step,
    hasCreatedInbox: past.progress.hasCreatedInbox || "createsInbox" in step,
    hasChosenProvider: past.progress.hasChosenProvider || "choosesProvider" in step,
  };
  return { kind: "go", navigation };
}

/** The address of a link that carries an authorization response to the client. */
function responseLink(name: "code" | "error", page: Page, url: string, walk: Walk): string | undefined {
  return page.links
    .map(({ href }) => resolved(href, { url, base: page.base }) ?? href)
    .find((href) => walk.leaves(href) && carries(name, href));
}

function readAnswer(exchange: Exchange): Page {
  const page = readPage(exchange.response.body, {
    isXhtml: mediaType(exchange) === "application/xhtml+xml",
    url: exchange.request.url,
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

function navigationOf(
  step: Exclude<Step, { kind: "stuck" }>,
  page: Page,
  url: string,
  person: FormConsent,
): Navigation | Unsendable {
  const { base } = page;
  if (step.kind === "submit") {
    const request = submissionRequest(step, { url, base }, person.password);
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

function leadsToClient(what: string, page: Page, url: string): string {
  return `no redirect, but ${what} to the client's redirect_uri, on ${describePage(page, url)}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
