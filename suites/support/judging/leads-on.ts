import { Parser } from "htmlparser2";
import { parseRefresh } from "../actors/consent/html-page.ts";
import { type Exchange, headerValues, isHtml } from "../wire/exchange.ts";

/**
 * Whether a page sends the browser to an address, or to one that begins with it, by itself or when its form is sent: a
 * refresh, `location` in a script, an `action`. A page that only shows the address, or links to it, does not.
 */
export function leadsOn(exchange: Exchange, address: string): boolean {
  // A word such as `null` or `*` stands on many a page.
  if (!URL.canParse(address) || !isHtml(exchange)) return false;
  const destinations = [
    ...headerValues(exchange, "refresh").map(refreshedTo),
    ...destinationsOf(exchange.response.body),
  ];
  return destinations.some((destination) => destination.startsWith(address));
}

function destinationsOf(html: string): readonly string[] {
  const destinations: string[] = [];
  let isInScript = false;
  const parser = new Parser({
    onopentag(name, { action, formaction, content = "", "http-equiv": equivalent = "" }) {
      isInScript = name === "script";
      if (name === "form" && action !== undefined) destinations.push(action.trim());
      if ((name === "button" || name === "input") && formaction !== undefined)
        destinations.push(formaction.trim());
      if (name === "meta" && equivalent.toLowerCase() === "refresh") destinations.push(refreshedTo(content));
    },
    ontext(text) {
      if (isInScript) destinations.push(...assignedLocations(text));
    },
    onclosetag() {
      isInScript = false;
    },
  });
  parser.end(html);
  return destinations;
}

function refreshedTo(content: string): string {
  return parseRefresh(content)?.url ?? "";
}

const assignment =
  /\blocation(?:\.href)?\s*=\s*(["'`])(.*?)\1|\blocation\.(?:assign|replace)\(\s*(["'`])(.*?)\3/gsu;

function assignedLocations(script: string): readonly string[] {
  return [...script.matchAll(assignment)].map(([, , assigned, , given]) =>
    // A solidus may be escaped.
    (assigned ?? given ?? "").replaceAll("\\/", "/"),
  );
}
