import { type Exchange, headerValues } from "./exchange.ts";

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

/** Where a challenge begins: a scheme, which no equals sign follows. Quoted text is blanked out before. */
const scheme = new RegExp(`(?:^|,)\\s*(${token})(?=\\s|,|$)(?!\\s*=)`, "gu");

/** The challenges of all `WWW-Authenticate` lines, of which each may hold several (RFC 9110 §11.6.1). */
export function challengesIn(exchange: Exchange): string[] {
  return headerValues(exchange, "www-authenticate").flatMap((line) => {
    const blanked = line.replaceAll(/"(?:[^"\\]|\\.)*"/gu, (quoted) => '"'.repeat(quoted.length));
    const starts = [...blanked.matchAll(scheme)].map(
      (match) => match.index + match[0].length - (match[1] ?? "").length,
    );
    return starts.map((start, at) =>
      line
        .slice(start, starts[at + 1])
        .trim()
        .replace(/\s*,$/u, ""),
    );
  });
}

/** The first challenge with the scheme Bearer, in any case (RFC 9110 §11.1); undefined when there is none. */
export function bearerChallengeIn(exchange: Exchange): string | undefined {
  return challengesIn(exchange).find((challenge) => /^bearer(?:\s|$)/iu.test(challenge));
}
