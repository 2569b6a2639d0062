import { formParameters } from "../wire/exchange.ts";

/**
 * Tells redirects that leave the service from those within its sign-in, by the places that a client could be at: as text,
 * and as a parser reads it, since a target may have normalised what it was sent.
 */
export function leavesForClient(redirectUris: readonly string[]): (location: string) => boolean {
  const origins = redirectUris.map(originText).filter((origin) => origin !== "");
  const hosts = redirectUris.map(parsedHost).filter((host) => host !== undefined);
  return (location) => {
    if (hasOtherScheme(location) || origins.includes(originText(location))) return true;
    const host = parsedHost(location);
    // Where the suites' attackers live, also as a `Host` that a target reflects; nothing is ever fetched from there.
    return host !== undefined && (hosts.includes(host) || /(^|\.)evil\.(?:test|example)$/u.test(host));
  };
}

function originText(uri: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:[/\\]+|[/\\]{2,})[^/?#\\]*/iu.exec(uri.trim())?.[0].toLowerCase() ?? "";
}

/** Host and port, when the text alone names them; undefined for what is relative. */
function parsedHost(uri: string): string | undefined {
  const url = URL.parse(uri) ?? (/^[/\\]{2}/u.test(uri) ? URL.parse(`https:${uri}`) : null);
  return url === null || url.host === "" ? undefined : url.host;
}

function hasOtherScheme(location: string): boolean {
  return /^(?!https?:)[a-z][a-z0-9+.-]*:/iu.test(location.trim());
}

/** The parameters that an authorization response carries in its query, form-decoded once. */
export function responseParameters(location: string): [name: string, value: string][] {
  const beforeFragment = location.split("#", 1)[0] ?? "";
  const at = beforeFragment.indexOf("?");
  return at < 0 ? [] : formParameters(beforeFragment.slice(at + 1));
}

/** The first value of that name in the query, form-decoded once. */
export function responseParameter(location: string, name: string): string | undefined {
  return responseParameters(location).find(([key]) => key === name)?.[1];
}
