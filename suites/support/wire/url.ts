/** The scheme, host and port of a URL, cut as text: a parser would normalise what is being tested. */
export function originOf(url: string): string {
  return splitUrl(url)[0];
}

/** Cut as text, like {@link originOf}; the request target begins with a slash. */
export function splitUrl(url: string): [origin: string, target: string] {
  const match = /^(https?:\/\/[^/?#\\]+)(.*)$/su.exec(url);
  const [, origin, target] = match ?? [];
  if (origin === undefined || target === undefined) {
    throw new TypeError(`cannot send to ${JSON.stringify(url)}: expected an absolute http or https URL`);
  }
  return [origin, target.startsWith("/") ? target : `/${target}`];
}
