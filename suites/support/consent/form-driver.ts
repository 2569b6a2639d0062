import { type Exchange, header, isRedirect, mediaType, summary } from "../exchange.ts";
import { encodeParameters, type Parameters } from "../parameters.ts";
import type { FormConsent } from "../profile.ts";
import type { Target } from "../target.ts";
import type { CookieJar } from "./cookie-jar.ts";
import { type Decision, nextStep } from "./form-steps.ts";
import { readPage } from "./html-page.ts";

/** Where a journey through sign-in and consent ended. */
export type Journey =
  /** A redirect that leaves for the client; `location` as it crossed the wire. Not followed. */
  | { readonly kind: "left"; readonly location: string; readonly last: Exchange; readonly pages: number }
  /** An answer that is neither a redirect nor a page to act on. */
  | { readonly kind: "ended"; readonly last: Exchange; readonly reason: string; readonly pages: number };

const longestJourney = 30;

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
  let pages = 0;
  let signIns = 0;
  jar.store(current);
  for (let hop = 0; hop < longestJourney; hop += 1) {
    const ended = (reason: string): Journey => ({ kind: "ended", last: current, reason, pages });
    if (isRedirect(current)) {
      const location = header(current, "location") ?? "";
      if (leaves(location)) return { kind: "left", location, last: current, pages };
      const next = resolve(location, current.request.url);
      if (next === undefined)
        return ended(`the redirect to ${JSON.stringify(location.slice(0, 80))} cannot be followed`);
      const repeats = current.response.status === 307 || current.response.status === 308;
      current =
        repeats && current.request.method === "POST"
          ? await browse(target, jar, next, current.request.body)
          : await browse(target, jar, next);
      continue;
    }
    if (mediaType(current) !== "text/html") return ended(`got ${summary(current)}`);
    pages += 1;
    const step = nextStep(readPage(current.response.body), person, decision);
    if (step.kind === "stuck") return ended(`${current.response.status}: ${step.reason}`);
    if (current.response.status >= 400 && (step.kind === "follow" || step.purpose === "continue"))
      return ended(`got ${summary(current)}`);
    if (step.kind === "follow") {
      const next = resolve(step.href, current.request.url);
      if (next === undefined) return ended(`the link to ${JSON.stringify(step.href)} cannot be followed`);
      current = await browse(target, jar, next);
      continue;
    }
    if (step.purpose === "sign-in" && (signIns += 1) > 3)
      return ended(`signing in as ${person.username} was refused; are the credentials in the profile right?`);
    if (step.form.enctype.toLowerCase() === "multipart/form-data")
      return ended("the page wants a multipart form, which the form driver does not send");
    const action = resolve(step.button?.action ?? step.form.action, current.request.url);
    if (action === undefined) return ended(`the form's action ${JSON.stringify(step.form.action)} is no URL`);
    const fields: Parameters =
      step.button === undefined || step.button.name === ""
        ? step.fields
        : [...step.fields, [step.button.name, step.button.value]];
    const encoded = encodeParameters(fields);
    current =
      step.form.method === "GET"
        ? await browse(target, jar, `${action.split("?", 1)[0]}?${encoded}`)
        : await browse(target, jar, action, encoded);
  }
  return {
    kind: "ended",
    last: current,
    reason: `still neither done nor refused after ${longestJourney} steps`,
    pages,
  };
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
