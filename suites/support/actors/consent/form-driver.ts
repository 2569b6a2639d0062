import { type Exchange, header, isRedirect, mediaType, summary } from "../../wire/exchange.ts";
import { encodeParameters, type Parameters } from "../../wire/parameters.ts";
import type { FormConsent } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import type { CookieJar } from "./cookie-jar.ts";
import { type Decision, nextStep, type Step } from "./form-steps.ts";
import { readPage } from "./html-page.ts";

/** Where a journey through sign-in and consent ended. */
export type Journey =
  /** A redirect that leaves for the client; `location` as it crossed the wire. Not followed. */
  | {
      readonly kind: "left";
      readonly location: string;
      readonly last: Exchange;
      /** The person was asked and decided; some targets remember an earlier decision. */
      readonly decided: boolean;
    }
  /** An answer that is neither a redirect nor a page to act on. */
  | { readonly kind: "ended"; readonly last: Exchange; readonly reason: string };

const maxHops = 30;
const maxSignIns = 3;

/**
 * Walks from an answer of the authorization endpoint through sign-in and consent: follows redirects, fills and submits
 * HTML forms as the person would, until a redirect leaves for the client or the way ends.
 *
 * @param leaves - whether a redirect to this location leaves the service for the client
 */
export async function walkForms(
  target: Target,
  jar: CookieJar,
  start: Exchange,
  person: FormConsent,
  decision: Decision,
  leaves: (location: string) => boolean,
): Promise<Journey> {
  let current = start;
  let decided = false;
  let signIns = 0;
  jar.store(current);
  for (let hop = 0; hop < maxHops; hop += 1) {
    const ended = (reason: string): Journey => ({ kind: "ended", last: current, reason });
    const location = isRedirect(current) ? header(current, "location") : undefined;
    if (location !== undefined && leaves(location)) return { kind: "left", location, last: current, decided };
    if (location === undefined && mediaType(current) !== "text/html") return ended(`got ${summary(current)}`);

    const step =
      location === undefined
        ? nextStep(readPage(current.response.body), person, decision)
        : redirection(current, location);
    if (step.kind === "stuck") return ended(`${current.response.status}: ${step.reason}`);
    // An error page may offer a way back; taking it would leave the refusal behind.
    const isWayBack = step.kind === "follow" ? location === undefined : step.purpose === "continue";
    if (current.response.status >= 400 && isWayBack) return ended(`got ${summary(current)}`);
    if (step.kind === "submit") {
      if (step.purpose === "sign-in") signIns += 1;
      if (signIns > maxSignIns)
        return ended(
          `signing in as ${person.username} was refused; are the credentials in the profile right?`,
        );
      decided ||= step.purpose === "decision";
    }
    const request = requestOf(step, current.request.url);
    if (request.kind === "stuck") return ended(request.reason);
    current = await browse(target, jar, request.url, request.form);
  }
  return {
    kind: "ended",
    last: current,
    reason: `still neither done nor refused after ${maxHops} steps`,
  };
}

type BrowserRequest =
  | { readonly kind: "request"; readonly url: string; readonly form?: string }
  | { readonly kind: "stuck"; readonly reason: string };

/** A redirect as a step; 307 and 308 repeat the form (RFC 9110 §15.4.8). */
function redirection(exchange: Exchange, location: string): Step {
  const repeats = [307, 308].includes(exchange.response.status) && exchange.request.method === "POST";
  return { kind: "follow", href: location, ...(repeats && { form: exchange.request.body }) };
}

function requestOf(step: Exclude<Step, { kind: "stuck" }>, base: string): BrowserRequest {
  if (step.kind === "follow") {
    const url = resolve(step.href, base);
    if (url === undefined)
      return {
        kind: "stuck",
        reason: `the way leads to ${JSON.stringify(step.href.slice(0, 80))}, which cannot be followed`,
      };
    return { kind: "request", url, ...(step.form !== undefined && { form: step.form }) };
  }
  const { form, button } = step;
  if (form.enctype.toLowerCase() === "multipart/form-data")
    return { kind: "stuck", reason: "the page wants a multipart form, which the form driver does not send" };
  const action = resolve(button?.action ?? form.action, base);
  if (action === undefined)
    return { kind: "stuck", reason: `the form's action ${JSON.stringify(form.action)} is no URL` };
  const fields: Parameters =
    button === undefined || button.name === "" ? step.fields : [...step.fields, [button.name, button.value]];
  const encoded = encodeParameters(fields);
  return form.method === "GET"
    ? { kind: "request", url: `${action.split("?", 1)[0]}?${encoded}` }
    : { kind: "request", url: action, form: encoded };
}

/** One request as a browser makes it, with the session's cookies. */
export async function browse(target: Target, jar: CookieJar, url: string, form?: string): Promise<Exchange> {
  const cookies = jar.headerFor(url);
  const exchange = await target.send({
    method: form === undefined ? "GET" : "POST",
    url,
    headers: [
      ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
      // What a browser tells of a top-level navigation; servers that check it against cross-site posts accept it.
      ...(form === undefined
        ? []
        : [
            ["Content-Type", "application/x-www-form-urlencoded"] as const,
            ["Origin", new URL(url).origin] as const,
          ]),
      ...(cookies === undefined ? [] : [["Cookie", cookies] as const]),
    ],
    ...(form === undefined ? {} : { body: form }),
  });
  jar.store(exchange);
  return exchange;
}

function resolve(reference: string, base: string): string | undefined {
  const url = URL.parse(reference, base);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  url.hash = "";
  return url.href;
}
