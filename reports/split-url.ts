/** Cut as text, since a parser would normalise what was sent. The request target begins with a slash. */
export function splitUrl(url: string): { readonly origin: string; readonly target: string } {
  const [, origin = url, target = ""] = /^(https?:\/\/[^/?#\\]+)(.*)$/su.exec(url) ?? [];
  return { origin, target: target.startsWith("/") ? target : `/${target}` };
}
